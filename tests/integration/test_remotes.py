"""Where git of the host pushes to: a run may add remotes, and leads nothing of the person's to them."""

import subprocess

import pytest

LEAD = "git config branch.{0}.remote up && git config branch.{0}.merge refs/heads/{0}"


@pytest.fixture
def git(place):
    (place.home / ".gitconfig").write_text("[user]\n\tname = Person\n\temail = p@example.org\n")

    def git(*words, check=True, folder=place.work):
        return subprocess.run(["git", *words], cwd=folder, env=place.environment(), check=check, capture_output=True, text=True).stdout

    git("init", "-q", "-b", "main", ".")
    git("commit", "-q", "--allow-empty", "-m", "one")
    git("branch", "mine")
    return git


def test_a_new_remote_is_told_and_new_branches_may_track_it(ringwall, git):
    result = ringwall.sh("git remote add up https://example.org/fork && git checkout -q -b new && " + LEAD.format("new"))
    assert result.status == 0, result
    assert "added the git remote up: https://example.org/fork" in result.err and "git remote remove up" in result.err
    assert git("config", "branch.new.remote").strip() == "up"


@pytest.mark.parametrize("branch", ["main", "mine"])
def test_a_branch_of_the_start_is_not_led_to_it_in_one_run_or_in_two(ringwall, bare, git, branch):
    result = ringwall.sh("git remote add up https://example.org/fork; " + LEAD.format(branch))
    assert result.status != 0 and f"branch.{branch}.remote" in result.err
    result = ringwall.sh(LEAD.format(branch))
    assert result.status != 0 and "a remote that a run has added" in result.err
    assert git("config", f"branch.{branch}.remote", check=False) == ""
    assert bare("sh", "-c", LEAD.format(branch)).status == 0


def test_a_branch_of_the_start_may_track_the_persons_remote(ringwall, git):
    git("remote", "add", "up", "https://example.org/mine")
    ringwall.sh(LEAD.format("mine")).ok()
    assert git("config", "branch.mine.remote").strip() == "up"


def test_once_the_person_leads_it_elsewhere_it_is_the_persons(ringwall, git):
    assert ringwall.sh("git remote add up https://example.org/fork").status == 0
    git("remote", "set-url", "up", "https://example.org/mine")
    ringwall.sh(LEAD.format("mine")).ok()


def test_a_remote_that_git_takes_by_itself_is_not_added(ringwall, bare, place, git):
    act = "git remote add {0} https://example.org/fork"
    assert ringwall.sh(act.format("origin")).status == 0
    git("remote", "remove", "origin")
    git("remote", "add", "github", "https://example.org/mine")
    git("config", "--file", str(place.home / ".gitconfig"), "remote.pushDefault", "mine")
    for name in ("origin", "mine"):
        result = ringwall.sh(act.format(name))
        assert result.status != 0 and f"remote.{name}.url" in result.err, result
    result = ringwall.sh("git config push.default current")
    assert result.status != 0 and "push.default" in result.err, result
    assert ringwall.sh(act.format("fork")).status == 0
    assert git("remote").split() == ["fork", "github"]
    assert bare("sh", "-c", act.format("origin")).status == 0


def test_a_remote_of_the_run_can_be_renamed(ringwall, git):
    assert ringwall.sh("git remote add a https://example.org/fork && git remote rename a b").status == 0
    assert git("config", "remote.b.fetch").strip() == "+refs/heads/*:refs/remotes/b/*"


def test_no_added_remote_goes_unheard(ringwall, git):
    """However many others there were to tell before; what is not told one by one is counted, and recorded."""
    many = "for n in 1 2 3 4 5 6 7 8 9 10 11 12; do git config alias.a$n '!id'; done"
    result = ringwall.sh(many + "; git remote add fork https://example.org/evil")
    assert "added the git remote fork: https://example.org/evil" in result.err
    adds = "for n in 1 2 3 4 5 6 7 8 9 10 11 12; do git remote add r$n https://example.org/$n; done"
    result = ringwall.sh(adds)
    assert "the run gave git 2 more addresses" in result.err
    assert result.err.count("added the git remote") == 10
    assert ringwall("log").ok().count("https://example.org/12") == 1


def test_where_a_submodule_is_fetched_from_is_told(ringwall, place, git):
    (place.work / ".gitmodules").write_text('[submodule "sub"]\n\tpath = sub\n\turl = https://example.org/sub\n')
    result = ringwall.sh("git config submodule.sub.url https://example.org/evil")
    assert "fetch the submodule sub from https://example.org/evil" in result.err
    git("config", "--unset", "submodule.sub.url")
    assert ringwall.sh("git config submodule.sub.url https://example.org/sub").err == ""


def test_a_branch_that_becomes_another_name_is_told(ringwall, git):
    git("symbolic-ref", "refs/heads/always", "refs/heads/mine")
    result = ringwall.sh("git branch main-1; git symbolic-ref refs/heads/main refs/heads/main-1; git symbolic-ref refs/heads/new refs/heads/mine")
    assert "made the branch main another name of refs/heads/main-1" in result.err
    assert result.err.count("another name") == 1
    assert ringwall.sh("git commit -q --allow-empty -m two").err == ""


@pytest.mark.parametrize("made", ["mkfifo .gitmodules", "ln -s /dev/zero .gitmodules", "mkdir .gitmodules"])
def test_no_list_of_submodules_holds_up_a_start(ringwall, place, git, made):
    subprocess.run(made, shell=True, cwd=place.work, check=True)
    assert "from https://example.org/sub" in ringwall.sh("git config submodule.sub.url https://example.org/sub").err


PLACES = ["/srv/up.git", "../up.git", "file:///srv/up.git", "$PWD/.git/objects/up.git", "$PWD/link/up.git", "/proc/self/root/tmp/up.git"]


@pytest.mark.parametrize("address", PLACES)
def test_a_path_leads_only_into_the_granted_folders(ringwall, bare, place, git, address):
    act = f'ln -sfn /srv link; git remote add up "{address}"'
    result = ringwall.sh(act)
    assert result.status != 0 and "remote.up.url" in result.err
    assert "up" not in git("remote").split()
    assert bare("sh", "-c", act).status == 0


def test_a_repository_in_the_workspace_can_be_pushed_to(ringwall, git):
    assert ringwall.sh('git init -q --bare d/up.git && git remote add up "$PWD/d/up.git" && git push -q up main && git clone -q -b main d/up.git copy').status == 0
    git("push", "-q", "up", "mine")


def test_a_relative_path_leads_into_the_workspace(ringwall, git):
    assert ringwall.sh("git init -q --bare up.git && git remote add up up.git && git push -q up main").status == 0
    git("push", "-q", "up", "mine")


def test_a_link_does_not_take_its_place(ringwall, bare, place, git):
    assert ringwall.sh('git remote add up "$PWD/d/up"').status == 0
    for link in ("d", "d/up", "d/up.git"):
        act = f"rm -rf d; mkdir -p $(dirname {link}); ln -s /srv {link}; sleep 0.3"
        result = ringwall.sh(act)
        assert "quarantine" in result.err, result
        assert not (place.work / link).is_symlink()
    assert bare("sh", "-c", act).status == 0 and (place.work / link).is_symlink()
    (place.work / link).unlink()
    result = ringwall.sh("ln -s /srv e && ln -s /srv d/other && sleep 0.3 && test -L e && test -L d/other")
    assert result.status == 0 and "quarantine" not in result.err, result


def test_a_link_of_the_start_stays_unless_it_leads_elsewhere(ringwall, place, git):
    (place.work / "real").mkdir()
    (place.work / "d").symlink_to("real")
    git("remote", "add", "up", str(place.work / "d/up"))
    result = ringwall.sh("git init -q --bare d/up; ln -s /srv d/other; sleep 0.3")
    assert result.status == 0 and "quarantine" not in result.err, result
    assert (place.work / "d").readlink() == (place.work / "real").relative_to(place.work)
    result = ringwall.sh("ln -sfn /srv d; sleep 0.3")
    assert "quarantine" in result.err and not (place.work / "d").is_symlink(), result


def test_a_link_that_a_killed_run_has_left_is_taken_away(ringwall, place, git):
    git("remote", "add", "up", str(place.work / "d/up"))
    (place.work / "e").symlink_to("/srv")
    git("remote", "add", "mine", str(place.work / "e/mine"))
    process = ringwall.start("run", "--name", "left", "--", "sh", "-c", "echo up; sleep 300")
    assert process.stdout.readline() == b"up\n"
    process.kill()
    process.communicate()
    place.wait_until_gone()
    (place.work / "d").symlink_to("/srv")
    result = ringwall("run", "true")
    assert result.status == 0 and "quarantine" in result.err, result
    assert not (place.work / "d").is_symlink() and (place.work / "e").is_symlink()


def test_a_remote_of_a_review_waits_for_its_name(ringwall, git):
    result = ringwall("run", "--review", "--name", "one", "--", "sh", "-c", "git remote add up https://example.org/fork; touch a")
    assert "runs outside later" in result.err and "adds the git remote up: https://example.org/fork" in result.err
    ringwall("apply", "one")
    assert "up" not in git("remote").split()
    ringwall("apply", "one", "--", ".git/config")
    assert "up" in git("remote").split()


def test_a_branch_of_the_start_is_led_elsewhere_in_a_review_only_by_name(ringwall, git):
    git("remote", "add", "up", "https://example.org/mine")
    result = ringwall("run", "--review", "--name", "one", "--", "sh", "-c", LEAD.format("mine"))
    assert "changes the remote of the branch mine" in result.err
    ringwall("discard", "one")
    result = ringwall("run", "--review", "--name", "two", "--", "sh", "-c", "git checkout -q -b new; " + LEAD.format("new"))
    assert "runs outside later" not in result.err, result


MADE = {
    "by git init": ("git init -q sub; git -C sub remote add up {0}", "sub", "up"),
    "by git clone": ("git init -q --bare x.git; git clone -q x.git sub 2>&-; git -C sub remote set-url origin {0}", "sub", "origin"),
    "without a working tree": ("git init -q --bare sub.git; git config --file sub.git/config remote.up.url {0}", "sub.git", "up"),
    "as what pushes go to": ("git init -q sub; git -C sub config remote.up.pushurl {0}", "sub", "up"),
}


@pytest.mark.parametrize("way", MADE)
def test_where_a_repository_of_the_run_pushes_to_is_told(ringwall, bare, place, git, way):
    """Who commits in that folder later, and pushes, sends it there."""
    act, folder, name = MADE[way]
    act = act.format("https://example.org/evil")
    result = ringwall.sh(act)
    assert result.status == 0 and f"made the git repository {place.work}/{folder} with the remote {name}: https://example.org/evil" in result.err, result
    assert result.err.count("example.org/evil") == 1 and "quarantine" not in result.err
    assert "https://example.org/evil" in git("remote", "-v", folder=place.work / folder)
    assert ringwall("log").ok().count(f"with the remote {name}: https://example.org/evil") == 1
    # It is there at the next start, and told no more.
    assert "example.org" not in ringwall.sh("true").err


def test_where_the_person_pushes_anyway_and_what_stays_here_is_not_told(ringwall, git):
    git("remote", "add", "mine", "https://example.org/mine")
    result = ringwall.sh("git init -q sub && git -C sub remote add a https://example.org/mine && git -C sub remote add b ../up.git && git clone -q . copy")
    assert result.status == 0 and result.err == "", result


@pytest.mark.parametrize("address", ["../../up.git", *(place for place in PLACES if place != "../up.git")])
def test_a_repository_of_the_run_leads_to_no_path_elsewhere(ringwall, bare, place, git, address):
    act = f'ln -sfn /srv link; git init -q sub && git -C sub remote add up "{address}"'
    # Git may write the rest of the remote anew, without its address.
    result = ringwall.sh(act + "; for n in $(seq 100); do grep -q up.git sub/.git/config 2>&- || break; sleep 0.05; done; grep up.git sub/.git/config")
    assert "quarantine" in result.err and result.out == "", result
    assert bare("sh", "-c", "rm -rf sub; " + act).status == 0


def test_no_remote_of_a_repository_of_the_run_goes_unheard(ringwall, git):
    result = ringwall.sh("for n in 1 2 3 4 5 6 7 8 9 10 11 12; do git init -q s$n; git -C s$n remote add up https://example.org/$n; done")
    assert "the run gave git 2 more addresses" in result.err and result.err.count("with the remote up") == 10, result
    assert ringwall("log").ok().count("https://example.org/12") == 1


def test_what_is_prepared_for_a_submodule_is_told(ringwall, bare, place, git):
    """git submodule update takes what lies there for the submodule, whatever .gitmodules says."""
    (place.work / ".gitmodules").write_text('[submodule "sub"]\n\tpath = sub\n\turl = https://example.org/sub\n')
    act = "rm -rf .git/modules; git init -q --bare .git/modules/sub && git config --file .git/modules/sub/config remote.origin.url {0}"
    result = ringwall.sh(act.format("https://example.org/evil"))
    assert f"made {place.work}/.git/modules/sub with the git remote origin: https://example.org/evil; git submodule update takes it" in result.err, result
    subprocess.run(["rm", "-rf", place.work / ".git/modules"], check=True)
    assert ringwall.sh(act.format("https://example.org/sub")).err == ""


def test_remotes_that_a_killed_run_has_made_are_told(ringwall, place, git):
    process = ringwall.start("run", "--name", "left", "--", "sh", "-c", "echo up; sleep 300")
    assert process.stdout.readline() == b"up\n"
    process.kill()
    process.communicate()
    place.wait_until_gone()
    git("init", "-q", "sub")
    git("remote", "add", "up", "https://example.org/evil", folder=place.work / "sub")
    result = ringwall("run", "true")
    assert result.status == 0 and f"made the git repository {place.work}/sub with the remote up: https://example.org/evil" in result.err, result
    assert ringwall("run", "true").err == ""
