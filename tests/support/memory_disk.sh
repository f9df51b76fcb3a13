# An ext4 whose disk is a file in memory, for tests: they make and delete files by the hundred thousand, and an ext4 without
# a journal, as virtual machines like to have it, looks through all that was deleted of late whenever a file is made.
# To be sourced. Only root can make one; elsewhere tests run on the disk that is there, and take longer.
#
#   mount_memory_disk FOLDER   false where it cannot be had; it is gone when FOLDER is unmounted

mount_memory_disk() {
  local image mounted=false
  [[ $(id -u) == 0 ]] && image=$(mktemp /dev/shm/ringwall-disk.XXXXXX 2>/dev/null) || return 1
  # Holes, until something is written: nobody needs to clear inodes first.
  truncate -s 12G -- "$image" &&
    mkfs.ext4 -q -F -m 0 -i 8192 -E lazy_itable_init=1,lazy_journal_init=1,nodiscard "$image" 2>/dev/null &&
    mount -o loop,noinit_itable -- "$image" "$1" 2>/dev/null &&
    mounted=true
  rm -f -- "$image"
  $mounted
}
