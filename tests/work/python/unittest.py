"""runs tests by unittest, with temporary folders, threads and a server in them"""

ACT = "/usr/bin/python3 -m unittest -v 2> told; echo $?; tail -1 told"


def prepare(host):
    host.write(
        "test_x.py",
        "import http.server, tempfile, threading, unittest, urllib.request, logging, logging.handlers\n"
        "class T(unittest.TestCase):\n"
        "    def test_file(self):\n"
        "        with tempfile.TemporaryDirectory() as d, open(d + '/f', 'w') as f: self.assertEqual(f.write('x'), 1)\n"
        "    def test_server(self):\n"
        "        s = http.server.ThreadingHTTPServer(('localhost', 0), http.server.SimpleHTTPRequestHandler)\n"
        "        s.RequestHandlerClass.log_message = lambda *a: None\n"
        "        threading.Thread(target=s.serve_forever, daemon=True).start()\n"
        "        with urllib.request.urlopen(f'http://localhost:{s.server_port}/README.md') as page: self.assertEqual(page.read(), b'# A project\\n')\n"
        "        s.shutdown(); s.server_close()\n"
        "    def test_log(self):\n"
        "        h = logging.handlers.RotatingFileHandler('log', maxBytes=100, backupCount=2)\n"
        "        for n in range(20): h.emit(logging.makeLogRecord({'msg': 'line'}))\n"
        "        h.close()\n",
    )


def works(host, done):
    return done.out == "0\nOK\n" and host.path("log.1").exists()
