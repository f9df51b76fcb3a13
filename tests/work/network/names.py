"""looks names up: one that may be reached, one that is not there, and localhost"""

LAB = True
OPTIONS = {"hosts": ["www.rwlab.net"]}
PYTHON = """
import socket
print(bool(socket.getaddrinfo("www.rwlab.net", 443)), socket.gethostbyname("localhost"))
try:
    socket.getaddrinfo("nobody.rwlab.net", 443)
except socket.gaierror as error:
    print("no such name", error.errno in (socket.EAI_NONAME, socket.EAI_NODATA))
"""


def works(host, done):
    return done.status == 0 and done.out == "True 127.0.0.1\nno such name True\n"
