"""installs a package and what it depends on from an index that runs on the person's machine"""

import work_tools

NEEDS = {"/usr/lib/python3/dist-packages/pip": "python3-pip", "/usr/lib/python3/dist-packages/wheel": "python3-wheel"}
OPTIONS = {"reach_host": ["@PORT@"]}
ACT = """set -e
/usr/bin/python3 -m venv --without-pip env && pip() { /usr/bin/python3 -m pip --python env/bin/python --disable-pip-version-check "$@"; }
pip install -q --index-url http://127.0.0.1:@PORT@/simple/ 'alpha>=1' && env/bin/python -c 'import alpha; alpha.main()'
pip check
"""


def prepare(host):
    files = {
        **work_tools.wheel("alpha", "1.5", "import beta\ndef main():\n    print('alpha and', beta.NAME)\n", ["beta"]),
        **work_tools.wheel("beta", "2.0", "NAME = 'beta'\n"),
    }
    work_tools.python_index(host, files)


def works(host, done):
    return done.status == 0 and done.out == "alpha and beta\nNo broken requirements found.\n"
