graph [
  edge [ source 1 ]
]
