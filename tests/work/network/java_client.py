"""fetches a page by TLS with Java's own client"""

import shutil

NEEDS = {"javac": "default-jdk-headless"}
LAB = True
HEAVY = True
OPTIONS = {"hosts": ["www.rwlab.net"]}
ACT = """keytool -importcert -noprompt -alias lab -file ca.pem -keystore truststore.p12 -storepass changeit 2> /dev/null
cat > Fetch.java <<'END'
import java.net.URI;
import java.net.http.*;
class Fetch {
  public static void main(String[] words) throws Exception {
    var client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    System.out.print(client.send(HttpRequest.newBuilder(URI.create("https://www.rwlab.net/java")).build(), HttpResponse.BodyHandlers.ofString()).body());
  }
}
END
java -Djavax.net.ssl.trustStore=truststore.p12 -Djavax.net.ssl.trustStorePassword=changeit Fetch.java"""


def prepare(host):
    shutil.copy(host.lab.certificate, host.work / "ca.pem")


def works(host, done):
    return done.status == 0 and '"path": "/java"' in done.out
