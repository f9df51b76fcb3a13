"""keeps data in SQLite, with a write-ahead log and several writers at once"""

PYTHON = """
import os, sqlite3
with sqlite3.connect("data.db", timeout=60) as c:
    c.execute("pragma journal_mode=wal")
    c.execute("create table t(n integer primary key, w text)")
for writer in range(4):
    if os.fork() == 0:
        c = sqlite3.connect("data.db", timeout=60)
        for n in range(25):
            with c:
                c.execute("insert into t(w) values(?)", (f"writer {writer}",))
        os._exit(0)
print([os.wait()[1] for _ in range(4)])
c = sqlite3.connect("data.db")
print(c.execute("select count(*), count(distinct w) from t").fetchone(), c.execute("pragma integrity_check").fetchone())
c.execute("create virtual table f using fts5(x)")
c.execute("insert into f values('a walled garden')")
print(c.execute("select count(*) from f where f match 'garden'").fetchone())
"""


def works(host, done):
    return done.status == 0 and done.out == "[0, 0, 0, 0]\n(100, 4) ('ok',)\n(1,)\n"
