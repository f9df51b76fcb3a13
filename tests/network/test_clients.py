"""Programs of every kind reach a granted name, and none of them knows of a proxy."""

import pytest

import clients
from lab import names


@pytest.mark.parametrize("name", clients.NAMES)
def test_a_client_works(lab, kit, ringwall, name):
    client = clients.named(name, lab, kit)
    env = {"NODE_EXTRA_CA_CERTS": lab.certificate}
    result = ringwall.sh(client.script, *client.flags(), env=env, timeout=120)
    assert result.status == 0 and client.sign in result.out, result
    said = result.err.splitlines()
    told = "the run made the git repository" in result.err and len(said) == 2  # with its advice
    assert told if name.startswith("git-") else said == [], result
    host = client.allow.partition(":")[0]
    assert set(lab.asked()) == {host}, "only the granted name was asked for"


@pytest.mark.parametrize("name", clients.NAMES)
def test_the_same_client_fails_without_its_grant(lab, kit, ringwall, name):
    client = clients.named(name, lab, kit)
    env = {"NODE_EXTRA_CA_CERTS": lab.certificate}
    flags = ["--allow", names.full("api"), *client.options]
    result = ringwall.sh(client.script, *flags, env=env, timeout=120)
    assert result.status != 0 and client.sign not in result.out, result
    lab.nothing_left()
    assert client.allow.partition(":")[0] in result.err, result


def test_there_are_no_proxy_variables(lab, ringwall):
    """Neither the person's nor any of our own."""
    env = {"HTTPS_PROXY": "http://127.0.0.1:9", "no_proxy": "x"}
    script = f"env | grep -i proxy; curl -sS https://{names.full('www')}/"
    out = ringwall.sh(script, "--allow", names.full("www"), env=env).out
    assert "roxy" not in out and names.full("www") in out


def test_git_pushes_over_https(lab, kit, ringwall):
    """More goes up than down, and it is chunked."""
    url = f"https://{names.full('git')}/git/thing.git"
    script = f"""set -e
git clone -q {url} pushed && cd pushed
head -c 3000000 /dev/urandom >big && git add big
git -c user.name=a -c user.email=a@b.c commit -q -m big && git push -q origin HEAD:refs/heads/pushed
git ls-remote {url} refs/heads/pushed | wc -l"""
    result = ringwall.sh(script, "--allow", names.full("git"), timeout=120)
    assert result.status == 0 and result.out.strip() == "1", result


def test_a_big_download_is_whole(lab, ringwall):
    script = f"curl -sS https://{names.full('www')}/bytes/50000000 | sha256sum"
    digest = ringwall.sh(script, "--allow", names.full("www"), timeout=120).out
    block = "import hashlib; b = hashlib.sha256(b'block').digest() * 2048; n = 50000000\n"
    block += "print(hashlib.sha256((b * (n // len(b) + 1))[:n]).hexdigest())"
    assert digest.split()[0] == ringwall.python(block).ok()


def test_a_big_upload_is_whole(lab, ringwall, place):
    (place.work / "data").write_bytes(bytes(range(256)) * 80_000)
    url = f"https://{names.full('www')}/up"
    script = f"curl -sS -T data {url} && sha256sum data"
    result = ringwall.sh(script, "--allow", names.full("www"), timeout=120)
    assert '"received": 20480000' in result.out, result
    assert result.out.splitlines()[-1].split()[0] in result.out.splitlines()[0]
