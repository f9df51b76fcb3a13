"""A tap on the cable: writes down every beginning of a connection and every other packet.

What a server sees, it was asked for; what the tap sees, left the host. A kernel filter keeps the bulk
of TCP away from it.
"""

import ctypes
import socket
import struct

ETH_P_ALL, ETH_P_IP, ETH_P_IPV6 = 3, 0x0800, 0x86DD
SO_ATTACH_FILTER = 26
PACKET_OUTGOING = 4
TCP, UDP, ICMP6, HOP_BY_HOP = 6, 17, 58, 0
# How IPv6 keeps a cable going: routers and neighbours (133 to 137), groups (130 to 132, 143).
ICMP6_HOUSEKEEPING = {*range(130, 138), 143}

# Takes IPv4 and IPv6, of TCP only what carries SYN. (code, if true, if false, operand)
FILTER = [
    (0x28, 0, 0, 12),  # the kind of packet
    (0x15, 0, 5, ETH_P_IP),
    (0x30, 0, 0, 23),
    (0x15, 0, 8, TCP),
    (0xB1, 0, 0, 14),  # the length of the IPv4 header
    (0x50, 0, 0, 14 + 13),
    (0x45, 5, 6, 2),
    (0x15, 0, 5, ETH_P_IPV6),
    (0x30, 0, 0, 20),
    (0x15, 0, 2, TCP),
    (0x30, 0, 0, 14 + 40 + 13),
    (0x45, 0, 1, 2),
    (0x06, 0, 0, 65535),
    (0x06, 0, 0, 0),
]


def tap_socket(link):
    made = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *line) for line in FILTER))
    program = struct.pack("HxxxxxxP", len(FILTER), ctypes.addressof(code))
    made.setsockopt(socket.SOL_SOCKET, SO_ATTACH_FILTER, program)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
    made.bind((link, ETH_P_ALL))
    return made


def facts_of(kind, packet):
    """What is written down of an IP packet, or None for the cable's own housekeeping."""
    if kind == ETH_P_IP:
        protocol, start = packet[9], (packet[0] & 15) * 4
        sender, to = (socket.inet_ntop(socket.AF_INET, packet[n : n + 4]) for n in (12, 16))
    else:
        protocol, start = packet[6], 40
        sender, to = (socket.inet_ntop(socket.AF_INET6, packet[n : n + 16]) for n in (8, 24))
        if protocol == HOP_BY_HOP or (protocol == ICMP6 and packet[start] in ICMP6_HOUSEKEEPING):
            return None
    facts = {"protocol": protocol, "sender": sender, "to": to}
    if protocol in (TCP, UDP):
        facts["port"] = struct.unpack_from(">H", packet, start + 2)[0]
    if protocol == UDP:
        facts["data"] = packet[start + 8 : start + 72].decode("latin-1")
    return facts


def serve(made, journal):
    while True:
        packet, (_, kind, way, _, _) = made.recvfrom(65535)
        if way == PACKET_OUTGOING or kind not in (ETH_P_IP, ETH_P_IPV6):
            continue
        if facts := facts_of(kind, packet[14:]):
            journal.write("tap", **facts)
