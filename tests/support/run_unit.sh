#!/bin/bash
# Runs the unit tests. What failed beside other suites is tried once more, alone (docs/decisions/0022).
#
#   tests/support/run_unit.sh UNIT-TESTS
set -uo pipefail

program=$1
most_second_tries=3
log=$(mktemp)
trap 'rm -f -- "$log"' EXIT

"$program" --gtest_brief=1 | tee -- "$log"
status=${PIPESTATUS[0]}
# 1 is the status of tests that failed; one that crashed has taken others with it.
[[ $status == 1 ]] || exit "$status"
mapfile -t failed < <(sed -n 's/^\[  FAILED  \] \([^ ,]*\).* ([0-9]* ms)$/\1/p' -- "$log" | sort -u)
[[ ${#failed[@]} -ge 1 && ${#failed[@]} -le $most_second_tries ]] || exit 1

for test in "${failed[@]}"; do echo "SECOND TRY, ALONE: unit $test"; done
# The turn of tests that want the host for themselves (turns.py): the door, then the room.
door=${RINGWALL_DOOR:-/var/tmp}
room=${RINGWALL_ROOM:-/tmp}
exec 8<"$door" 9<"$room"
flock -w 120 8
flock -w 120 9
exec 8<&-
IFS=:
"$program" --gtest_brief=1 --gtest_filter="${failed[*]}" 9<&-
