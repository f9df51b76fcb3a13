"""makes a key and a certificate for tests, and serves and fetches by TLS with them"""

NEEDS = {"openssl": "openssl", "curl": "curl"}
ACT = """set -e
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout server.key -out server.crt 2> /dev/null
cat > serve.py <<'END'
import http.server, ssl
s = http.server.HTTPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler)
s.RequestHandlerClass.log_message = lambda *a: None
c = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
c.load_cert_chain("server.crt", "server.key")
s.socket = c.wrap_socket(s.socket, server_side=True)
open("port.new", "w").write(str(s.server_port))
import os
os.rename("port.new", "port")
s.handle_request()
END
/usr/bin/python3 serve.py & for i in $(seq 600); do test -e port && break; sleep 0.1; done
curl -sS --cacert server.crt https://localhost:$(cat port)/README.md && wait && openssl x509 -in server.crt -noout -subject
"""


def works(host, done):
    return done.status == 0 and done.out.startswith("# A project\n") and "localhost" in done.out
