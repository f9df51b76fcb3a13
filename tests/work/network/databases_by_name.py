"""asks databases on the network by their names: Redis, and PostgreSQL with TLS and without"""

import shutil

NEEDS = {"redis-cli": "redis-tools", "psql": "postgresql-client"}
LAB = True
OPTIONS = {"hosts": ["redis.rwlab.net:6379", "postgres.rwlab.net:5432"]}
ACT = """set -e
redis-cli -h redis.rwlab.net set thing-@MARK@ 42 && redis-cli -h redis.rwlab.net get thing-@MARK@
psql -Atc 'select 7' 'host=postgres.rwlab.net user=lab sslmode=verify-full sslrootcert=ca.pem' && psql -Atc 'select 8' 'host=postgres.rwlab.net user=lab sslmode=disable'
"""


def prepare(host):
    shutil.copy(host.lab.certificate, host.work / "ca.pem")
    host.facts["MARK"] = host.secret[-8:]


def works(host, done):
    return done.status == 0 and done.out.split("\n")[:2] == ["OK", "42"] and "SELECT 7" in done.out.upper() and "SELECT 8" in done.out.upper()
