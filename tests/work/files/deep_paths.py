"""works with names of 255 bytes and with paths longer than any one call takes"""

PYTHON = """
import os, shutil
top = os.getcwd()
long = "n" * 255
open(long, "w").write("long name")
print(open(long).read())
for depth in range(40):
    os.mkdir("d" * 200)
    os.chdir("d" * 200)
open("deepest", "w").write("at the bottom")
print(open("deepest").read(), len(os.getcwd()) > 8000)
os.chdir(top)
print(sum(len(files) for _, _, files, _ in os.fwalk("d" * 200)))
shutil.rmtree("d" * 200)
os.makedirs("/".join("abcdefgh" * 12))
open("/".join("abcdefgh" * 12) + "/leaf", "w").close()
print(sorted(os.listdir(".")) == sorted([".git", "README.md", "a", long, "src"]))
"""


def works(host, done):
    return done.status == 0 and done.out == "long name\nat the bottom True\n1\nTrue\n"
