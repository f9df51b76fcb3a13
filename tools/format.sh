#!/bin/bash
# Brings the C and C++ sources into the project's format; with --check it only complains.
set -euo pipefail

cd "$(dirname "$0")/.."
action=(-i)
if [[ ${1-} == --check ]]; then action=(--dry-run -Werror); fi

folders=()
for folder in src probes bpf tests tools bench; do
  if [[ -d $folder ]]; then folders+=("$folder"); fi
done

# vmlinux.h is made by bpftool and is nobody's to format.
find "${folders[@]}" -type f \( -name '*.cc' -o -name '*.h' -o -name '*.c' \) \
  ! -name vmlinux.h -print0 | xargs -0 -r clang-format --style=file "${action[@]}"
