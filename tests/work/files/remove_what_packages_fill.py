"""removes node_modules and a build folder of before, as everybody does when something is odd"""

ACT = "rm -rf node_modules build && ls"


def prepare(host):
    for number in range(600):
        host.write(f"node_modules/p{number % 30}/f{number}.js", "x\n")
        host.write(f"build/o{number}.o", "x\n")


def works(host, done):
    return done.status == 0 and done.out == "README.md\nsrc\n" and not host.path("node_modules").exists()
