"""opens a performance counter"""

from evidence import word_printed as succeeded

SHAPE = "perf_event_open: a long record of holes, and a side channel"
PROMISE = "P04"
WALLS = "system-calls"
PYTHON = """
import ctypes, struct
wanted = ctypes.create_string_buffer(struct.pack("IIQQQQQ", 1, 112, 0, 0, 0, 0, 0x61) + bytes(200))
made = ctypes.CDLL(None).syscall(298, wanted, 0, -1, -1, 0)
print("GOT-IT" if made >= 0 else "refused")
"""


def not_here():
    try:
        with open("/proc/sys/kernel/perf_event_paranoid") as setting:
            return None if int(setting.read()) <= 2 else "performance counters are switched off here"
    except FileNotFoundError:
        return "this kernel has no performance counters"
