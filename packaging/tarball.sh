#!/bin/bash
# Packs an installation that runs anywhere with a C library of 2022: bin/, libexec/, share/ in one folder.
# The same sources give the same bytes.
#   packaging/tarball.sh BUILD FILE
set -euo pipefail

build=$1
file=$2
version=$("$build/ringwall" version | cut -d' ' -f2)
when=$("$build/ringwall" version --json | sed -n 's/.*"committed":"\([^"]*\)".*/\1/p')
name=ringwall-$version-x86_64-linux

room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
DESTDIR='' cmake --install "$build" --prefix "$room/$name" >/dev/null
# A service needs the place where it is unpacked, which nobody knows yet.
rm -r "${room:?}/$name/lib"
tar --sort=name --mtime="${when:-@0}" --owner=0 --group=0 --numeric-owner --mode=go=rX,u+rw \
  -C "$room" -cf - "$name" | gzip -9n >"$file"
