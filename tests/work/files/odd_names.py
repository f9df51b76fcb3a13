"""uses names with blanks, line ends, quotes, leading dashes, emoji and bytes that are no text"""

PYTHON = """
import os
names = ["a b", "line\\nend", "quo'te\\"s", "-rf", "ü😀", "tab\\t", "$HOME", "*", "CON", "a\\\\b", ".hidden", "  "]
for name in names:
    open(name, "w").write(name)
open(b"\\xff\\xfe", "w").write("bytes")
os.mkdir("new\\nfolder")
os.rename("a b", "new\\nfolder/c d")
print(all(open(name).read() == name for name in names[1:]), open("new\\nfolder/c d").read(), open(b"\\xff\\xfe").read())
"""


def works(host, done):
    names = set(map(bytes, (entry.name.encode("utf-8", "surrogateescape") for entry in host.work.iterdir())))
    wanted = {b"line\nend", b"-rf", "ü😀".encode(), b"\xff\xfe", b"*", b"new\nfolder"}
    return done.status == 0 and done.out == "True a b bytes\n" and wanted <= names
