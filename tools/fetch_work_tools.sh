#!/bin/bash
# Fetches what the work corpus (tests/work) uses and Debian does not have, from the npm registry.
#
#   tools/fetch_work_tools.sh FOLDER
#
# It is done outside and beforehand, at the versions named here, and nothing that the packages bring
# is run. A second call costs milliseconds. What cannot be had is told: its cases are counted as not run.
set -euo pipefail

packages=(yarn@1.22.22 pnpm@9.15.9 typescript@5.9.3 jest@29.7.0 playwright-core@1.58.0)

if [[ $# != 1 ]]; then
  echo "usage: fetch_work_tools.sh FOLDER" >&2
  exit 1
fi
folder=$1
if [[ -e $folder/.fetched && $(<"$folder/.fetched") == "${packages[*]}" ]]; then exit 0; fi
if ! command -v npm >/dev/null; then
  echo "fetch_work_tools: no npm here (Debian: npm); left out: ${packages[*]}" >&2
  exit 0
fi

umask 022  # the tests run as another user
part="$folder.part"
rm -rf -- "$part"
mkdir -p -- "$part"
trap 'rm -rf -- "$part"' EXIT
echo "fetching: ${packages[*]}"
printf '{"private": true}\n' >"$part/package.json"
if ! npm install --prefix "$part" --ignore-scripts --no-audit --no-fund --loglevel=error \
    "${packages[@]}" >"$part/npm.log" 2>&1; then
  cat -- "$part/npm.log" >&2
  echo "fetch_work_tools: left out: ${packages[*]}" >&2
  exit 0
fi
printf '%s\n' "${packages[*]}" >"$part/.fetched"
rm -rf -- "$folder"
mv -- "$part" "$folder"
