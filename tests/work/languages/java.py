"""compiles Java, packs it and runs it with threads and much memory"""

NEEDS = {"javac": "default-jdk-headless", "jar": "default-jdk-headless"}
ACT = """set -e
cat > A.java <<'END'
class A { public static void main(String[] a) throws Exception {
  var t = new Thread(() -> System.out.println("java runs")); t.start(); t.join(); byte[] b = new byte[64 << 20]; System.gc();
  System.out.println(new ProcessBuilder("echo", "child").inheritIO().start().waitFor() + " " + b.length); } }
END
javac A.java && jar cfe a.jar A A.class && java -jar a.jar
"""


def works(host, done):
    return done.status == 0 and done.out == "java runs\nchild\n0 67108864\n"
