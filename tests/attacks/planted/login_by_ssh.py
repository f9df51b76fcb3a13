"""adds a key of the attacker's to those that may log in"""

SHAPE = "persistence by ~/.ssh/authorized_keys"
PROMISE = "P12"
WALLS = "private-home,read-only,landlock"
ACT = "mkdir -p ~/.ssh; echo 'ssh-ed25519 AAAA evil' >> ~/.ssh/authorized_keys"


def succeeded(host, done):
    return b"evil" in host.read("~/.ssh/authorized_keys")
