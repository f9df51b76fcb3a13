#!/bin/bash
# Builds the archive twice, in two folders with different names, and compares the bytes.
#   packaging/reproduce.sh
set -euo pipefail

top=$(cd "$(dirname "$0")/.." && pwd)
commit=$(git -C "$top" -c safe.directory='*' rev-parse HEAD)  # whatever is committed meanwhile
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
for name in one another-place; do
  git -c safe.directory='*' clone -q --no-checkout "$top" "$room/$name"
  git -C "$room/$name" checkout -q "$commit"
  cmake -G Ninja -B "$room/$name/out" -S "$room/$name" -DRINGWALL_TESTS=OFF --log-level=WARNING >/dev/null
  echo "building in $name …" >&2
  ninja -C "$room/$name/out" ringwall ringwall-guard ringwall-advisor papers >/dev/null
  "$room/$name/packaging/tarball.sh" "$room/$name/out" "$room/$name.tar.gz"
done
cmp "$room/one.tar.gz" "$room/another-place.tar.gz"
sha256sum "$room/one.tar.gz" | sed 's/ .*/  the same bytes twice/'
