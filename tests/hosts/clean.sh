#!/bin/sh
# However hosts.sh ends, it leaves nothing: no process, interface, mount, file or System V memory. The script runs on
# a machine of its own, in namespaces again, so all leftovers there are ours.
#   clean.sh            exit 77: hosts cannot be made here
set -eu
folder=$(cd "$(dirname "$0")" && pwd)
hosts=$folder/hosts.sh

if [ "${1:-}" != inside ]; then
    "$hosts" check
    isolate='--pid --fork --kill-child=KILL --mount --mount-proc --propagation private --net --uts --ipc'
    # shellcheck disable=SC2086 # several words
    unshare $isolate true 2>/dev/null || isolate="--user --map-root-user $isolate"
    # shellcheck disable=SC2086
    exec unshare $isolate "$0" inside
fi

mount -t tmpfs test /dev/shm
state=/dev/shm/state
export TMPDIR=/dev/shm/tmp
mkdir $state $TMPDIR
failures=0

failed() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# What there is on this machine, but for this script.
look() {
    ip -o link
    cat /proc/mounts /proc/sysvipc/shm /proc/sysvipc/sem
    find /dev/shm -path $state -prune -o -print
    for process in /proc/[0-9]*; do
        line=$(tr '\0' ' ' <"$process/cmdline") || line=
        case $line in '' | *clean.sh*) ;; *) echo "process $line" ;; esac
    done 2>/dev/null
}

# same SECONDS: waits until all is as it was before.
same() {
    tries=$(($1 * 10))
    while look >$state/after && ! cmp -s $state/before $state/after; do
        [ $tries -gt 0 ] || return 1
        tries=$((tries - 1))
        sleep 0.1
    done
}

judge() {
    if same "${2:-0}"; then
        echo "ok: $1"
    else
        failed "$1 leaves something:"
        diff $state/before $state/after || true
    fi
}

# ends CODE NAME COMMAND...: it ends with this code, and has cleaned up by then.
ends() {
    code=$1 name=$2 got=0
    shift 2
    "$@" || got=$?
    [ "$got" -eq "$code" ] || failed "$name: exit code $got in place of $code"
    judge "$name"
}

# What a program can leave behind, and that it runs.
litter='setsid sleep 1000 & mkdir /dev/shm/litter; mount -t tmpfs litter /dev/shm/litter; : >/dev/shm/litter/file
ip link add litter type bridge; ipcmk -M 4096 >/dev/null; echo ready; sleep 1000'

await() { until grep -q "$1" $state/said; do sleep 0.05; done; }

# signalled SIGNAL CODE WHEN: a run that gets the signal once it is ready, or after so many seconds, while it is set up.
# Who is killed leaves the cleaning to the kernel, which takes a moment; at 0.01 seconds a probe of what can be made may still run.
signalled() {
    : >$state/said
    env --default-signal=INT "$hosts" run --hosts 3 --mpi none -- sh -c "$litter" >$state/said &
    run=$!
    if [ "$3" = ready ]; then await ready; else sleep "$3"; fi
    kill -s "$1" $run
    got=0 patience=0
    wait $run 2>/dev/null || got=$?
    [ "$got" -eq "$2" ] || failed "$1: exit code $got in place of $2"
    case $1/$3 in KILL/* | TERM/0.01) patience=20 ;; esac
    judge "a run that gets $1 ($3)" $patience
}

# keep: hosts that are kept, with a keyboard.
keep() {
    : >$state/said
    [ -p $state/keyboard ] || mkfifo $state/keyboard
    "$hosts" up --hosts 2 <$state/keyboard >$state/said &
    up=$!
    exec 5>$state/keyboard
    await Enter
}

# let_go NAME COMMAND...: ends them.
let_go() {
    name=$1 got=0
    shift
    "$@"
    wait $up || got=$?
    exec 5>&-
    [ $got -eq 0 ] || failed "$name: exit code $got of up"
    judge "$name"
}

look >$state/before

# What is left is found, or else the rest would prove nothing.
for left in "ip link add left type bridge" "mount -t tmpfs left /mnt" "touch /dev/shm/left" "ipcmk -M 4096" "sleep 1000 &"; do
    eval "$left" >/dev/null
    ! same 0 || failed "this test does not see: $left"
    ip link del left 2>/dev/null || true
    umount /mnt 2>/dev/null || true
    rm -f /dev/shm/left
    ipcrm --all=shm
    [ "${left%&}" = "$left" ] || kill $!
    wait
    same 0 || failed "this test cannot put right: $left"
done

ends 0 "a run" "$hosts" run --hosts 4 --ranks 2,1,1,3 --mpi none -- sh -c 'setsid sleep 1000 & : >/dev/shm/left'
ends 3 "a run that fails" "$hosts" run --mpi none -- sh -c 'exit 3'
ends 127 "a program that is not there" "$hosts" run --mpi none -- ./no-such-program 2>$state/said
mkdir $state/commands
for command in dirname grep sed tr uname unshare nsenter setpriv mount; do ln -s "$(command -v $command)" $state/commands; done
ends 77 "a machine without ip" env PATH=$state/commands /bin/sh "$hosts" check 2>$state/said
grep -q "no 'ip' (iproute2)" $state/said || failed "without ip: $(cat $state/said)"
signalled TERM 143 ready
signalled INT 130 ready
signalled HUP 129 ready
signalled KILL 137 ready
for seconds in 0.01 0.05 0.1 0.2; do
    signalled TERM 143 $seconds
    signalled KILL 137 $seconds
done
keep
[ "$("$hosts" enter host2 -- hostname 5>&-)" = host2 ] || failed "enter"
let_go "up, then down" "$hosts" down 5>&-
keep
: >$state/second
"$hosts" up --hosts 1 </dev/null >$state/second 5>&- &
second=$! got=0
until grep -q Enter $state/second; do sleep 0.05; done
"$hosts" enter host1 -- true 2>$state/which 5>&- || got=$?
[ $got -eq 2 ] && grep -q "which? Hosts are kept by:.* $second" $state/which || failed "two are up: $got, $(cat $state/which)"
"$hosts" down $second 5>&-
wait $second || failed "down with its process"
let_go "two up, then Enter" eval 'echo >&5'

[ $failures -eq 0 ] || exit 1
