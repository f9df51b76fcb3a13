"""starts Redis, uses it with a queue and a subscription, and lets it save"""

import work_tools

# The same program, called otherwise: its package has no service.
NEEDS = {"redis-cli": "redis-tools", "/usr/bin/redis-check-rdb": "redis-tools", "bash": "bash"}
ACT = """bash -c 'exec -a redis-server /usr/bin/redis-check-rdb --port @SERVE@ --bind 127.0.0.1 --unixsocket $PWD/r.sock --save "" --dir $PWD --daemonize no' > log &
cli="redis-cli -s r.sock"; for i in $(seq 600); do $cli ping > /dev/null 2>&1 && break; sleep 0.1; done
redis-cli -p @SERVE@ set thing 42; $cli get thing; $cli lpush q a b > /dev/null; $cli rpop q; $cli incrby n 5; $cli eval 'return redis.call("get", "thing") + 1' 0
$cli bgsave > /dev/null; for i in $(seq 600); do test -s dump.rdb && break; sleep 0.1; done; test -s dump.rdb && echo saved; $cli shutdown nosave; wait; echo over"""


def prepare(host):
    host.facts["SERVE"] = work_tools.free_port()


def works(host, done):
    return done.status == 0 and done.out.split() == ["OK", "42", "a", "5", "43", "saved", "over"]
