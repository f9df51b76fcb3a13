#!/bin/bash
# Brings the grammar of the shell language (tree-sitter-bash) that src/shell/ is built with.
#
#   tools/fetch_grammar.sh FOLDER      FOLDER gets parser.c, scanner.c, their headers and their licence
#
# What is fetched is the one file whose digest stands below, or nothing. Once it is there, a call
# needs no network and costs milliseconds.
set -euo pipefail

VERSION=0.23.3
SHA512=dfa720fc643662621b7a205ea9eba1e1f049ea2e24815a2e0daa93c6a8a1e72b0f6a0fb31ee7f221ac4c38578cf027a997000afcbba3d68e571ea81d01fa0266

FILES=(package/LICENSE package/src/parser.c package/src/scanner.c package/src/tree_sitter)

die() {
  echo "fetch_grammar: $*" >&2
  exit 1
}

main() {
  [[ $# == 1 ]] || die "usage: tools/fetch_grammar.sh FOLDER"
  local folder=$1 registry=${npm_config_registry:-https://registry.npmjs.org}
  local address=${registry%/}/tree-sitter-bash/-/tree-sitter-bash-$VERSION.tgz
  if [[ $(cat "$folder/digest" 2>/dev/null) == "$SHA512" ]]; then return 0; fi
  mkdir -p "$folder"
  scratch=$(mktemp -d "$folder/fetching.XXXXXX")  # not local: the trap outlives this function
  trap 'rm -rf -- "$scratch"' EXIT
  curl -fsSL --retry 3 --max-time 120 -o "$scratch/package.tgz" "$address" ||
    die "cannot fetch $address; npm_config_registry names another registry"
  sha512sum --status -c - <<<"$SHA512  $scratch/package.tgz" ||
    die "$address is not the file that this project was written with: its SHA-512 differs"
  tar -xzf "$scratch/package.tgz" -C "$scratch" "${FILES[@]}"
  rm -rf "$folder/tree_sitter"
  mv "$scratch"/package/LICENSE "$scratch"/package/src/* "$folder/"
  echo "$SHA512" >"$folder/digest"  # last: a half-filled folder is filled again
}

main "$@"
