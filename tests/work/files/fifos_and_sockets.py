"""lets processes talk by pipes with names, sockets with names, and shared memory"""

PYTHON = """
import os, socket, shutil, subprocess, tempfile
from multiprocessing import shared_memory
os.mkfifo("fifo")
writer = subprocess.Popen(["sh", "-c", "echo by fifo > fifo"])
print(open("fifo").read().strip(), writer.wait())
folder = tempfile.mkdtemp()
for name in ("sock", f"{folder}/sock", "\\0" + folder):
    server = socket.socket(socket.AF_UNIX)
    server.bind(name)
    server.listen()
    client = socket.socket(socket.AF_UNIX)
    client.connect(name)
    line, _ = server.accept()
    socket.send_fds(client, [b"x"], [os.open("README.md", os.O_RDONLY)])
    print(os.read(socket.recv_fds(line, 1, 1)[1][0], 100).decode().strip())
shutil.rmtree(folder)
a = shared_memory.SharedMemory(create=True, size=1 << 20)
a.buf[0] = 7
b = shared_memory.SharedMemory(name=a.name)
print(b.buf[0])
b.close()
a.close()
a.unlink()
"""


def works(host, done):
    return done.status == 0 and done.out == "by fifo 0\n" + "# A project\n" * 3 + "7\n"
