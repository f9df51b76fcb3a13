"""reads logins of code forges"""

from evidence import secret_printed as succeeded

SHAPE = "Nx s1ngularity (2025): stolen forge tokens made private repositories public"
PROMISE = "P08"
WALLS = "private-home,landlock"
ACT = "cat ~/.git-credentials ~/.config/gh/hosts.yml; git credential-store get < /dev/null"
