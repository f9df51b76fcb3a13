"""sends, traps, masks and waits for signals, and a group gets one as a whole"""

NEEDS = {"bash": "bash"}
ACT = r"""bash -c 'trap "echo usr1" USR1; trap "echo ended" EXIT; kill -USR1 $$; exit 4'; echo $?
bash -c 'trap "echo int; exit 7" INT; (kill -INT $$) & while :; do sleep 0.05; done'; echo $?
bash -c 'set -m; (sleep 1000 & sleep 1000 & wait) & kill -TERM -- -$!; wait $!; echo $?' 2> /dev/null
/usr/bin/python3 - <<'END'
import os, signal, time
heard = []
signal.signal(signal.SIGALRM, lambda *a: heard.append("alarm"))
signal.setitimer(signal.ITIMER_REAL, 0.01)
while not heard:
    time.sleep(0.01)
print(*heard)
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR2, signal.SIGCHLD})
os.kill(os.getpid(), signal.SIGUSR2)
print(signal.sigwait({signal.SIGUSR2}).name)
child = os.fork()
if not child:
    os.abort()
print(signal.Signals(os.WTERMSIG(os.waitpid(child, 0)[1])).name)
END
sh -c 'kill -SEGV $$'; echo $?
"""


def works(host, done):
    told = ["usr1", "ended", "4", "int", "7", "143", "alarm", "SIGUSR2", "SIGABRT", "139"]
    return done.status == 0 and done.out.split() == told
