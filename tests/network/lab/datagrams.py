"""Datagrams on every address of the far side: an answer comes from the address that was asked."""

import socket
import struct

IP_PKTINFO, IPV6_RECVPKTINFO, IPV6_FREEBIND = 8, 49, 78


def datagram_socket(port, family=socket.AF_INET):
    made = socket.socket(family, socket.SOCK_DGRAM)
    if family == socket.AF_INET6:
        made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        made.setsockopt(socket.IPPROTO_IPV6, IPV6_RECVPKTINFO, 1)
        # An address that is ours by a route alone counts as one of somebody else's.
        made.setsockopt(socket.IPPROTO_IPV6, IPV6_FREEBIND, 1)
    else:
        made.setsockopt(socket.IPPROTO_IP, IP_PKTINFO, 1)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
    made.bind(("", port))
    made.setblocking(False)
    return made


def both_families(port):
    return [datagram_socket(port, family) for family in (socket.AF_INET, socket.AF_INET6)]


def asked_address(ancillary):
    """The address a datagram was sent to, and what makes the answer come from it."""
    for level, kind, data in ancillary:
        if level == socket.IPPROTO_IP:
            back = struct.pack("=I4s4s", 0, data[8:12], data[8:12])
            return socket.inet_ntop(socket.AF_INET, data[8:12]), [(level, kind, back)]
        if level == socket.IPPROTO_IPV6:
            back = data[:16] + struct.pack("=I", 0)
            return socket.inet_ntop(socket.AF_INET6, data[:16]), [(level, kind, back)]
    return "", []


def serve_datagrams(loop, made, answer):
    """`await answer(data, asked address, sender)` gives the bytes to send back, or None."""

    async def reply(data, ancillary, sender):
        asked, back = asked_address(ancillary)
        answered = await answer(data, asked, sender[0])
        if answered is not None:
            made.sendmsg([answered], back, 0, sender)

    def readable():
        data, ancillary, _, sender = made.recvmsg(65535, 256)
        loop.create_task(reply(data, ancillary, sender))

    loop.add_reader(made, readable)
