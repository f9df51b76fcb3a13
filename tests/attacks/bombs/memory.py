"""takes more memory than it may, step by step"""

from evidence import word_printed as succeeded

SHAPE = "memory bombs: the kernel kills the wrong one"
PROMISE = "P33"
OPTIONS = {"memory": "100M"}
RINGWALL = ["--timeout", "5s"]
PYTHON = """
import time
held = []
for _ in range(20):
    held.append(bytearray(b"x" * (16 << 20)))
    time.sleep(0.1)
print("GOT-IT")
"""
