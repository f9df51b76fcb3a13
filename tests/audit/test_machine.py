"""`ringwall audit`: every check in both directions, --fix, and input made to break it."""

import json
import subprocess

import pytest
from conftest import IS_ROOT
from home import TOKEN, build
from homes import CLEAN, HOMES
from machine_pairs import ELSEWHERE, PAIRS

ORDER = ["info", "low", "medium", "high", "critical"]


def audit(ringwall, *options, **more):
    """The report, and that the exit status says the same."""
    result = ringwall("audit", "--json", *options, **more)
    assert result.status in (0, 1) and result.err == "", result
    report = json.loads(result.out)
    grave = [one for one in report["findings"] if one["severity"] != "info"]
    assert result.status == (1 if grave else 0), result
    return report["findings"]


def numbers(findings):
    return {one["number"] for one in findings}


def fix(ringwall, place, *options):
    """What --fix says to people, and the report that follows."""
    process = ringwall.start("audit", "--fix", "--json", *options)
    out, err = process.communicate(timeout=60)
    assert process.returncode in (0, 1), (out, err)
    return err.decode(), json.loads(out)["findings"]


def clear(place):
    """An empty home again."""
    subprocess.run(["rm", "-rf", "--", str(place.home)], check=True)
    place.home.mkdir()
    place.work.mkdir()


def test_every_check_has_a_pair():
    tried = {number for number, *_ in PAIRS} | ELSEWHERE
    assert tried == {f"RW{number}" for number in range(100, 200)}


@pytest.mark.parametrize(
    "number,severity,weak,strong,fixed", [pytest.param(*pair, id=f"{pair[0]}-{at}") for at, pair in enumerate(PAIRS)]
)
def test_both_directions(ringwall, place, number, severity, weak, strong, fixed):
    build(place, weak)
    found = [one for one in audit(ringwall) if one["number"] == number]
    assert found, "not found"
    assert {one["severity"] for one in found} == {severity}
    assert all(one["path"] and one["seen"] and one["fix"] and one["danger"] for one in found)
    if fixed:
        fix(ringwall, place)
        assert number not in numbers(audit(ringwall))
    clear(place)
    build(place, strong)
    assert number not in numbers(audit(ringwall))


def test_there_are_thirty_homes():
    assert len(HOMES) >= 30
    assert len({name for name, *_ in HOMES}) == len(HOMES)


@pytest.mark.parametrize("expected,files,after", [pytest.param(*rest, id=name.split(":")[0]) for name, *rest in HOMES])
def test_published_shapes(ringwall, place, expected, files, after):
    build(place, files)
    found = audit(ringwall)
    severities = {one["number"]: one["severity"] for one in found}
    assert {number: severities.get(number) for number in expected} == expected
    if after == "fix":
        fix(ringwall, place)
    else:
        build(place, after)
    left = numbers(audit(ringwall)) & set(expected)
    assert left == set()


@pytest.mark.parametrize("files", [pytest.param(files, id=name) for name, files in CLEAN])
def test_clean_homes(ringwall, place, files):
    build(place, files)
    assert [one for one in audit(ringwall) if one["severity"] != "info"] == []


@pytest.mark.parametrize("files", [pytest.param(files, id=name) for name, files in CLEAN])
def test_fix_leaves_a_clean_home_alone(ringwall, place, files):
    build(place, files)
    before = place.home_listing()
    said, _ = fix(ringwall, place)
    assert "nothing here can be mended" in said
    assert place.home_listing() == before


def test_the_line_is_told(ringwall, place):
    build(place, {"~/.claude/settings.json": '{\n  // x\n  "sandbox": {\n    "enabled": true,\n    "enableWeakerNestedSandbox": true\n  }\n}\n'})
    weak = [one for one in audit(ringwall) if one["number"] == "RW104"]
    assert [one["line"] for one in weak] == [5]
    assert weak[0]["path"] == str(place.home / ".claude/settings.json")


def test_secrets_are_not_shown(ringwall, place):
    build(place, {"~/.zshrc": f"export GITHUB_TOKEN={TOKEN}\n", "~/.cursor/mcp.json": {"mcpServers": {"a": {"command": "/usr/bin/a", "args": [TOKEN]}}}})
    for form in ("--json", "--sarif"):
        result = ringwall("audit", form)
        assert "RW179" in result.out and "RW157" in result.out
        assert TOKEN not in result.out
    assert TOKEN not in ringwall("audit").out


def test_managed_settings(ringwall, place, bare):
    """Root's files in /etc, in a mount namespace of the test's own."""
    if not IS_ROOT:
        pytest.skip("only root can prepare this")
    managed = place.root / "managed"
    managed.mkdir(mode=0o755)
    (managed / "managed-settings.json").write_text(json.dumps({"enableAllProjectMcpServers": True}))
    (managed / "managed-settings.json").chmod(0o646)
    # A copy of /etc: others on this host must not meet a folder that comes and goes.
    script = (
        "set -e; mount -t tmpfs none /mnt; cp -a /etc /mnt; mount --bind /mnt/etc /etc; umount -l /mnt; "
        f'mkdir -p /etc/claude-code; mount --bind {managed} /etc/claude-code; exec "$@"'
    )
    prefix = ["unshare", "-m", "--propagation", "private", "sh", "-c", script, "sh"]
    out, err = ringwall.start("audit", "--json", prefix=prefix).communicate(timeout=60)
    found = {(one["number"], one["path"]) for one in json.loads(out)["findings"]}
    assert ("RW115", "/etc/claude-code/managed-settings.json") in found, err
    assert ("RW130", "/etc/claude-code/managed-settings.json") in found
    assert ("RW100", "/etc/claude-code/managed-settings.json") in found
    assert numbers(audit(ringwall)) & {"RW100", "RW115"} == set()


def test_inside_a_run(ringwall, place):
    """It says what it can see there, and does not fail."""
    build(place, {"./.claude/settings.json": {"permissions": {"defaultMode": "bypassPermissions"}}})
    result = ringwall("run", "--ro", str(place.root / "bin"), "--", place.named(ringwall.path), "audit", "--json")
    assert "RW110" in result.out, result
    refused = ringwall("run", "--ro", str(place.root / "bin"), "--", place.named(ringwall.path), "audit", "--fix")
    assert refused.status == 125 and "outside the run" in refused.err, refused


def test_links_out_of_the_project_are_not_followed(ringwall, place):
    build(place, {"~/private/env": "GEMINI_SANDBOX=false\n", "./sub/env": "GEMINI_SANDBOX=false\n"})
    (place.work / ".env").symlink_to(place.home / "private/env")
    found = audit(ringwall)
    assert "RW180" not in numbers(found)
    assert [one["seen"] for one in found if one["number"] == "RW129"] == ["it is a link that leads out of the project"]
    (place.work / ".env").unlink()
    (place.work / ".env").symlink_to("sub/env")
    assert numbers(audit(ringwall)) == {"RW180"}


def test_variables_that_move_settings(ringwall, place):
    build(place, {"~/elsewhere/config.toml": 'approval_policy = "never"\n'})
    assert "RW122" not in numbers(audit(ringwall))
    assert "RW122" in numbers(audit(ringwall, env={"CODEX_HOME": str(place.home / "elsewhere")}))


def test_the_project_is_the_repository_around(ringwall, place):
    build(place, {"./.git/HEAD": "ref: refs/heads/main\n", "./.claude/settings.json": {"apiKeyHelper": "./x"}})
    below = place.work / "src/deep"
    below.mkdir(parents=True)
    assert "RW119" in numbers(audit(ringwall, cwd=below))
    assert "RW119" not in numbers(audit(ringwall, cwd=place.home))
