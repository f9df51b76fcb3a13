#!/bin/bash
# Runs the unit tests. What failed beside other suites is tried once more, alone (docs/decisions/0022); what root cannot
# be kept from, and so skips, is run as an ordinary user too.
#
#   tests/support/run_unit.sh UNIT-TESTS
set -uo pipefail

program=$(realpath -- "$1")
# Root can have a /tmp in memory, in a mount namespace of its own, unless what is tested lies there.
if [[ $(id -u) == 0 && $program != /tmp/* && -z ${RINGWALL_OWN_TMP:-} ]]; then
  RINGWALL_OWN_TMP=yes exec unshare --mount -- "$0" "$program"
fi
most_second_tries=3

# The turn of tests that want the host for themselves (turns.py): the door, then the room, which are everybody's.
exec {door}<"${RINGWALL_DOOR:-/var/tmp}" {room}<"${RINGWALL_ROOM:-/tmp}"
if [[ -n ${RINGWALL_OWN_TMP:-} ]]; then
  source "${0%/*}/memory_disk.sh"
  mount_memory_disk /tmp && chmod 1777 /tmp
fi
log=$(mktemp)
trap 'rm -f -- "$log"' EXIT
"$program" {door}<&- {room}<&- | tee -- "$log" | grep -vE '^\[( RUN|       OK|-----)|^$'
status=${PIPESTATUS[0]}
if [[ $status == 0 && -n ${RINGWALL_OWN_TMP:-} ]]; then
  skipped=$(sed -n 's/^\[  SKIPPED \] \([^ ,]*\)$/\1/p' -- "$log" | sort -u | paste -sd: -)
  [[ -n $skipped ]] || exit 0
  user=$("${0%/*}/../../tools/test_user.sh")
  copy=$(mktemp -d)
  trap 'rm -rf -- "$log" "$copy"' EXIT
  chmod 755 -- "$copy"
  cp -- "$program" "$copy/unit-tests"
  setpriv --reuid="$user" --regid="$(id -g "$user")" --init-groups "$copy/unit-tests" --gtest_brief=1 --gtest_filter="$skipped"
  exit
fi
# 1 is the status of tests that failed; one that crashed has taken others with it.
[[ $status == 1 ]] || exit "$status"
mapfile -t failed < <(sed -n 's/^\[  FAILED  \] \([^ ,]*\).* ([0-9]* ms)$/\1/p' -- "$log" | sort -u)
[[ ${#failed[@]} -ge 1 && ${#failed[@]} -le $most_second_tries ]] || exit 1

for test in "${failed[@]}"; do echo "SECOND TRY, ALONE: unit $test"; done
flock -w 120 "$door"
flock -w 120 "$room"
exec {door}<&-
IFS=:
"$program" --gtest_brief=1 --gtest_filter="${failed[*]}" {room}<&-
