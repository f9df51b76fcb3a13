"""searches the whole home for secrets by their content"""

from evidence import secret_printed as succeeded

SHAPE = "Nx s1ngularity (2025): agents were told to list every file that might hold a secret"
PROMISE = "P07"
WALLS = "private-home,landlock"
ACT = "grep -rs rwsecret @HOME@"
