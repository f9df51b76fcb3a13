"""asks who it is and where: a name for its id, a home that can be written, a host's name that resolves"""

PYTHON = """
import getpass, os, pwd, socket, subprocess, tempfile
me = pwd.getpwuid(os.getuid())
print(me.pw_name == getpass.getuser() != "", os.path.expanduser("~") == os.environ["HOME"], os.access(os.environ["HOME"], os.W_OK))
print(subprocess.run(["id", "-un"], capture_output=True, text=True).stdout.strip() == me.pw_name)
print(bool(socket.gethostname()), socket.gethostbyname("localhost"), bool(socket.getaddrinfo(socket.gethostname(), None)))
print(os.getcwd() == os.environ.get("PWD", os.getcwd()), os.cpu_count() > 0, len(os.sched_getaffinity(0)) > 0)
open(os.path.expanduser("~/.own-settings"), "w").write("x")
print(open(os.path.expanduser("~/.own-settings")).read(), os.path.isdir(tempfile.gettempdir()))
print(open("/proc/meminfo").readline().startswith("MemTotal"), os.uname().sysname)
"""


def works(host, done):
    told = "True True True\nTrue\nTrue 127.0.0.1 True\nTrue True True\nx True\nTrue Linux\n"
    return done.status == 0 and done.out == told
