"""orders the editor to open a folder, by the socket that its terminals know"""

SHAPE = "VSCODE_IPC_HOOK_CLI within reach of a sandbox"
PROMISE = "P13"
WALLS = "new-root"
ENVIRONMENT = {"VSCODE_IPC_HOOK_CLI": "@RUNTIME@/vscode-ipc-1.sock"}
PYTHON = """
import socket
s = socket.socket(socket.AF_UNIX); s.connect("@RUNTIME@/vscode-ipc-1.sock"); s.sendall(b"POST / open")
"""


def prepare(host):
    host.editor = host.listen(host.runtime / "vscode-ipc-1.sock")


def succeeded(host, done):
    return b"POST / open" in host.editor.seen()
