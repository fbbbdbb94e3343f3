#!/bin/sh
# Another Debian, or Ubuntu, beside this system: its root is a folder, made once by mmdebstrap and kept. Commands run
# there in the tree that this script is part of. `system.sh help` and docs/testing.md say how to use it.
#
# A root is entered in a mount and a process namespace. Both end with the first process in them, which ends with this
# script, however that happens. So no mount has to be taken down by hand, and none is seen from outside.
set -u
script=$(cd "$(dirname "$0")" && pwd -P)/system.sh
tree=${script%/tests/systems/system.sh}
systems=${SYSTEMS_FOLDER:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/strata/systems}
mirror=${SYSTEMS_MIRROR:-http://deb.debian.org/debian}
ubuntu_mirror=${SYSTEMS_UBUNTU_MIRROR:-http://archive.ubuntu.com/ubuntu}
known="bookworm trixie sid noble"
needed=6 # GiB: the packages of `quickstart.sh test --long`, the builds and the compiler's cache

usage() {
    cat <<END
usage: system.sh make SYSTEM
       system.sh run SYSTEM COMMAND [ARGUMENT...]
       system.sh remove SYSTEM
       system.sh list | help

  make    makes the root of a system: bookworm (Debian 12), trixie (13), sid (unstable) or noble (Ubuntu 24.04), with
          nothing installed but apt and what apt needs, in a minute or two. Prints its folder
  run     runs a command there as root, in this tree, which is /sources there; makes the root first where there is
          none. build/ is the root's own, one for each tree. The exit code is the command's
  remove  removes the root, and the builds in it; the next one has the packages of its day
  list    the roots there are

  SYSTEMS_FOLDER   the folder of the roots (now $systems)
  SYSTEMS_MIRROR   the Debian mirror (now $mirror)
  SYSTEMS_UBUNTU_MIRROR
                   the Ubuntu mirror (now $ubuntu_mirror)

It needs root, mmdebstrap and $needed GiB of disk. Exit codes: 2 wrong use; 77 the root cannot be made or entered here, and
the message says what is missing; 1 making failed, or another command is using the root; else the command's own.
END
}

die() {
    code=$1
    shift
    printf 'system.sh: %s\n' "$*" >&2
    exit "$code"
}

isolate='--mount --propagation private --pid --fork --kill-child=KILL --ipc'

# What `make`, `run` and `remove` need.
check_machine() {
    [ "$(id -u)" -eq 0 ] || die 77 "not root: nothing was done; as root: $script $words"
    for command in unshare setpriv flock mount; do
        command -v $command >/dev/null || die 77 "no '$command': install util-linux and mount"
    done
    # shellcheck disable=SC2086 # several words
    why=$(unshare $isolate true 2>&1) ||
        die 77 "namespaces cannot be made here ($why): needs CAP_SYS_ADMIN, so start the container as privileged, or use the machine itself"
}

# choose SYSTEM: sets system and root, and holds the lock of the root in descriptor 9 until this script ends.
choose() {
    case " $known " in *" $1 "*) ;; *) die 2 "unknown system '$1'; there are $known" ;; esac
    check_machine
    system=$1
    systems=$(mkdir -p "$systems" && cd "$systems" && pwd -P) || die 1 "'$systems' cannot be made: set SYSTEMS_FOLDER to another folder"
    root=$systems/$system
    exec 9>"$root.lock"
    flock --nonblock 9 || die 1 "another command is using $root: wait for its end"
}

# The first process inside is killed, not its parent: the parent's end then says that all of them are gone.
stop() {
    trap '' INT TERM HUP
    first=$(cat /proc/[0-9]*/stat 2>/dev/null | sed 's/^\([0-9]*\) (.*) . \([0-9]*\) .*/\1 \2/' | awk -v parent="$inside" '$2 == parent { print $1 }')
    kill -KILL "${first:-$inside}" 2>/dev/null
    wait "$inside" 2>/dev/null
    remove_half_made
    trap - "$1"
    kill -s "$1" $$
}

# isolated COMMAND [ARGUMENT...]: in namespaces of its own; its exit code. A process that is started in the background
# ignores SIGINT and reads nothing, which is undone; should this script be killed, the other does not outlive it. What
# unshare says of a child that was killed is not for the user: the inside has its errors go to 4. And 5 is what the
# inside can tell from that its parent, unshare, was killed before it had asked to be killed with it.
isolated() {
    (exec 3<&0) 2>/dev/null || exec </dev/null # closed
    exec 3<&0
    # shellcheck disable=SC2086,SC2016
    env --default-signal=INT,QUIT setpriv --pdeathsig KILL \
        sh -c '[ "$PPID" = "$0" ] && exec 5</proc/$$/stat && exec "$@"' $$ \
        unshare $isolate sh -c 'exec 2>&4 4>&-
            read -r _ _ state _ <&5 2>/dev/null && case $state in Z | X) false ;; esac || exit 1
            exec 5<&- "$@"' sh "$@" <&3 3<&- 4>&2 2>/dev/null &
    inside=$!
    for signal in INT TERM HUP; do
        # shellcheck disable=SC2064
        trap "stop $signal" $signal
    done
    wait "$inside"
    code=$?
    trap - INT TERM HUP
    exec 3<&-
    return $code
}

# remove_folder FOLDER: nothing is removed where something is mounted, since rm would go on in there.
remove_folder() {
    [ -e "$1" ] || return 0
    mounted=$(sed 's/^[^ ]* [^ ]* [^ ]* [^ ]* \([^ ]*\) .*/\1/; s/\\/\\0/g' /proc/self/mountinfo | xargs -0 printf %b | grep -F "$1" |
        awk -v folder="$1" '$0 == folder || index($0, folder "/") == 1')
    [ -z "$mounted" ] || die 1 "$1 is not removed, as there are mounts in it; umount" "$mounted"
    rm -rf --one-file-system "$1" || die 1 "$1 cannot be removed"
}

check_disk() {
    free=$(($(df -Pk "$systems" | awk 'NR == 2 { print $4 }') / 1048576))
    [ "$free" -ge $needed ] ||
        die 77 "$systems has $free GiB of disk, and $needed are needed: make room, or set SYSTEMS_FOLDER to another folder"
}

# check_mirror SETTING MIRROR SUITE...: apt's helper takes apt's proxy.
check_mirror() {
    setting=$1 at=$2
    shift 2
    for suite in "$@"; do
        url=$at/dists/$suite/InRelease
        why=$(LC_ALL=C /usr/lib/apt/apt-helper -o Acquire::Retries=0 -o Acquire::http::Timeout=20 \
            download-file "$url" "$root.release" 2>&1)
        got=$?
        rm -f "$root.release"
        why=$(printf '%s\n' "$why" | sed -n 's/^E: Failed to fetch [^ ]* *//p')
        [ $got -eq 0 ] || die 77 "$url cannot be read ($why): set $setting to another mirror, or http_proxy to a proxy"
    done
}

# The system to begin with: unstable is signed with keys that only Debian 13 brings.
beginning() { [ "$system" = sid ] && echo trixie || echo "$system"; }

upgrade='set -e
apt-get -q update
DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Options::=--force-confnew dist-upgrade
apt-get clean'

# The root has its name once it is whole.
make() {
    [ ! -d "$root" ] || return 0
    command -v mmdebstrap >/dev/null || die 77 "no mmdebstrap: apt-get install mmdebstrap debian-archive-keyring"
    check_disk
    if [ "$system" = noble ]; then
        make_ubuntu
    else
        make_debian
    fi
    mv "$root.making" "$root"
}

make_debian() {
    # shellcheck disable=SC2046 # two words
    check_mirror SYSTEMS_MIRROR "$mirror" $(printf '%s\n' "$(beginning)" "$system" | sort -u)
    debootstrap apt main "$(beginning)" "$mirror"
    if [ "$system" != "$(beginning)" ]; then
        echo "deb $mirror $system main" >"$root.making/etc/apt/sources.list"
        # A mirror that lags behind has lists that unstable calls too old.
        echo 'Acquire::Check-Valid-Until "false";' >"$root.making/etc/apt/apt.conf.d/90old-lists"
        enter "$root.making" sh -c "$upgrade" || failed
    fi
}

# Debian 13 has Ubuntu's keys in a package, which is unpacked alone.
make_ubuntu() {
    check_mirror SYSTEMS_MIRROR "$mirror" trixie
    check_mirror SYSTEMS_UBUNTU_MIRROR "$ubuntu_mirror" "$system"
    debootstrap extract main trixie "$mirror" --include=ubuntu-keyring
    mv "$root.making/usr/share/keyrings/ubuntu-archive-keyring.gpg" "$root.keys" || failed
    debootstrap apt main,universe "$system" "$ubuntu_mirror" --keyring="$root.keys"
    rm "$root.keys"
}

# debootstrap VARIANT COMPONENTS SUITE MIRROR [OPTION...]: makes $root.making anew.
debootstrap() {
    variant=$1 components=$2 suite=$3 at=$4
    shift 4
    remove_folder "$root.making"
    isolated mmdebstrap --mode=root --variant="$variant" --components="$components" "$@" "$suite" "$root.making" "$at" || failed
}

remove_half_made() {
    remove_folder "$root.making"
    rm -f "$root.keys"
}

failed() {
    remove_half_made
    die 1 "making $root failed, for the reason above"
}

# enter ROOT COMMAND [ARGUMENT...]: with this machine's names and network, and folders for what is mounted. The builds
# of a tree have its path for a name, so that trees do not mix.
enter() {
    for file in hosts resolv.conf; do
        [ ! -e /etc/$file ] || cp -L --remove-destination /etc/$file "$1/etc/$file"
    done
    [ ! -L "$tree/build" ] || die 1 "$tree/build is a link, which means nothing in the root: remove it"
    [ -d "$tree/build" ] || { mkdir "$tree/build" && chown --reference="$tree" "$tree/build"; } || exit 1
    builds=$1/var/lib/strata/$(printf %s "$tree" | tr / _)
    mkdir -p "$1/sources" "$builds" || exit 1
    isolated "$script" inside "$builds" "$@"
}

# inside BUILDS ROOT COMMAND [ARGUMENT...]: the first process in the namespaces. The root takes the place of `/', so that
# namespaces can be made in it in turn.
inside() {
    set -e
    builds=$1 root=$2
    shift 2
    mount --bind "$root" "$root"
    cd "$root"
    mount -t proc proc proc
    mount --rbind /sys sys
    mount --rbind /dev dev
    mount -t tmpfs -o mode=1777 shm dev/shm
    mount --bind "$tree" sources
    mount --bind "$builds" sources/build
    mount --move . /
    for name in TERM CI http_proxy https_proxy no_proxy; do
        eval "value=\${$name-}"
        [ -z "$value" ] || set -- "$name=$value" "$@"
    done
    # The shell stays: it takes the processes whose parents ended.
    exec chroot . /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
        sh -c 'cd /sources && env "$@"; exit $?' sh "$@" 9>&-
}

list() {
    for root in "$systems"/*; do
        [ -d "$root/etc" ] || continue
        case $root in *.making) state='half made' ;; *) state=$(sed -n 's/^PRETTY_NAME="\(.*\)"$/\1/p' "$root/etc/os-release") ;; esac
        printf '%-10s %-28s %8s  %s\n' "$(basename "$root" .making)" "$state" "$(du -xsh "$root" | cut -f 1)" "$root"
    done
}

words=$*
command=${1:-}
[ $# -eq 0 ] || shift
case $command in
make | run | remove) [ $# -gt 0 ] || die 2 "which system? There are $known" ;;
esac
case $command in
make)
    [ $# -eq 1 ] || die 2 "make takes one system ('$2' is one more word)"
    choose "$1"
    make
    echo "$root"
    ;;
run)
    [ $# -ge 2 ] || die 2 "which command? It comes after the system"
    choose "$1"
    shift
    make
    enter "$root" "$@"
    exit
    ;;
remove)
    [ $# -eq 1 ] || die 2 "remove takes one system ('$2' is one more word)"
    choose "$1"
    [ -d "$root" ] || [ -d "$root.making" ] || die 1 "there is no $root"
    remove_folder "$root"
    remove_half_made
    ;;
list) list ;;
inside) inside "$@" ;;
help | -h | --help) usage ;;
*)
    usage >&2
    [ -z "$command" ] || die 2 "unknown command '$command'; there are make, run, remove, list, help"
    exit 2
    ;;
esac
