"""makes a virtual environment, installs a package of the project into it and runs its program"""

NEEDS = {
    "/usr/lib/python3/dist-packages/pip": "python3-pip",
    "/usr/lib/python3/dist-packages/setuptools": "python3-setuptools",
    "/usr/lib/python3/dist-packages/wheel": "python3-wheel",
}
ACT = """set -e
/usr/bin/python3 -m venv --system-site-packages --without-pip env && . env/bin/activate && command -v python | sed "s|$PWD/||"
python -m pip install -q --no-index --no-build-isolation --disable-pip-version-check ./thing
thing && python -m pip uninstall -q -y thing && test ! -e env/bin/thing
"""


def prepare(host):
    host.write(
        "thing/pyproject.toml",
        '[build-system]\nrequires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"\n'
        '[project]\nname = "thing"\nversion = "1.2"\n[project.scripts]\nthing = "thing:main"\n',
    )
    host.write("thing/thing/__init__.py", "def main():\n    print('thing runs')\n")


def works(host, done):
    return done.status == 0 and done.out == "env/bin/python\nthing runs\n" and host.path("env/bin/python").exists()
