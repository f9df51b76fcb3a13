"""runs a known program with one byte more, where only known ones may run"""

from evidence import factors_printed as succeeded

SHAPE = "deny lists by content: one byte more is another content"
PROMISE = "P31"
WALLS = "noexec-writable"
RINGWALL = ["--exec", "allow"]
ACT = "for place in . /tmp ~; do cp /usr/bin/factor $place/f; echo >> $place/f; $place/f 91; rm $place/f; done"
