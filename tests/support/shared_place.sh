#!/bin/bash
# Where suites of one user keep what each would have to find out anew (known_programs.py).
#
#   RINGWALL_BUILD=DIR tests/support/shared_place.sh make|remove|print
#
# Below /tmp, since a clone may lie where an ordinary user cannot enter; the name is the build folder's.
set -euo pipefail

: "${RINGWALL_BUILD:?names the build folder}"
top=$(cd "$(dirname "$0")/../.." && pwd)
place=/tmp/ringwall-shared-$(id -u)-$(stat -c %d-%i -- "$RINGWALL_BUILD")

case ${1:-} in
  print) echo "$place" ;;
  remove) rm -rf --one-file-system -- "$place" ;;
  make)
    rm -rf --one-file-system -- "$place"
    mkdir -m 755 -- "$place" # fails where somebody else has made it
    mkdir -m 700 -- "$place/user" "$place/root"
    if [[ $(id -u) == 0 ]]; then chown -- "$("$top/tools/test_user.sh"):" "$place/user"; fi
    ;;
  *)
    echo "usage: shared_place.sh make|remove|print" >&2
    exit 1
    ;;
esac
