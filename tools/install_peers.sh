#!/bin/bash
# Installs what Ringwall is compared with, at the versions named here, and says what it has.
#
#   tools/install_peers.sh FOLDER
#
# bubblewrap, firejail and podman come from Debian (tools/install_packages.sh compare); what comes
# from the npm registry lies below FOLDER alone, its Node too. A second call costs milliseconds. A
# peer that cannot be had is named and left out: the comparison says so in its place.
set -euo pipefail

# PEER_VERSIONS=latest takes the newest of each instead.
node_version=22.23.3  # sandbox-runtime wants 22.12 or later; Debian's is older
runtime_version=0.0.83
codex_version=0.166.0
if [[ ${PEER_VERSIONS:-} == latest ]]; then
  node_version=22 runtime_version=latest codex_version=latest
fi

die() {
  echo "install_peers: $*" >&2
  exit 1
}

# install_from_npm NAME PACKAGE@VERSION...: into FOLDER/NAME, whole or not at all.
install_from_npm() {
  local name=$1 part
  shift
  local stamp="$folder/$name/.installed"
  if [[ -e $stamp && $(<"$stamp") == "$*" && ${PEER_VERSIONS:-} != latest ]]; then return 0; fi
  part="$folder/.$name.part"
  rm -rf -- "$part"
  mkdir -p -- "$part"
  echo "installing: $*"
  printf '{"private": true}\n' >"$part/package.json"
  # Node's own package fetches the program in a script of its installation; codex and
  # sandbox-runtime have none that is needed.
  if ! (cd -- "$part" && npm install --no-audit --no-fund --loglevel=error \
      --cache "$folder/.npm-cache" "$@") >"$folder/$name.log" 2>&1; then
    echo "install_peers: $name cannot be had, see $folder/$name.log" >&2
    return 0
  fi
  printf '%s\n' "$*" >"$part/.installed"
  rm -rf -- "${folder:?}/$name"
  mv -- "$part" "$folder/$name"
}

main() {
  [[ $# == 1 ]] || die "usage: install_peers.sh FOLDER"
  umask 022  # the measurements run as another user
  mkdir -p -- "$1"
  folder=$(cd -- "$1" && pwd)
  "$(dirname "$0")/install_packages.sh" compare ||
    echo "install_peers: peers that Debian's packages are missing for are left out" >&2
  if ! command -v npm >/dev/null; then
    echo "install_peers: no npm here (Debian: apt-get install npm): sandbox-runtime and codex are left out" >&2
    return 0
  fi
  install_from_npm sandbox-runtime "@anthropic-ai/sandbox-runtime@$runtime_version" "node@$node_version"
  install_from_npm codex "@openai/codex@$codex_version"
  chmod -R a+rX -- "$folder"
}

main "$@"
