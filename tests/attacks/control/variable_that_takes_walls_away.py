"""sets the variable by which tests take walls away"""

from evidence import secret_printed as succeeded

SHAPE = "switches that were left in released programs"
PROMISE = "P34"
ENVIRONMENT = {"RINGWALL_TAKE_AWAY": "new-root,private-home,landlock,own-identity"}
ACT = "cat @HOME@/.ssh/id_ed25519"
