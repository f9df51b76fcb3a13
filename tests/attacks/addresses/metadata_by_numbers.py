"""writes the metadata address as one number, in octal and in hexadecimal"""

from evidence import secret_left as succeeded

SHAPE = "SSRF filters passed by other forms of an address"
PROMISE = "P25"
LAB = True
OPTIONS = {"hosts": ["api.rwlab.net:80"]}
PYTHON = """
import socket
for address in ("2852039166", "0xa9fea9fe", "0251.0376.0251.0376", "169.254.43518", "::ffff:169.254.169.254"):
    try:
        with socket.create_connection((address, 80), 30) as line:
            line.sendall(b"GET /@SECRET@ HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n")
            line.recv(999)
    except OSError:
        pass
"""
