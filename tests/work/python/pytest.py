"""runs tests by pytest, with fixtures, parameters, a failure, and again only what failed"""

NEEDS = {"/usr/lib/python3/dist-packages/pytest": "python3-pytest"}
ACT = """/usr/bin/python3 -m pytest -q > first; echo $?
sed -i 's/assert False/assert True/' test_a.py; /usr/bin/python3 -m pytest -q --lf > second; echo $?; cat first second
"""


def prepare(host):
    host.write("conftest.py", "import pytest\n@pytest.fixture\ndef number():\n    return 7\n")
    host.write(
        "test_a.py",
        "import subprocess, sys, pytest\n"
        '@pytest.mark.parametrize("n", range(3))\n'
        "def test_many(n, number, tmp_path, capfd, monkeypatch):\n"
        "    monkeypatch.chdir(tmp_path)\n"
        '    subprocess.run([sys.executable, "-c", "print(1)"], check=True)\n'
        '    assert capfd.readouterr().out == "1\\n" and number == 7\n'
        "def test_bad():\n    assert False\n",
    )


def works(host, done):
    return done.out.startswith("1\n0\n") and "3 passed" in done.out and "1 failed" in done.out and "1 passed" in done.out
