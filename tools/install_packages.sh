#!/bin/bash
# Installs the Debian 12 packages that building, testing and measuring need.
#
#   tools/install_packages.sh GROUP...      GROUP: of the first column below
#
# Only what is missing is installed, so a second call costs milliseconds. Root installs directly,
# anyone else through sudo; without either, the missing packages are named and nothing is changed.
set -euo pipefail

# groups, package, what it is for. PROGRAM:PACKAGE is wanted only where there is no such program yet:
# who has Node from elsewhere keeps it, and Debian's packages may not stand beside it.
#
# work is for `make test`, toolchains for `make test-toolchains` and `make compare` alone: what has
# hundreds of packages or of megabytes, or starts a service. Docker is never installed, for its daemon
# is root's; the case of its client runs where there is one.
package_table() {
  cat <<'TABLE'
build       g++                    the compiler, with std::expected
build       make                   the entry point of everything
build       cmake                  configures the build
build       ninja-build            runs it
build       libtomlplusplus-dev    policy files
build       libcli11-dev           the command line
build       libseccomp-dev         compiles the system call filter at build time
build       libboost-json1.81-dev  JSON in and out
build       libssl-dev             SHA-256, linked in statically
build       clang                  compiles the guard's programs for the kernel
build       llvm                   takes what nobody needs out of them
build       libbpf-dev             loads them, linked in statically
build       libelf-dev             for libbpf
build       zlib1g-dev             the same
build       libvterm-dev           the screen of a terminal, for those who attach
build       libtree-sitter-dev     parses shell commands, linked in statically
build       libdtl-dev             the lines in which two texts differ; headers alone
build       curl                   fetches the grammar for that, once
build       python3                says which sources are compiled together

package,test dpkg-dev               finds what a package depends on
package,test fakeroot               packs files that are root's
test        lintian                judges the package
test        man-db                 shows the man pages, and complains of them

test        libgtest-dev           unit tests
test        clang-format           the check of the format
test        python3-pexpect        tests at a terminal
test        tmux                   a terminal whose screen can be read
test        vim                    a full-screen program that must look as it does outside
test        less                   another
test        htop                   another
test        asciinema              plays our recordings, and makes some for us to play
test        strace                 shows which system calls a run really makes
test        podman                 a run inside a container
test        uidmap                 settings that must be root's, for an ordinary user
test        runc                   starts that container
test,bench  iproute2               the cable between the two networks of the tests' lab
test,bench  openssl                certificates of that lab's servers
test,bench  openssh-client         git over ssh, there and inside
test,bench  dropbear-bin           an ssh server of that lab; a package that starts no service
test,bench  redis-tools            a database of that lab and its client, without a service too
test,bench  curl                   another client
test        postgresql-client      another, whose first bytes ask for TLS in the clear
test        procps                 ps, to look for leftovers
test        util-linux             setpriv, to become an ordinary user
test        passwd                 useradd, to make one
test,bench  python3                whole-program tests; the measurements
test,bench  python3-pytest         drives those tests; one of the measured loads
test        python3-pytest-timeout ends one that hangs
test,bench  git                    a legitimate use that must go on working; a load
test,bench  bubblewrap             nesting tests; the yardstick of the start time

bench       g++                    a load: compiling
bench       tar                    a load: unpacking
bench       rsync                  the yardstick of applying a review
bench       liblmdb0               for fapolicyd, which is unpacked beside the guard and not installed
bench       libcap-ng0             the same
bench       libmagic1              the same

guest       qemu-system-x86        runs a guest with another kernel
guest       busybox-static         the guest's user land
guest       cpio                   packs the guest's first root

install     debootstrap            a clean Debian 12, in which plain names are walled
install     npm:npm                the agent, as its makers give it away

fuzz        clang-19               builds the fuzz targets
fuzz        libclang-rt-19-dev     libFuzzer and the sanitizers

work        gdb                    a debugger of own children
work        python3-pip            fills virtual environments
work        python3-setuptools     builds a package of Python without the network
work        python3-wheel          the same
work        sqlite3                asks a database
work        jq                     sifts JSON
work        rsync                  keeps folders alike
work        ccache                 a compiler cache
work        gpg                    keys and signatures
work        gpg-agent              the same
work        patch                  takes changes over
work        xz-utils               archives
work        node:nodejs            JavaScript, its tests, a server

toolchains  npm:npm                packages of JavaScript; itself made of hundreds
toolchains  shellcheck             checks scripts of a shell
toolchains  postgresql-15          a database; the package starts one of the system's as well
toolchains  javac:default-jdk-headless  compiles Java
toolchains  php:php-cli            PHP
toolchains  Rscript:r-base-core    R
toolchains  g++                    builds what gdb, make and ctest are tried with
toolchains  cargo                  builds Rust, offline
toolchains  golang-go              builds Go, offline
toolchains  maven                  builds Java, offline
toolchains  python3-venv           virtual environments
toolchains  chromium-headless-shell  a browser without a screen

compare     bubblewrap             a peer, and what two others are built on
compare     firejail               a peer
compare     firejail-profiles      what it does by default
compare     podman                 a peer
compare     runc                   starts its containers
compare     uidmap                 ids for containers of an ordinary user
compare     slirp4netns            and their network
compare     fuse-overlayfs         and their files
compare     socat                  the network of sandbox-runtime
compare     ripgrep                its search for files to protect
compare     curl                   a client
TABLE
}

die() {
  echo "install_packages: $*" >&2
  exit 1
}

# The groups that the table has, with a blank before and after each.
known_groups() {
  package_table | while read -r groups _; do
    if [[ -n $groups ]]; then printf '%s\n' "${groups//,/$'\n'}"; fi
  done | sort -u | tr '\n' ' ' | sed 's/^/ /'
}

# Whether a package need not be asked for: its program comes from elsewhere, at a place for everybody.
is_there_already() {
  [[ $1 == *:* ]] && PATH=/usr/local/bin:/usr/bin:/bin type -P "${1%%:*}" >/dev/null
}

# Prints each package of the named groups once.
packages_of() {
  local wanted=" $* " groups package group
  package_table | while read -r groups package _; do
    if [[ -z $package ]] || is_there_already "$package"; then continue; fi
    package=${package#*:}
    for group in ${groups//,/ }; do
      if [[ $wanted == *" $group "* ]]; then echo "$package"; fi
    done
  done | sort -u
}

# Prints those of the given packages that are not installed; one dpkg-query for all.
missing_of() {
  local installed
  # Its exit status only says that some are unknown, which is what we are here to find out.
  installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "$@" 2>/dev/null || true)
  comm -23 <(printf '%s\n' "$@" | sort) <(sed -n 's/^installed //p' <<<"$installed" | sort)
}

# Prints the command that makes us root, nothing when we are; fails when there is no way.
way_to_root() {
  if [[ $(id -u) == 0 ]]; then return 0; fi
  command -v sudo >/dev/null || return 1
  if sudo -n true 2>/dev/null; then
    echo "sudo -n"
  elif [[ -t 0 ]] && sudo -v; then  # a person is there to type the password
    echo "sudo"
  else
    return 1
  fi
}

install_missing() {
  local prefix
  local frontend="DEBIAN_FRONTEND=${DEBIAN_FRONTEND:-noninteractive}"
  if ! prefix=$(way_to_root); then
    echo "install_packages: missing: $*" >&2
    echo "install_packages: root has to run: apt-get install --no-install-recommends $*" >&2
    exit 1
  fi
  log=$(mktemp)  # not local: the trap outlives this function
  trap 'rm -f -- "$log"' EXIT
  echo "installing: $*"
  # One package source out of order need not matter, so only the installation decides.
  # shellcheck disable=SC2086  # the prefix is a command of several words, or of none
  $prefix env "$frontend" apt-get update >"$log" 2>&1 || true
  # shellcheck disable=SC2086
  if ! $prefix env "$frontend" apt-get install -y --no-install-recommends \
      -o DPkg::Lock::Timeout=120 "$@" >>"$log" 2>&1 </dev/null; then
    cat "$log" >&2
    die "apt-get could not install: $*"
  fi
}

main() {
  local group known packages missing
  known=$(known_groups)
  [[ $# -gt 0 ]] || die "name at least one group:$known"
  for group in "$@"; do
    [[ $known == *" $group "* ]] || die "unknown group '$group'; there are:$known"
  done
  mapfile -t packages < <(packages_of "$@")
  if ! command -v dpkg-query >/dev/null; then
    # Another distribution: its packages have other names, so the configure step is the judge.
    echo "install_packages: no dpkg here; what Debian calls: ${packages[*]}" >&2
    return 0
  fi
  mapfile -t missing < <(missing_of "${packages[@]}")
  if [[ ${#missing[@]} -gt 0 ]]; then install_missing "${missing[@]}"; fi
}

main "$@"
