"""What this host lets nobody do, walls or not: cases that need it are then not run."""

import ctypes
import subprocess

LIBC = ctypes.CDLL(None, use_errno=True)


def no_user_namespaces():
    """Why no user namespace can be made here, or None."""
    done = subprocess.run(["unshare", "-Ur", "true"], capture_output=True, text=True)
    return None if done.returncode == 0 else f"user namespaces are switched off: {done.stderr.strip()}"


def no_call(number, *arguments):
    """Why this call cannot be made here, or None; a descriptor that it gives lives as long as we do."""
    if LIBC.syscall(number, *arguments) >= 0:
        return None
    return f"this kernel refuses call {number}: error {ctypes.get_errno()}"
