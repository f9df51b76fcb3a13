#!/bin/bash
# The screen of `make run`: a hostile agent runs twice, bare and behind the walls, in a made-up home
# with made-up keys. Every cell of the table is what was found afterwards: in the loot it brought
# out, in the files, in the log of the server that it was to reach.
#
#   tools/demo.sh BINARY
#
# Everything happens in one throw-away folder and on 127.0.0.1. Exit status 0 only if every act got
# through bare, none did behind the walls, and the real work was done both times.
set -u
charset=${LC_ALL:-${LC_CTYPE:-${LANG-}}}
export LC_ALL=C

die() {
  echo "demo: $*" >&2
  exit 1
}

[[ $# == 1 && -x $1 ]] || die "usage: demo.sh BINARY"
binary=$(realpath -- "$1")
here=$(cd "$(dirname "$0")" && pwd)
room=
children=()

clean_up() {
  local child
  for child in "${children[@]}"; do
    kill "$child" 2>/dev/null && wait "$child" 2>/dev/null
  done
  if [[ -n $room ]]; then rm -rf --one-file-system -- "$room"; fi
}
trap clean_up EXIT
trap 'exit 130' INT TERM HUP

# Acts: name, what is tried, what it is called when it got through. The last column marks those that
# some hosts refuse even without walls.
acts() {
  cat <<'TABLE'
key       |read ~/.ssh/id_ed25519           |got the key    |
cloud     |read ~/.aws/credentials          |got the key    |
variables |take keys from the environment   |got 2 keys     |
programs  |see your other programs          |saw @ of them  |
environ   |read another program's variables |got a password |
kill      |kill another program             |killed it      |
bashrc    |plant a command in ~/.bashrc     |planted        |
project   |change your other project        |changed        |
server    |send the key to a server         |the key arrived|
ssh_agent |sign with your ssh-agent         |signed         |
namespace |make a namespace of its own      |made one       |may be refused
type      |type a command into your terminal|typed it       |may be refused
TABLE
}

# Tasks: name, what is to be done, the program that it takes.
tasks() {
  local name label program
  while IFS='|' read -r name label program; do
    if command -v "$program" >/dev/null; then echo "$name|$label"; fi
  done <<'TABLE'
edit      |edit a file of the workspace|sed
commit    |git commit|git
build     |compile a program and run it|c++
TABLE
}

# A made-up home: everything in it is new, and gone at the end.
make_home() {
  home=$room/home
  workspace=$home/project
  mkdir -p "$home/.ssh" "$home/.aws" "$home/payroll" "$workspace"
  mkdir -m 700 "$room/run"
  printf -- '-----BEGIN OPENSSH PRIVATE KEY-----\n%s\n' "$secret-key" >"$home/.ssh/id_ed25519"
  printf '[default]\naws_secret_access_key = %s\n' "$secret-cloud" >"$home/.aws/credentials"
  printf 'machine example.org login you password %s\n' "$secret-netrc" >"$home/.netrc"
  printf '[user]\n\tname = You\n\temail = you@example.org\n' >"$home/.gitconfig"
  chmod 600 "$home/.ssh/id_ed25519" "$home/.netrc"
  cp -- "$here/demo_agent.sh" "$workspace/agent.sh"
  # The same environment for both runs: what a person's shell would hold.
  with_keys=(env -i HOME="$home" USER="$(id -un)" PATH="$PATH" TERM="${TERM:-dumb}" LC_ALL=C
    SSH_AUTH_SOCK="$home/.ssh/agent.sock" XDG_RUNTIME_DIR="$room/run"
    ANTHROPIC_API_KEY="$secret-anthropic" OPENAI_API_KEY="$secret-openai")
}

# What the agent changes, as it was.
reset_home() {
  rm -rf -- "$workspace/.git" "$workspace/loot" "$workspace/hello" "$workspace/hello.c"
  rm -f -- "$room/typed" "$room/server.log"
  echo 'alias ll="ls -l"' >"$home/.bashrc"
  echo 'print("paid")' >"$home/payroll/main.py"
  echo 'colour = red' >"$workspace/settings.ini"
  HOME=$home GIT_CONFIG_NOSYSTEM=1 git -C "$workspace" init --quiet --initial-branch=main 2>/dev/null ||
    mkdir -p "$workspace/.git"
}

# Another program of the person's, with a password among its variables.
start_victim() {
  env -i PATH="$PATH" DATABASE_PASSWORD="$secret-password" \
    perl -e 'sleep 60' -- backup-tool --to "$secret-place" &
  victim=$!
  children+=("$victim")
}

# A web server on loopback that logs what arrives, and an ssh-agent that signs for everyone.
start_servers() {
  perl -MSocket -MIO::Select -e '
    my ($folder, $port_file, $log, $signature) = @ARGV;
    chdir $folder or die "$!\n";    # a socket has at most 107 letters
    $SIG{PIPE} = "IGNORE";
    socket(my $tcp, PF_INET, SOCK_STREAM, 0) or die "$!\n";
    bind($tcp, pack_sockaddr_in(0, INADDR_LOOPBACK)) or die "$!\n";
    socket(my $unix, PF_UNIX, SOCK_STREAM, 0) or die "$!\n";
    bind($unix, pack_sockaddr_un("agent.sock")) or die "$!\n";
    listen($_, 5) for $tcp, $unix;
    open(my $out, ">", "$port_file.new"); print $out (sockaddr_in(getsockname $tcp))[0]; close $out;
    rename "$port_file.new", $port_file;
    my $ready = IO::Select->new($tcp, $unix);
    while (1) {
      for my $server ($ready->can_read) {
        accept(my $peer, $server) or next;
        my $said = join "", <$peer>;
        if ($server == $unix) { syswrite $peer, "$signature\n"; next }
        open(my $to, ">>", $log); print $to $said; close $to;
        syswrite $peer, "thank you\n";
      }
    }' "$1" "$room/port" "$room/server.log" "$secret-signature" &
  children+=("$!")
  local tries
  for ((tries = 0; tries < 200; tries++)); do
    if [[ -s $room/port ]]; then return; fi
    sleep 0.01
  done
  die "the demo's own server did not start"
}


# at_terminal COMMAND...: at a pseudo terminal of its own; keeps the line that is waiting in it.
at_terminal() {
  perl -MPOSIX -e '
    open(my $master, "+<", "/dev/ptmx") or die "$!\n";
    my $unlock = my $number = pack "i", 0;
    ioctl($master, 0x40045431, $unlock) or die "$!\n";    # TIOCSPTLCK
    ioctl($master, 0x80045430, $number) or die "$!\n";    # TIOCGPTN
    my $child = fork;
    if (!$child) {
      setsid;
      open(STDIN, "+<", "/dev/pts/" . unpack "i", $number) or die "$!\n";
      open(STDOUT, ">&STDIN"); open(STDERR, ">&STDIN"); close $master;
      exec @ARGV;
    }
    1 while sysread $master, my $ignored, 4096;
    waitpid $child, 0;' -- bash -c '
    typed=$1; shift
    "$@"
    IFS= read -r -t 0.1 line
    printf %s "$line" >"$typed"' bash "$room/typed" "$@"
}

# run_agent NAME PREFIX...: one run, started in the workspace with PREFIX before it.
run_agent() {
  local name=$1
  shift
  reset_home
  start_victim
  cd -- "$workspace" || die "no workspace"
  local facts=("$home" "$(<"$room/port")" "$victim" "$home/.ssh/agent.sock")
  "${with_keys[@]}" "$@" bash agent.sh "${facts[@]}" >"$room/output" 2>&1 </dev/null
  if [[ ! -e loot/finished ]]; then
    cat -- "$room/output" >&2
    die "the agent did not come to its end ($name)"
  fi
  at_terminal "${with_keys[@]}" "$@" bash agent.sh type 2>/dev/null
  cd /
  judge "$name"
}

# Whether an act got through, by what can be found from outside.
got_through() {
  local loot=$workspace/loot
  case $1 in
    key) grep -qs -- "$secret-key" "$loot/key" ;;
    cloud) grep -qs -- "$secret-cloud" "$loot/cloud" ;;
    variables) grep -qs -- "$secret-\(anthropic\|openai\)" "$loot/variables" ;;
    programs) grep -qs -- "$secret-place" "$loot/programs" ;;
    environ) grep -qs -- "$secret-password" "$loot/environ" ;;
    kill) ! kill -0 "$victim" 2>/dev/null ;;
    bashrc) grep -qs evil "$home/.bashrc" ;;
    project) grep -qs changed "$home/payroll/main.py" ;;
    server) [[ -s $room/server.log ]] ;;
    ssh_agent) grep -qs -- "$secret-signature" "$loot/ssh_agent" ;;
    namespace) grep -qs 'user:\[' "$loot/namespace" ;;
    type) grep -qs 'typed by the agent' "$room/typed" ;;
    edit) grep -qs 'colour = green' "$workspace/settings.ini" ;;
    commit) [[ -s $workspace/.git/refs/heads/main ]] && grep -qs 'Paint it green' "$loot/commit" ;;
    build) grep -qs 'built and run' "$loot/build" && [[ -x $workspace/hello ]] ;;
  esac
}

# The complaint of an act that failed, without the name of the program; else what was found instead.
complaint() {
  local last
  last=$(tail -n 1 "$workspace/loot/$1.error" 2>/dev/null)
  last=${last##*: }
  last=${last##* - }
  last=${last% or directory}
  case $1 in
    programs) last="saw only its own $(grep -c . "$workspace/loot/programs")" ;;
    variables) last='none there' ;;
    bashrc) last=${last:-your file is unchanged} ;;
  esac
  echo "${last:-nothing came of it}"
}

# Writes "name|yes or no|words" of every act and task into $room/NAME.
judge() {
  local name label words _
  # A killed program needs a moment to be gone.
  kill -0 "$victim" 2>/dev/null && sleep 0.02
  {
    while IFS='|' read -r name label words _; do
      name=${name%% *}
      words=${words%"${words##*[! ]}"}
      if got_through "$name"; then
        echo "$name|yes|${words/@/$(grep -c . "$workspace/loot/$name" 2>/dev/null)}"
      else
        echo "$name|no|$(complaint "$name")"
      fi
    done < <(
      acts
      sed 's/$/|done/' < <(tasks)
    )
  } >"$room/$1"
}

# field RUN ACT NUMBER
field() { sed -n "s/^$2|//p" "$room/$1" | cut -d '|' -f "$3"; }

set_style() {
  bold='' dim='' red='' green='' yellow='' plain='' good='+' bad='!'
  if [[ -t 1 && -z ${NO_COLOR-} && ${TERM-dumb} != dumb ]]; then
    bold=$'\e[1m' dim=$'\e[2m' red=$'\e[31m' green=$'\e[32m' yellow=$'\e[33m' plain=$'\e[0m'
  fi
  if [[ ${charset,,} == *utf*8* ]]; then good='✓' bad='✗'; fi
}

cell() { printf '%s%s %-*s%s' "$1" "$2" "$3" "$4" "$plain"; }

# One line of the table: what was tried, bare, inside. Counts what is as it must be.
print_act() {
  local name=$1 label=$2 excuse=$3 bare inside
  bare=$(field bare "$name" 1) inside=$(field inside "$name" 1)
  printf '  %-35s' "${label%"${label##*[! ]}"}"
  if [[ $bare == yes ]]; then
    cell "$red" "$bad" 16 "$(field bare "$name" 2)"
  elif [[ -n $excuse ]]; then
    cell "$yellow" '-' 16 'kernel refuses'
  else
    cell "$yellow" '?' 16 "$(field bare "$name" 2)"
    wrong=$((wrong + 1))
  fi
  if [[ $inside == no ]]; then
    cell "$green" "$good" 0 "$(field inside "$name" 2)"
    stopped=$((stopped + 1))
  else
    cell "$red$bold" "$bad" 0 "$(field inside "$name" 2)"
  fi
  printf '\n'
}

print_task() {
  local name=$1 label=$2 run width=16
  printf '  %-35s' "${label%"${label##*[! ]}"}"
  for run in bare inside; do
    if [[ $(field "$run" "$name" 1) == yes ]]; then
      cell "$green" "$good" "$width" 'done'
      if [[ $run == inside ]]; then finished=$((finished + 1)); fi
    else
      cell "$red$bold" "$bad" "$width" "$(field "$run" "$name" 2)"
      wrong=$((wrong + 1))
    fi
    width=0
  done
  printf '\n'
}

print_table() {
  local name label excuse _ acts=0 tasks=0
  printf '\n%s  %-35s%-18s%s%s\n' "$bold" 'A hostile agent tries to' 'bare' 'behind Ringwall' "$plain"
  while IFS='|' read -r name label _ excuse; do
    print_act "${name%% *}" "$label" "$excuse"
    acts=$((acts + 1))
  done < <(acts)
  printf '\n%s  and does its work%s\n' "$bold" "$plain"
  while IFS='|' read -r name label; do
    print_task "${name%% *}" "$label"
    tasks=$((tasks + 1))
  done < <(tasks)
  local verdict=$green
  if ((stopped < acts || wrong > 0)); then verdict=$red$bold; fi
  printf '\n  %s%d of %d acts stopped, %d of %d tasks done.%s' \
    "$verdict" "$stopped" "$acts" "$finished" "$tasks" "$plain"
  printf ' %sHome and keys were made up.%s\n' "$dim" "$plain"
  printf "  %smake run CMD='bash'%s      a shell behind the same walls\n" "$bold" "$plain"
  printf '  %sbuild/ringwall verify%s    every promise, tried from inside\n' "$bold" "$plain"
  ((stopped == acts && wrong == 0))
}

# Root's files must be on a filesystem that can map ids, which not every /tmp is.
find_room() {
  local place refusal=
  for place in "${TMPDIR:-/tmp}" /var/tmp /dev/shm; do
    room=$(mktemp -d "$place/ringwall-demo.XXXXXX" 2>/dev/null) || continue
    make_home
    reset_home
    local said
    if said=$(cd "$workspace" && "${with_keys[@]}" "$binary" run -- true 2>&1); then return; fi
    refusal=${refusal:-$said}
    rm -rf --one-file-system -- "$room"
    room=
  done
  printf '%s\n' "$refusal" >&2
  die "Ringwall cannot run here; see: $binary doctor"
}

secret=made-up-$RANDOM$RANDOM
stopped=0 finished=0 wrong=0
find_room
start_servers "$home/.ssh"
run_agent bare
run_agent inside "$binary" run --
set_style
print_table
