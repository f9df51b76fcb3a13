#!/bin/bash
# Builds `attempts`, the target and its like into a folder: build.sh FOLDER
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$1
mkdir -p "$folder"
cc=(gcc -O1 -Wall -Wextra -Wno-unused-parameter)
bare=(-nostdlib -static -fno-stack-protector -fcf-protection=none -fno-builtin)
"${cc[@]}" "${bare[@]}" -static-pie -fPIE -o "$folder/target" "$here/target.c"
"${cc[@]}" -DLIBRARY -nostdlib -shared -fPIC -fno-stack-protector -o "$folder/target.so" "$here/target.c"
"${cc[@]}" "${bare[@]}" -o "$folder/harmless" "$here/harmless.c"
"${cc[@]}" -DLIBRARY -nostdlib -shared -fPIC -o "$folder/harmless.so" "$here/harmless.c"
"${cc[@]}" -nostdlib -pie -fPIE -Wl,--dynamic-linker=/tmp/guard-test-loader \
  -o "$folder/with-loader" "$here/harmless.c"
"${cc[@]}" -DTARGET="\"$folder/target\"" -DTARGET_LIBRARY="\"$folder/target.so\"" \
  -DHARMLESS="\"$folder/harmless\"" -DHARMLESS_LIBRARY="\"$folder/harmless.so\"" \
  -DWITH_LOADER="\"$folder/with-loader\"" \
  -o "$folder/attempts" "$here/attempts.c" "$here/races.c" -ldl -lpthread
