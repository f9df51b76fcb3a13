"""starts a denied program from a file in memory"""

from evidence import factors_printed as succeeded

SHAPE = "memfd_create and execveat: programs without a path"
PROMISE = "P30"
WALLS = "denied-programs"
OPTIONS = {"deny_programs": ["factor"]}
PYTHON = """
import os
made = os.memfd_create("x")
os.write(made, open("/usr/bin/factor", "rb").read())
os.execve(made, ["factor", "91"], os.environ)
"""
