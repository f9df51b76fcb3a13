"""stops a job, lets it go on in the background and brings it back, as at a prompt"""

NEEDS = {"bash": "bash"}
TERMINAL = True
ACT = r"""exec bash --norc --noprofile -c 'set -m
sleep 1000 & kill -STOP %1; while ! jobs -s | grep -q Stopped; do sleep 0.01; done; echo stopped $(jobs -s | grep -c sleep)
kill -CONT %1; while ! jobs -r | grep -q Running; do sleep 0.01; done; echo running $(jobs -r | wc -l); kill %1; wait %1; echo status $?
(sh -c "kill -STOP \$\$; echo went on") ; echo outer $?; fg > /dev/null; echo fore $?'
"""


def works(host, done):
    out = done.out.replace("\r", "")
    wanted = ["stopped 1", "running 1", "status 143", "went on", "fore 0"]
    return done.status == 0 and all(word in out for word in wanted) and done.typed == "end"
