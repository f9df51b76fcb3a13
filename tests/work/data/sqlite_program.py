"""asks SQLite by its own program, dumps a database and loads it again"""

NEEDS = {"sqlite3": "sqlite3"}
ACT = """set -e
sqlite3 a.db 'create table t(x); insert into t values(1),(2),(39)' && sqlite3 a.db .dump | sqlite3 b.db && sqlite3 -json b.db 'select sum(x) as s from t'
printf 'x\\n7\\n' > n.csv && sqlite3 b.db '.import --csv n.csv csv' 'select x from csv' && sqlite3 a.db 'vacuum into "c.db"' && ls *.db
"""


def works(host, done):
    return done.status == 0 and done.out.split() == ['[{"s":42}]', "7", "a.db", "b.db", "c.db"]
