"""makes symbolic and hard links, moves files and folders, replaces a file at once"""

ACT = """set -e
mkdir -p a/b c && echo x > a/f && ln -s ../a/f c/sym && ln a/f c/hard && cat c/sym c/hard && stat -c %h a/f
mv a moved && cat c/hard && ln -sfn ../moved/f c/sym && cat c/sym && readlink -f c/sym | sed "s|$PWD/||"
echo new > tmp && mv -f tmp moved/f && cat moved/f c/hard && mv moved/b . && rmdir b && ln -s moved dir && cat dir/f
cp -al moved linked && test moved/f -ef linked/f && mv -T moved again && ls -1
"""


def works(host, done):
    told = ["x", "x", "2", "x", "x", "moved/f", "new", "x", "new", "README.md", "again", "c", "dir", "linked", "src"]
    return done.status == 0 and done.out.split() == told and host.read("again/f") == b"new\n"
