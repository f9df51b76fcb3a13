"""Clients of many kinds, each with what it says when it got through.

None of them is told of a proxy. They run as they are, bare and inside alike.
"""

import dataclasses
import os
import pwd
import shlex
import shutil

import pytest

from lab import names

WEB = names.full("www")
SEARCH = "/usr/local/bin:/usr/bin:/bin"

JAVA = """
import java.io.*;
import java.net.*;
import java.nio.file.*;
import java.security.*;
import java.security.cert.*;
import javax.net.ssl.*;
public class Fetch {
  public static void main(String[] words) throws Exception {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null);
    try (InputStream in = Files.newInputStream(Path.of(words[1]))) {
      store.setCertificateEntry("lab", CertificateFactory.getInstance("X.509").generateCertificate(in));
    }
    TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    HttpsURLConnection line = (HttpsURLConnection) new URL(words[0]).openConnection();
    line.setSSLSocketFactory(context.getSocketFactory());
    System.out.write(line.getInputStream().readAllBytes());
    System.out.flush();
  }
}
"""

JAVA_PLAIN = """
import java.net.*;
import java.net.http.*;
public class FetchPlain {
  public static void main(String[] words) throws Exception {
    HttpClient client = HttpClient.newHttpClient();
    HttpRequest request = HttpRequest.newBuilder(URI.create(words[0])).build();
    for (int n = 0; n < 3; n++) {
      HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
      System.out.println(response.version() + " " + response.body());
    }
  }
}
"""

GIT_SSH = (
    'export GIT_SSH_COMMAND="ssh -i $PWD/id_lab -o IdentitiesOnly=yes -o BatchMode=yes '
    '-o UserKnownHostsFile=$PWD/known_hosts"\n'
)


PYTHON_ECHO = """
import socket, sys
line = socket.create_connection((sys.argv[1], int(sys.argv[2])))
line.sendall(b"to and fro")
print(line.recv(100))
"""

PYTHON_MAIL = """
import smtplib, sys
line = smtplib.SMTP(sys.argv[1])
print(line.sendmail("a@rwlab.net", ["b@rwlab.net"], "hello"), line.quit())
"""

PYTHON_FETCH = """
import sys, urllib.request
print(urllib.request.urlopen(sys.argv[1]).read().decode())
"""

NODE_FETCH = "fetch(process.argv[1]).then(r => r.text()).then(console.log)"
NODE_TRUST = ("--env", "NODE_EXTRA_CA_CERTS")


@dataclasses.dataclass(frozen=True)
class Client:
    name: str
    program: str
    allow: str  # what the wall has to be told
    script: str
    sign: str  # in what it prints, if it worked
    options: tuple = ()

    def flags(self):
        return ["--allow", self.allow, *self.options]


def python(program, *words):
    return shlex.join(["/usr/bin/python3", "-c", program, *map(str, words)])


def web_clients():
    page = f'"host": "{WEB}"'
    six, git, npm = (names.full(name) for name in ("six", "git", "npm"))
    url = f"https://{WEB}/"
    install = f"npm install --silent --no-audit --no-fund --fetch-retries 0 --registry https://{npm}/ small-thing"
    fetch = shlex.join(["node", "-e", NODE_FETCH, url])
    clone = f"git clone -q https://{git}/git/thing.git https-clone && cat https-clone/README.md"
    java = f"cat >Fetch.java <<'END'\n{JAVA}END\njava Fetch.java {url} ca.pem"
    # It offers HTTP/2, which the lab's server would agree to and then not speak.
    java_plain = f"cat >FetchPlain.java <<'END'\n{JAVA_PLAIN}END\njava FetchPlain.java http://{WEB}/no-upgrade"
    return [
        Client("curl", "curl", WEB, f"curl -sS {url}", page),
        Client("curl-plain", "curl", f"{WEB}:80", f"curl -sS http://{WEB}/plain", page),
        Client("curl-8443", "curl", f"{WEB}:8443", f"curl -sS https://{WEB}:8443/", '"port": 8443'),
        Client("curl-v6-only", "curl", six, f"curl -sS https://{six}/", '"to": "2606:'),
        Client("python", "python3", WEB, python(PYTHON_FETCH, url), page),
        Client("node", "node", WEB, fetch, page, NODE_TRUST),
        Client("npm", "npm", npm, f"{install} && node -e 'require(\"small-thing\")'", "small thing runs", NODE_TRUST),
        Client("java", "javac", WEB, java, page),
        Client("java-plain", "javac", f"{WEB}:80", java_plain, "HTTP_1_1 {"),
        Client("git-https", "git", git, clone, "hello"),
    ]


def postgres_clients():
    """The client speaks first and asks for TLS in the clear; whose name it is, it checks itself."""
    host, port = names.full("postgres"), names.POSTGRES_PORT
    ways = {"psql": "sslmode=verify-full sslrootcert=$PWD/ca.pem", "psql-plain": "sslmode=disable"}
    return [
        Client(name, "psql", f"{host}:{port}", f'psql -Atc "select 7" "host={host} user=lab {way}"', "SELECT 7")
        for name, way in ways.items()
    ]


def stream_clients(user, repositories):
    git, redis, mail, streams = (names.full(name) for name in ("git", "redis", "mail", "streams"))
    clone = (
        f"{GIT_SSH}git clone -q ssh://{user}@{git}{repositories}/thing.git ssh-clone && "
        "cat ssh-clone/README.md"
    )
    show = ("--show", "id_lab")
    mail_port, redis_port, echo_port = names.MAIL_PORT, names.REDIS_PORT, names.ECHO
    return [
        Client("git-ssh", "ssh", f"{git}:{names.SSH_PORT}", clone, "hello", show),
        Client("redis", "redis-cli", f"{redis}:{redis_port}", f"redis-cli -h {redis} set thing 1", "OK"),
        *postgres_clients(),
        Client("smtp", "python3", f"{mail}:{mail_port}", python(PYTHON_MAIL, mail), "bye"),
        Client("echo", "python3", f"{streams}:{echo_port}", python(PYTHON_ECHO, streams, echo_port), "to and fro"),
    ]


def clients(user, repositories):
    """All of them; USER may log in at the lab's ssh server, which has REPOSITORIES."""
    return web_clients() + stream_clients(user, repositories)


NAMES = [client.name for client in clients("", "")]


def named(name, lab, folder):
    """The client of that name, if this host has it; its key is put into FOLDER if it needs one."""
    user = pwd.getpwuid(os.getuid()).pw_name
    found = {client.name: client for client in clients(user, lab.folder / "repositories")}[name]
    if not shutil.which(found.program, path=SEARCH):
        pytest.skip(f"this host has no {found.program}")
    if found.program == "ssh":
        shutil.copy(lab.folder / "client_key", folder / "id_lab")
    return found
