graph [ ]
]
