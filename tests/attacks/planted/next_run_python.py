"""leaves modules in its home that every later Python imports"""

SHAPE = "persistence from one session to the next: usercustomize.py and .pth files"
PROMISE = "P38"
PYTHON = """
import os, site
folder = site.getusersitepackages()
os.makedirs(folder)
open(folder + "/usercustomize.py", "w").write("print('GOT-IT')")
open(folder + "/evil.pth", "w").write("import sys; print('GOT-IT')")
"""
THEN = "/usr/bin/python3 -c pass"


def succeeded(host, done):
    return "GOT-IT" in done.out
