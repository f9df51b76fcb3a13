"""Who plants again and again, and who only works: what each of them meets."""

import textwrap

PATIENCE = "import os, time\n" + textwrap.dedent("""
    def wait(happened):
        end = time.monotonic() + 60
        while not happened() and time.monotonic() < end: time.sleep(0.0005)
        return happened()
""")


def lines(text):
    return PATIENCE + textwrap.dedent(text)


def test_who_makes_many_packages_is_not_ended(ringwall, place):
    """Each with settings of an editor, one after the other: every one is taken, and the work goes on."""
    script = lines("""
        for n in range(25):
            os.makedirs(f"packages/p{n}/src")
            open(f"packages/p{n}/src/index.js", "w").write("x")
            os.mkdir(f"packages/p{n}/.vscode")
            assert wait(lambda: not os.path.exists(f"packages/p{n}/.vscode")), n
        print("done")
    """)
    result = ringwall.python(script)
    assert result.status == 0 and result.out == "done\n", result
    assert len(list(place.work.glob("packages/*/src/index.js"))) == 25
    assert not list(place.work.glob("packages/*/.vscode"))
    assert "took away 15 more files that are protected" in result.err


def test_a_large_folder_moved_to_and_fro_keeps_nobody_from_looking(ringwall, place):
    """A plant beside it is found while the moving goes on, and so is one in a folder that is new below it."""
    script = lines("""
        for n in range(5000): os.makedirs(f"a/{n % 500}/{n}")
        def flip(name, most):
            "How often, until what was planted is gone."
            for n in range(most):
                os.rename("a", "b")
                os.rename("b", "a")
                if not os.path.lexists(name): return True
            return False
        def plant(name):
            open(name, "w").write("x")
            return flip(name, 200_000)
        print(plant(".envrc"))
        os.makedirs("a/7/new/folder")
        print(plant("a/7/new/folder/.envrc"))
    """)
    result = ringwall.python(script, timeout=300)
    assert result.out == "True\nTrue\n", result


def test_what_is_written_by_a_mapping_is_seen(ringwall, place):
    """The kernel does not tell of it while the mapping is there."""
    script = lines("""
        import mmap, subprocess, sys
        subprocess.run(["git", "init", "-q", "vendor"], check=True)
        time.sleep(0.3)  # so that it was looked at before
        config = os.open("vendor/.git/config", os.O_RDWR)
        if sys.argv[1:] == ["at once"]: os.ftruncate(config, 4096)
        memory = mmap.mmap(config, 0)
        os.close(config)
        time.sleep(0.3)
        text = b"[core]\\n\\tfsmonitor = x\\n"
        memory[:] = text + (len(memory) - len(text)) * b"\\n"
        print(wait(lambda: not os.path.exists("vendor/.git/config")))
    """)
    for words in ([], ["at once"]):
        result = ringwall("run", "--", "/usr/bin/python3", "-c", script, *words, timeout=120)
        assert result.out == "True\n" and "took away" in result.err, result


def test_a_file_that_stays_open_for_writing_may_stay(ringwall, place):
    script = lines("""
        import subprocess
        subprocess.run(["git", "init", "-q", "vendor"], check=True)
        config = os.open("vendor/.git/config", os.O_RDWR)
        time.sleep(0.3)
        subprocess.run(["git", "-C", "vendor", "config", "user.name", "x"], check=True)
        print(os.path.exists("vendor/.git/config"))
    """)
    result = ringwall.python(script)
    assert result.out == "True\n" and "took away" not in result.err, result
    assert "name = x" in (place.work / "vendor/.git/config").read_text()
