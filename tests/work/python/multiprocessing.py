"""shares work among processes, in all three ways to start them"""

ACT = 'for way in fork spawn forkserver; do /usr/bin/python3 m.py $way; done'


def prepare(host):
    host.write(
        "m.py",
        "import concurrent.futures as f, multiprocessing as m, sys\n"
        "def work(n):\n    return n * n\n"
        'if __name__ == "__main__":\n'
        "    m.set_start_method(sys.argv[1])\n"
        "    with m.Pool(4) as p: print(sum(p.map(work, range(100))), end=' ')\n"
        "    with f.ProcessPoolExecutor(2) as e: print(list(e.map(work, [1, 2])), end=' ')\n"
        "    with m.Manager() as g: d = g.dict(a=1); print(d['a'], end=' ')\n"
        "    a, b = m.Pipe(); v = m.Value('i', 3); s = m.Semaphore(1); s.acquire(); s.release(); q = m.Queue(); q.put(5)\n"
        "    print(v.value, q.get())\n",
    )


def works(host, done):
    return done.status == 0 and done.out == "328350 [1, 4] 1 3 5\n" * 3
