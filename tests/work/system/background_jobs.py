"""starts jobs in the background, waits for them, and leaves none"""

NEEDS = {"bash": "bash", "nohup": "coreutils"}
ACT = r"""bash -c 'for n in 1 2 3; do (sleep 0.0$n; echo $n > job$n; exit $n) & p[$n]=$!; done
for n in 3 1 2; do wait ${p[$n]}; echo $?; done; cat job1 job2 job3 | tr -d "\n"; echo
coproc cat; echo by coproc >&${COPROC[1]}; read -r line <&${COPROC[0]}; echo $line
(trap "" HUP; setsid nohup sh -c "echo detached > late" > /dev/null 2>&1 &); while [ ! -s late ]; do sleep 0.01; done; cat late
set -o pipefail; false | true; echo ${PIPESTATUS[*]}; seq 1000 | xargs -P 4 -n 100 echo | wc -l; nice -n 5 nice'
"""


def works(host, done):
    told = "3\n1\n2\n123\nby coproc\ndetached\n1 0\n10\n5\n"
    return done.status == 0 and done.out == told
