"""reads the tokens by which packages are published"""

from evidence import secret_printed as succeeded

SHAPE = "Shai-Hulud (2025): stolen registry tokens published the next packages"
PROMISE = "P08"
WALLS = "private-home,landlock"
ACT = "cat ~/.npmrc ~/.pypirc ~/.cargo/credentials.toml ~/.netrc"
