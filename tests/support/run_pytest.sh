#!/bin/bash
# Runs pytest suites as an ordinary user, as root, or as the caller.
#
#   RINGWALL_BUILD=DIR tests/support/run_pytest.sh user|root|caller SUITE...
#
# SUITE is a path below the top of the repository, such as tests/promises; tests/corpora/run.py with its arguments is no
# pytest and runs by itself. A clone may lie below a
# folder that only root can enter, so binaries and tests are first copied into a folder that
# everybody can read. Exit status 77 means skipped: root is wanted and cannot be had.
set -euo pipefail

die() {
  echo "run_pytest: $*" >&2
  exit 1
}

[[ $# -ge 2 ]] || die "usage: run_pytest.sh user|root|caller SUITE..."
kind=$1
shift
: "${RINGWALL_BUILD:?names the build folder}"
top=$(cd "$(dirname "$0")/../.." && pwd)

# become: runs the tests as whom we want. as_root: prepares and removes what belongs to them.
become=()
as_root=()
owner=$(id -un)
case $kind in
  user)
    if [[ $(id -u) == 0 ]]; then
      owner=$("$top/tools/test_user.sh")
      become=(setpriv --reuid="$owner" --regid="$(id -g "$owner")" --init-groups --reset-env)
    fi
    ;;
  root)
    if [[ $(id -u) != 0 ]]; then
      if ! sudo -n true 2>/dev/null; then
        echo "SKIPPED: needs root"
        exit 77
      fi
      owner=root
      become=(sudo -n)
      as_root=(sudo -n)
    fi
    "${as_root[@]}" "$top/tools/test_user.sh" >/dev/null  # for acts that root must not do
    ;;
  caller) ;;
  *) die "unknown kind of user '$kind'" ;;
esac

# /tmp and not $TMPDIR, which may be private to the caller.
room=$(mktemp -d /tmp/ringwall-tests.XXXXXX)
umask 022
source "$top/tests/support/memory_disk.sh"
# A mount that a failed test left below must not lead the removal out of the folder.
remove_room() {
  if [[ $(id -u) == 0 ]] && mountpoint -q -- "$room"; then umount --lazy -- "$room"; fi
  "${as_root[@]}" rm -rf --one-file-system -- "$room"
}
trap remove_room EXIT
trap 'exit 130' INT TERM HUP
mount_memory_disk "$room" || true
mkdir -- "$room/bin" "$room/tools"
cp -- "$RINGWALL_BUILD/ringwall" "$room/bin/"
for program in "$RINGWALL_BUILD"/ringwall-*; do
  if [[ -f $program && -x $program ]]; then cp -- "$program" "$room/bin/"; fi
done
cp -R -- "$top/tests" "$room/tests"
cp -- "$top"/tests/support/*.py "$room/"  # where Python looks for a plugin
if [[ $1 == tests/docs* ]]; then
  mkdir -- "$room/docs"
  cp -- "$top"/docs/*.md "$room/docs/"
  cp -- "$top/README.md" "$top/CONTRIBUTING.md" "$room/"
fi
for script in "$top"/tools/demo*.sh; do cp -- "$script" "$room/tools/"; done
chmod -R a+rX -- "$room"
mkdir -m 700 -- "$room/home" "$room/tmp"
if [[ $owner != "$(id -un)" ]]; then
  "${as_root[@]}" chown -- "$owner:" "$room/home" "$room/tmp"
fi

# Tests of the network run in a network of their own.
around=()
if [[ $1 == tests/network* ]]; then around=(/usr/bin/python3 -B "$room/tests/network/in_lab.py"); fi
# Those of documents, in none.
if [[ $1 == tests/docs* ]]; then around=(/usr/bin/python3 -B "$room/tests/docs/without_network.py"); fi

# A test that hangs fails by itself, with the place where it waits; those that boot an emulated machine take their time.
limit=400
if [[ $1 == tests/guest* || $1 == tests/guard/test_older_kernel* ]]; then limit=1200; fi
program=(/usr/bin/python3 -m pytest -p no:cacheprovider -p turns -q -rsfE --tb=short --durations=30 --durations-min=4
  --timeout=$limit --timeout-method=signal)
if [[ $1 == *.py && $1 != */test_*.py ]]; then program=(/usr/bin/python3 -B); fi

# The environment is built, not inherited: a test must not pass or fail by what the caller had set,
# and state of the tests belongs below their own home. Only RINGWALL_* settings go through.
settings=()
# What tools/fetch_work_tools.sh has fetched for the work corpus, where whoever runs the tests can read it.
tools=${RINGWALL_WORK_TOOLS:-$top/build/work-tools}
if [[ $1 == tests/corpora/* && -e $tools/package.json ]]; then
  if ! "${become[@]}" test -r "$tools/package.json"; then
    cp -R -- "$tools" "$room/work-tools"
    tools=$room/work-tools
  fi
  export RINGWALL_WORK_TOOLS=$tools
fi
# Suites that run by themselves, and as root by sudo, find out for themselves.
shared=$("$top/tests/support/shared_place.sh" print)/$kind
if [[ -d $shared ]] && "${become[@]}" test -O "$shared"; then export RINGWALL_KNOWN_PROGRAMS=$shared; fi
for name in "${!RINGWALL_@}"; do settings+=("$name=${!name}"); done
cd -- "$room"
# Whoever starts us in the background may ignore what tests send.
run() {
  "${become[@]}" env --default-signal -i "${settings[@]}" \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    LANG=C.UTF-8 TERM="${TERM:-dumb}" SHELL=/bin/sh USER="$owner" LOGNAME="$owner" \
    HOME="$room/home" TMPDIR="$room/tmp" PYTHONDONTWRITEBYTECODE=1 \
    RINGWALL_BIN="$room/bin/ringwall" \
    RINGWALL_MUTANT_BIN="$room/bin/ringwall-mutant" \
    RINGWALL_PROBE_BIN="$room/bin/ringwall-probe" \
    "$@"
}

# A test that failed beside others is tried once more while no other runs, and named; several are no accident.
most_second_tries=3
status=0
run RINGWALL_FAILED_LIST="$room/tmp/failed" "${around[@]}" "${program[@]}" "$@" || status=$?
if [[ $status == 1 && -e $room/tmp/failed ]]; then
  mapfile -t failed < <("${as_root[@]}" sort -u -- "$room/tmp/failed")
  if [[ ${#failed[@]} -le $most_second_tries ]]; then
    for test in "${failed[@]}"; do echo "SECOND TRY, ALONE: $kind ${test#"$room/"}"; done
    status=0
    run RINGWALL_TESTS_ALONE=1 "${around[@]}" "${program[@]}" "${failed[@]}" || status=$?
  fi
fi
exit "$status"
