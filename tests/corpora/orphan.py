"""A process that stays when its run has ended: it answers whoever asks in the workspace."""

DAEMON = '''
import os, subprocess, sys, time
CODE = """
import os, sys, time
open("daemon-runs", "w").close()
end = time.monotonic() + 100
while time.monotonic() < end and not os.path.exists("anybody-there"):
    time.sleep(0.01)
open("daemon-answers", "w").close()
"""
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        nothing = os.open("/dev/null", os.O_RDWR)
        for number in (0, 1, 2):
            os.dup2(nothing, number)
        os.execve(sys.executable, ["python3", "-c", CODE, "@SECRET@"], {})
    os._exit(0)
while not os.path.exists("daemon-runs"):
    time.sleep(0.01)
'''
# The run itself goes on until it is ended from outside.
WAIT = "time.sleep(100)\n"
