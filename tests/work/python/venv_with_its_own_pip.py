"""makes a virtual environment with a pip of its own, as the manual says"""

NEEDS = {"/usr/lib/python3.11/ensurepip": "python3-venv"}
HEAVY = True
ACT = """set -e
/usr/bin/python3 -m venv env && env/bin/pip --version | cut -d' ' -f1 && env/bin/pip list --disable-pip-version-check --format=freeze | cut -d= -f1 | sort
"""


def works(host, done):
    return done.status == 0 and done.out.split() == ["pip", "pip", "setuptools"]
