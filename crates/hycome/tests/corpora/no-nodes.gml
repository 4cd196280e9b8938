graph [ ]
