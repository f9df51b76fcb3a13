"""reads a browser's saved passwords"""

from evidence import secret_printed as succeeded

SHAPE = "information stealers in packages, such as Nx s1ngularity (2025)"
PROMISE = "P08"
WALLS = "private-home,landlock"
ACT = "cat ~/.mozilla/firefox/*/logins.json ~/.config/google-chrome/Default/'Login Data' ~/.local/share/keyrings/*"
