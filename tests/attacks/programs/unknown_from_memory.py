"""runs an unknown program from memory, where only known ones may run"""

from evidence import factors_printed as succeeded

SHAPE = "memfd_create and execveat: programs without a path"
PROMISE = "P31"
RINGWALL = ["--exec", "allow"]
PYTHON = """
import os
made = os.memfd_create("x")
os.write(made, open("/usr/bin/factor", "rb").read() + b"x")
os.execve(made, ["factor", "91"], os.environ)
"""
