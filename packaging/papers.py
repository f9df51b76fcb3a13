#!/usr/bin/env python3
"""Writes the papers of a package: its copyright and its changelog.

    packaging/papers.py RINGWALL PACKAGING FOLDER
"""

import datetime
import email.utils
import gzip
import json
import pathlib
import subprocess
import sys

from components import GRAMMAR, with_versions


def main():
    program, packaging, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    facts = json.loads(subprocess.run([program, "version", "--json"], capture_output=True, check=True).stdout)
    rows = [(name, licence, use) for name, _, licence, use in with_versions()] + [GRAMMAR]
    text = (packaging / "copyright").read_text(encoding="utf-8")
    text += "".join(f"  {name:<24}{licence}\n{'':<26}{use}\n" for name, licence, use in rows)
    (folder / "copyright").write_text(text, encoding="utf-8")
    when = datetime.datetime.fromisoformat(facts["committed"] or "1970-01-01T00:00:00+00:00")
    changes = (
        f"ringwall ({facts['version']}) unstable; urgency=medium\n\n"
        f"  * Built from the commit {facts['commit'] or 'of an archive'}.\n\n"
        f" -- The Ringwall authors <ringwall@example.org>  {email.utils.format_datetime(when)}\n"
    )
    with open(folder / "changelog.gz", "wb") as file:
        file.write(gzip.compress(changes.encode(), 9, mtime=0))


if __name__ == "__main__":
    main()
