"""looks at its processes, finds one by name and ends it"""

NEEDS = {"ps": "procps", "pgrep": "procps"}
ACT = """sleep 1000 & p=$!
while ! ps -o comm= -p $p | grep -q sleep; do :; done
ps -o pid= -p $p | grep -c $p; pgrep -P $$ -x sleep | grep -c "^$p$"; kill -0 $p && kill $p; wait $p; echo $?
ps -o ppid= -p $$ | wc -l; test -r /proc/$$/status && grep -c ^Name: /proc/self/status; pgrep -P $$ -x sleep || echo none
"""


def works(host, done):
    return done.status == 0 and done.out.split() == ["1", "1", "143", "1", "1", "none"]
