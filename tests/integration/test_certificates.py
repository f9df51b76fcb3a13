"""Variables that name certificates bring the files they name, and never a key."""

import pytest

CERTIFICATE = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"
KEY = "-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n"


@pytest.fixture
def bundle(place):
    folder = place.home / "company"
    folder.mkdir()
    (folder / "ca.pem").write_text(CERTIFICATE)
    return folder / "ca.pem"


@pytest.mark.parametrize("name", ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "GIT_SSL_CAINFO"])
def test_a_certificate_comes_with_its_variable(ringwall, place, bundle, name):
    script = f'cat "${name}"; echo x >> "${name}" || echo NO'
    for flags, env in [(["--env", name], {name: str(bundle)}), (["--env", f"{name}={bundle}"], {})]:
        assert ringwall.sh(script, *flags, env=env).out == CERTIFICATE + "NO\n"
    # Without its variable the file is not there.
    assert ringwall.sh(f"cat {bundle} 2>/dev/null || echo NONE").ok() == "NONE"
    mounts = ringwall.plan("--env", name, env={name: str(bundle)})["mounts"]
    reason = next(mount["reason"] for mount in mounts if mount["path"] == str(bundle))
    assert reason == f"named by {name} (--env)"


def test_a_folder_of_certificates(ringwall, place, bundle):
    flags = ["--env", f"SSL_CERT_DIR={bundle.parent}:/etc/ssl/certs"]
    assert ringwall.sh(f"cat {bundle}", *flags).out == CERTIFICATE
    (bundle.parent / "key.pem").write_text(KEY)
    ringwall.sh("echo RAN", *flags).refused("key.pem", "private key", "SSL_CERT_DIR (--env)")


@pytest.mark.parametrize("content, told", [(CERTIFICATE + KEY, "private key"), ("x", "no certificate")])
def test_what_is_no_certificate_stays_out(ringwall, place, bundle, content, told):
    bundle.write_text(content)
    env = {"SSL_CERT_FILE": str(bundle)}
    ringwall.sh("echo RAN", "--env", "SSL_CERT_FILE", env=env).refused(str(bundle), told)


@pytest.mark.parametrize("value, told", [("ca.pem", "absolute"), ("/none/ca.pem", "cannot open"), ("/dev/zero", "not a file")])
def test_a_certificate_that_cannot_be_had(ringwall, value, told):
    ringwall.sh("echo RAN", "--env", f"SSL_CERT_FILE={value}").refused(told)


def test_the_last_word_counts(ringwall, place, bundle):
    """What is set again is not what the first value named."""
    flags = ["--env", "SSL_CERT_FILE", "--set", "SSL_CERT_FILE=/none", "--set", f"SSL_CERT_FILE={bundle}"]
    assert ringwall.sh("cat $SSL_CERT_FILE", *flags, env={"SSL_CERT_FILE": "/also/none"}).out == CERTIFICATE
