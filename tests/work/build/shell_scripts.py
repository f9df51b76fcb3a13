"""checks shell scripts by bash and shellcheck, and runs one with traps and arrays"""

NEEDS = {"bash": "bash", "shellcheck": "shellcheck"}
ACT = r"""cat > s.sh <<'END'
#!/usr/bin/env bash
set -euo pipefail
declare -A ages=([ann]=30 [bob]=40)
temporary=$(mktemp -d)
trap 'rm -rf -- "$temporary"; echo cleaned' EXIT
for name in ann bob; do printf '%s=%d\n' "$name" "${ages[$name]}"; done | tee "$temporary/out" | wc -l
mapfile -t lines < "$temporary/out"
echo "${lines[@]}"
END
chmod +x s.sh && bash -n s.sh && shellcheck s.sh && ./s.sh"""


def works(host, done):
    return done.status == 0 and done.out == "2\nann=30 bob=40\ncleaned\n"
