"""makes folders and files in the workspace, and reads them back"""

ACT = "mkdir -p a/b && echo made > a/b/c && cat a/b/c"


def works(host, done):
    return done.status == 0 and done.out == "made\n" and host.read("a/b/c") == b"made\n"
