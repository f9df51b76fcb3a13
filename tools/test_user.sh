#!/bin/bash
# Prints the name of the ordinary user whom tests and measurements drop to; makes it if missing.
# Only root needs one: anyone else is an ordinary user already.
set -euo pipefail

name=ringwall-test

if [[ $(id -u) != 0 ]]; then
  id -un
  exit 0
fi
# Two tests may come here at once; the loser of that race finds the user made by the winner.
id -u "$name" >/dev/null 2>&1 ||
  useradd --create-home --shell /bin/sh --comment 'Ringwall tests' "$name" 2>/dev/null ||
  id -u "$name" >/dev/null
echo "$name"
