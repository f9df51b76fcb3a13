"""clones a repository with its submodule and moves the submodule on"""

NEEDS = {"git": "git"}
ACT = """set -e
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=protocol.file.allow GIT_CONFIG_VALUE_0=always
git init -q -b main lib && cd lib && echo lib > l && git add l && git commit -q -m lib && cd ..
git init -q -b main top && cd top && git submodule --quiet add ../lib lib && git commit -q -m 'with lib' && cd ..
git clone -q --recurse-submodules top copy && cat copy/lib/l
cd copy/lib && git switch -q main && echo more > m && git add m && git commit -q -m more && cd ..
git add lib && git commit -q -m 'lib moved' && git submodule status | wc -l && git status --short
"""


def works(host, done):
    return (
        done.status == 0
        and done.out == "lib\n1\n"
        and host.git("-C", "copy", "log", "--format=%s") == "lib moved\nwith lib\n"
    )
