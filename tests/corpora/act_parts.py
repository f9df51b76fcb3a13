"""Parts of acts that several cases share."""

# Python: query(name, kind) is the bytes of a question to a resolver.
DNS_QUERY = """
import socket, struct
def query(name, kind):
    labels = b"".join(bytes([len(l)]) + l.encode() for l in name.split("."))
    return b"\\x12\\x34\\1\\0\\0\\1\\0\\0\\0\\0\\0\\0" + labels + b"\\0" + struct.pack(">HH", kind, 1)
"""


def key_read_below(descriptor):
    """C: prints the person's key, opened from a folder that came as this descriptor."""
    return f"""
#include <fcntl.h>
#include <unistd.h>
int main() {{
  char text[999];
  int file = openat({descriptor}, ".ssh/id_ed25519", O_RDONLY);
  return write(1, text, read(file, text, sizeof text)) < 0;
}}
"""
