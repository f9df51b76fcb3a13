#!/bin/bash
# Makes the two files that tests on another kernel boot: Debian 12's cloud kernel, taken from its
# package without installing it, and an initramfs with a small system and a ringwall binary.
# Must not change the host: everything is written below the given folder, by any user.
#
#   make_guest.sh [-o INITRAMFS] [FOLDER [RINGWALL]]
#
# FOLDER (build/guest unless given) gets vmlinuz and modules/, fetched only when they are missing.
# GUEST_PROGRAMS in the environment names further programs for it, with blanks between them.
# With RINGWALL, INITRAMFS (FOLDER/initramfs unless given) is built around that binary, each time.
# Exit status: 0 done, 3 the kernel or a tool cannot be had on this host, 1 anything else.
set -euo pipefail

readonly cannot_be_had=3
scratch=''  # the folder to remove however this ends
# Modules that Ringwall asks for by itself; what they need in turn is found through modules.dep.
readonly wanted_modules=(overlay loop nf_tables nft_chain_nat nft_redir nft_ct nft_reject_inet unix_diag)
# Real programs, because applets of one binary would hide what several executables would show.
readonly wanted_programs=(bash dash true false cat ls id env touch timeout setpriv)

say() { printf 'make_guest: %s\n' "$*" >&2; }

die() {
    local status=$1
    shift
    say "$@"
    exit "$status"
}

need_tools() {
    local tool
    for tool in "$@"; do
        command -v "$tool" >/dev/null ||
            die "$cannot_be_had" "$tool is missing; apt-get install busybox-static cpio"
    done
}

# The meta package names the current 6.1 kernel; other releases' kernels are not what is tested.
kernel_package() {
    apt-cache depends linux-image-cloud-amd64 2>/dev/null |
        sed -n 's/^ *Depends: \(linux-image-6\.1\.[0-9.-]*-cloud-amd64\)$/\1/p' | head -n 1
}

download_kernel() {
    local package=$1 folder=$2
    # Root's own user: apt's _apt cannot write to a folder that only the caller can enter.
    (cd "$folder" && apt-get -qq -o APT::Sandbox::User="$(id -un)" download "$package") >&2 ||
        die "$cannot_be_had" "cannot download $package; try: apt-get update"
}

unpack_kernel() {
    local folder=$1 package=$2 release=${2#linux-image-}
    scratch=$(mktemp -d "$folder/.fetch.XXXXXX")
    download_kernel "$package" "$scratch"
    dpkg-deb -x "$scratch"/*.deb "$scratch/unpacked"
    # The package leaves modules.dep to its installation script, which does not run here.
    busybox depmod -b "$scratch/unpacked" "$release"
    mkdir "$scratch/modules"
    mv "$scratch/unpacked/lib/modules/$release" "$scratch/modules/"
    rm -rf "$folder/modules"
    mv "$scratch/modules" "$folder/modules"
    # Last, since its presence says that all is there.
    mv "$scratch/unpacked/boot/vmlinuz-$release" "$folder/vmlinuz"
    rm -rf "$scratch"
}

# The lock is for tests that start side by side; a filled folder is only read, by any user.
fetch_kernel() {
    local folder=$1 package
    [[ -s $folder/vmlinuz ]] && return
    need_tools apt-cache apt-get dpkg-deb busybox flock
    exec 9>"$folder/.lock"
    flock 9
    [[ -s $folder/vmlinuz ]] && return
    rm -rf "$folder"/.fetch.*
    package=$(kernel_package)
    [[ -n $package ]] ||
        die "$cannot_be_had" "no linux-image-cloud-amd64 of 6.1 known to apt; try: apt-get update"
    unpack_kernel "$folder" "$package"
    exec 9>&-
}

# Copies a program and the libraries it names; ldd fails on a static one, which needs none.
copy_program() {
    local root=$1 source=$2 name=$3 library
    install -m 755 "$source" "$root/usr/bin/$name"
    { ldd "$source" 2>/dev/null || true; } | { grep -o '/[^ ]*' || true; } |
        while read -r library; do
            [[ -e $root$library ]] || install -D -m 755 "$library" "$root$library"
        done
}

copy_programs() {
    local root=$1 ringwall=$2 program applet
    copy_program "$root" "$(command -v busybox)" busybox
    for program in "${wanted_programs[@]}"; do
        copy_program "$root" "$(type -P "$program")" "$program"
    done
    copy_program "$root" "$ringwall" ringwall
    for program in ${GUEST_PROGRAMS-}; do
        copy_program "$root" "$program" "${program##*/}"
    done
    ln -s dash "$root/usr/bin/sh"
    for applet in $(busybox --list); do
        [[ -e $root/usr/bin/$applet ]] || ln -s busybox "$root/usr/bin/$applet"
    done
    ln -s ../bin/busybox "$root/usr/sbin/modprobe"
}

# The service manager of the guest's user, where this host has systemd: it gives a cgroup to those
# who were given none. Without it the test of that is skipped.
copy_service_manager() {
    local root=$1 manager=/lib/systemd/systemd
    [[ -x $manager ]] || return 0
    copy_program "$root" "$manager" systemd
    mkdir -p "$root/usr/lib/systemd/user"
    cp /usr/lib/systemd/user/*.{target,slice} "$root/usr/lib/systemd/user/"
}

copy_modules() {
    local root=$1 folder=$2 tree release module file files
    tree=$(echo "$folder"/modules/*)
    release=${tree##*/}
    for module in "${wanted_modules[@]}"; do
        # A line of modules.dep: "file.ko: what it needs".
        read -ra files < <(sed -n "s|^\(.*/$module\.ko\):|\1|p" "$tree/modules.dep")
        for file in "${files[@]}"; do
            [[ -e $root/usr/lib/modules/$release/$file ]] ||
                install -D -m 644 "$tree/$file" "$root/usr/lib/modules/$release/$file"
        done
    done
    cp "$tree"/modules.{dep,alias,symbols,builtin,order} "$root/usr/lib/modules/$release/"
}

# A merged /usr like Debian's: a sandbox's plan reads these links.
make_tree() {
    local root=$1 name
    mkdir -p "$root"/usr/{bin,sbin,lib,lib64,share,local/bin} "$root"/{etc,proc,sys,dev,run} \
        "$root"/{mnt,opt,srv,home,var/lib,var/tmp,root,tmp,newroot}
    for name in bin sbin lib lib64; do
        ln -s "usr/$name" "$root/$name"
    done
    chmod 700 "$root/root"
    chmod 1777 "$root/tmp" "$root/var/tmp"
}

write_settings() {
    local etc=$1/etc
    printf '%s\n' 'root:x:0:0:root:/root:/bin/sh' 'user:x:1000:1000:user:/home/user:/bin/bash' \
        'nobody:x:65534:65534:nobody:/nonexistent:/bin/false' >"$etc/passwd"
    printf '%s\n' 'root:x:0:' 'tty:x:5:' 'user:x:1000:' 'nogroup:x:65534:' >"$etc/group"
    printf '%s\n' 'root:*:1::::::' 'user:*:1::::::' >"$etc/shadow"
    chmod 640 "$etc/shadow"
    printf '%s\n' 'passwd: files' 'group: files' 'hosts: files' >"$etc/nsswitch.conf"
    echo 'guest' >"$etc/hostname"
    echo '127.0.0.1 localhost guest' >"$etc/hosts"
    printf '%s\n' 'NAME="Guest"' 'ID=guest' >"$etc/os-release"
}

# First program of the guest. The kernel's rootfs has no parent mount, so pivot_root fails on it:
# the system moves to a tmpfs first, as a distribution's initramfs does.
write_first_init() {
    cat >"$1/init" <<'INIT'
#!/bin/busybox sh
mount -t tmpfs -o mode=755 tmpfs /newroot
for entry in /*; do
    [ "$entry" = /newroot ] || cp -a "$entry" /newroot/
done
exec switch_root /newroot /sbin/init
INIT
    chmod 755 "$1/init"
}

# Second program: what a host has after its start, then the test's own runner. /home is ext4,
# because a tmpfs of 6.1 has neither user xattrs nor idmapped mounts and real homes have both.
write_second_init() {
    cat >"$1/usr/sbin/init" <<'INIT'
#!/bin/busybox sh
export PATH=/usr/bin:/usr/sbin
mount -t devtmpfs -o mode=755,nosuid devtmpfs /dev
mkdir -p /dev/pts /dev/shm
mount -t proc -o nosuid,nodev,noexec proc /proc
mount -t sysfs -o nosuid,nodev,noexec sysfs /sys
mount -t devpts -o gid=5,mode=620,ptmxmode=666 devpts /dev/pts
mount -t tmpfs -o mode=1777,nosuid,nodev tmpfs /dev/shm
mount -t cgroup2 -o nosuid,nodev,noexec cgroup2 /sys/fs/cgroup
mount -t securityfs securityfs /sys/kernel/security
ln -s /proc/self/fd /dev/fd
ln -s /proc/self/fd/0 /dev/stdin
ln -s /proc/self/fd/1 /dev/stdout
ln -s /proc/self/fd/2 /dev/stderr
hostname -F /etc/hostname
ifconfig lo up
modprobe overlay
modprobe loop
truncate -s 96M /var/lib/home.img
# Inodes of 256 bytes: smaller ones keep times in whole seconds.
mke2fs -F -I 256 /var/lib/home.img >/dev/null
mount -t ext4 -o loop,nosuid,nodev /var/lib/home.img /home
mkdir -p /home/user/workspace
chown -R 1000:1000 /home/user
chmod 700 /home/user
[ -x /guest/runner ] && /guest/runner
# With -no-reboot this ends the emulator; it works where a power switch is not emulated.
reboot -f
INIT
    chmod 755 "$1/usr/sbin/init"
}

build_initramfs() {
    local folder=$1 ringwall=$2 output=$3
    need_tools busybox cpio ldd setpriv timeout
    [[ -x $ringwall ]] || die 1 "$ringwall is not an executable file"
    scratch=$(mktemp -d "$(dirname "$output")/.initramfs.XXXXXX")
    mkdir "$scratch/root"
    make_tree "$scratch/root"
    copy_programs "$scratch/root" "$ringwall"
    copy_service_manager "$scratch/root"
    copy_modules "$scratch/root" "$folder"
    write_settings "$scratch/root"
    write_first_init "$scratch/root"
    write_second_init "$scratch/root"
    # Not compressed: emulated decompression costs more than reading the bytes.
    (cd "$scratch/root" && find . -print0 |
        cpio --null --quiet --create --format=newc --owner=+0:+0) >"$scratch/initramfs"
    mv "$scratch/initramfs" "$output"
    rm -rf "$scratch"
}

main() {
    local output=''
    umask 022
    trap 'rm -rf "$scratch"' EXIT
    if [[ ${1:-} == -o ]]; then
        output=${2:?-o needs a file}
        shift 2
    fi
    local folder=${1:-build/guest} ringwall=${2:-}
    [[ $folder == -* || $# -gt 2 ]] && die 1 'usage: make_guest.sh [-o FILE] [FOLDER [RINGWALL]]'
    mkdir -p "$folder"
    fetch_kernel "$folder"
    [[ -z $ringwall ]] || build_initramfs "$folder" "$ringwall" "${output:-$folder/initramfs}"
}

main "$@"
