#!/bin/sh
# Hosts in another root folder: a command on a host sees the files of that root, not those of the machine's.
#   root.sh                       exit 77: not root, so there can be no other root here
set -u
hosts=$(cd "$(dirname "$0")" && pwd)/hosts.sh
. "$(dirname "$0")/../functions.sh"
[ "$(id -u)" -eq 0 ] || { echo "not root: no other root was made"; exit 77; }
"$hosts" check || exit
temporary_folder
mkdir "$folder/root"
# shellcheck disable=SC2016 # for the inner shell
unshare --mount --propagation private sh -c 'mount --rbind / "$1" && mount -t tmpfs here "$1/mnt" &&
    touch "$1/mnt/seen" && exec chroot "$1" "$2" run --hosts 2 --mpi none -- ls /mnt' sh "$folder/root" "$hosts" \
    >"$folder/said" || fail "exit code $?"
grep -qx seen "$folder/said" || fail "the host has another root"
exit $failed
