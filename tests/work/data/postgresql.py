"""makes a PostgreSQL cluster in the project, starts it, uses it and stops it"""

import work_tools

NEEDS = {"/usr/lib/postgresql/15/bin/initdb": "postgresql-15", "psql": "postgresql-client"}
ACT = """set -e
export PATH=/usr/lib/postgresql/15/bin:$PATH PGDATA=$PWD/pg PGHOST=$PWD PGPORT=@SERVE@ PGUSER=me
initdb -A trust -U me -N > log && pg_ctl -w -t 100 -l server.log -o "-k $PWD -p @SERVE@ -c listen_addresses=127.0.0.1 -c fsync=off" start >> log
createdb shop && psql -q shop -c 'create table t(n int, w jsonb)' && seq 1000 | awk '{print $1 "\\t{}"}' | psql -q shop -c 'copy t from stdin'
psql -At shop -c 'select count(*), sum(n) from t' && psql -At -h 127.0.0.1 shop -c 'show server_version_num' | cut -c1-2
psql -At shop -c 'set max_parallel_workers_per_gather = 2; set min_parallel_table_scan_size = 0; set parallel_setup_cost = 0; set parallel_tuple_cost = 0; select count(*) from t a join t b using (n)'
pg_dump shop > dump.sql && pg_ctl -w -m fast stop >> log && grep -c '^COPY' dump.sql
"""


def prepare(host):
    host.facts["SERVE"] = work_tools.free_port()


def works(host, done):
    return done.status == 0 and [line for line in done.out.split() if line != "SET"] == ["1000|500500", "15", "1000", "1"]
