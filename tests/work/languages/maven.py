"""checks a Maven project offline, with a module below it"""

NEEDS = {"mvn": "maven", "java": "default-jdk-headless"}
HEAVY = True
# A host need not have any plugin, so this is a project that needs none.
# Java asks the list of accounts for its home.
ACT = "export MAVEN_OPTS=-Duser.home=$HOME; mvn -o -B -q validate > log && mvn -o -B validate | grep -cE 'BUILD SUCCESS|app .* SUCCESS|part .* SUCCESS'"


def prepare(host):
    head = '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>'
    facts = "<groupId>org.example</groupId><version>1</version>"
    host.write("pom.xml", f"{head}{facts}<artifactId>app</artifactId><packaging>pom</packaging><modules><module>part</module></modules></project>\n")
    parent = f"<parent>{facts}<artifactId>app</artifactId></parent>"
    host.write("part/pom.xml", f"{head}{parent}<artifactId>part</artifactId><packaging>pom</packaging></project>\n")


def works(host, done):
    return done.status == 0 and done.out == "3\n"
