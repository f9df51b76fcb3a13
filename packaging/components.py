"""What of others' work is linked into the programs: the package it is taken from, and its licence."""

import subprocess

# Debian's package, SPDX's name of the licence, what it is for.
COMPONENTS = [
    ("libboost-json1.81-dev", "BSL-1.0", "JSON"),
    ("libtomlplusplus-dev", "MIT", "policy files"),
    ("libcli11-dev", "BSD-3-Clause", "command lines"),
    ("libssl-dev", "Apache-2.0", "SHA-256, and TLS in ringwall-advisor"),
    ("libvterm-dev", "MIT", "the screen of a terminal"),
    ("libtree-sitter-dev", "MIT", "shell commands"),
    ("libdtl-dev", "BSD-3-Clause", "differences of texts"),
    ("libbpf-dev", "LGPL-2.1-only OR BSD-2-Clause", "in ringwall-guard"),
    ("libelf-dev", "GPL-2.0-or-later OR LGPL-3.0-or-later", "in ringwall-guard"),
    ("zlib1g-dev", "Zlib", "in ringwall-guard"),
    ("libstdc++-12-dev", "GPL-3.0-or-later WITH GCC-exception-3.1", "the C++ library"),
]
GRAMMAR = ("tree-sitter-bash", "MIT", "the grammar of shell commands")


def version_of(package):
    words = ["dpkg-query", "-W", "-f", "${Version}", package]
    done = subprocess.run(words, capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else ""


def with_versions():
    """(package, version, licence, use); one that is not installed was built from elsewhere, and has none."""
    return [(name, version_of(name), licence, use) for name, licence, use in COMPONENTS]
