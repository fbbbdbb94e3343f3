#!/bin/sh
# Hosts on one machine: N sets of Linux namespaces, each with its own network, name, shared memory and /sys, that MPI
# takes for separate nodes. `hosts.sh help` and docs/hosts.md say how to use it.
#
# All hosts live inside one process namespace. Its first process (inside.sh) ends when this script does, however that
# happens. The kernel then ends every process in the namespace, and the other namespaces, interfaces and mounts go
# with the last of them. So nothing has to be taken down by hand.
set -u
folder=$(cd "$(dirname "$0")" && pwd)

usage() {
    cat <<'END'
usage: hosts.sh run [OPTION...] -- PROGRAM [ARGUMENT...]
       hosts.sh up [OPTION...]
       hosts.sh enter [PID] HOST [-- COMMAND [ARGUMENT...]]
       hosts.sh down [PID]
       hosts.sh check | help

  run    makes the hosts, runs the program with one mpirun over all of them, takes them away.
         The exit code is the program's own (mpirun's)
  up     makes the hosts and keeps them until Enter, `hosts.sh down` or a signal
  enter  runs a command (a shell) on a host that `up` keeps; mpirun works there
  down   ends what `up` keeps
  check  says whether hosts can be made here

  --hosts N            how many, 1 to 100 (default: as many as --ranks lists, else 2)
  --ranks R[,R...]     ranks on each host, or on the first, second, ... (default 1)
  --mpi openmpi|mpich  whose mpirun starts the program
  --mpi none           no mpirun: the program runs once, on host1, and may call mpirun itself
  --mpiexec PROGRAM    the mpirun to use (default: mpirun.openmpi or mpirun.mpich, else mpirun)
  --order block|cyclic ranks in a row on a host (default), or dealt to the hosts in turn (MPICH: equal --ranks only)
  --bandwidth RATE     limit of each host in and out, such as 500kbit, 100mbit, 1gbit
  --sessions one|each  Open MPI's ranks of all hosts in one session (default), or each host's in its own

Exit codes: 2 wrong use; 77 hosts cannot be made here, and the message says what is missing; 1 hosts could not be made
though nothing is missing; else the program's own.
END
}

die() {
    code=$1
    shift
    printf 'hosts.sh: %s\n' "$*" >&2
    exit "$code"
}

is_number() { case $1 in '' | *[!0-9]* | ????* | 0?*) return 1 ;; esac; }

# in_range NUMBER LEAST MOST
in_range() { is_number "$1" && [ "$1" -ge "$2" ] && [ "$1" -le "$3" ]; }

# check_ranks LIST: sets given, how many it lists.
check_ranks() {
    given=0
    case ,$1, in *,,* | *[!0-9,]*) die 2 "--ranks '$1': must be a number or numbers with commas between, such as 2 or 3,1,2" ;; esac
    for number in $(printf %s "$1" | tr , ' '); do
        in_range "$number" 1 512 || die 2 "--ranks '$1': '$number' must be 1 to 512"
        given=$((given + 1))
    done
}

# spread LIST HOSTS: the ranks of each host.
spread() {
    list=$1
    while [ "$given" -lt "$2" ]; do
        list=$list,$1
        given=$((given + 1))
    done
    printf %s "$list"
}

# read_options OPTION...: what inside.sh reads is exported; sets taken, how many words were options.
read_options() {
    hosts='' ranks=1 mpi='' mpiexec='' order=block bandwidth='' sessions=one words=$#
    while [ $# -gt 0 ]; do
        case $1 in --) shift && break ;; esac
        case $1 in
        --hosts | --ranks | --mpi | --mpiexec | --order | --bandwidth | --sessions) ;;
        *) die 2 "unknown option '$1'; there are --hosts --ranks --mpi --mpiexec --order --bandwidth --sessions; \`--' comes before the program" ;;
        esac
        [ $# -ge 2 ] || die 2 "$1 needs a value"
        case $1 in
        --hosts) hosts=$2 ;;
        --ranks) ranks=$2 ;;
        --mpi) mpi=$2 ;;
        --mpiexec) mpiexec=$2 ;;
        --order) order=$2 ;;
        --bandwidth) bandwidth=$2 ;;
        --sessions) sessions=$2 ;;
        esac
        shift 2
    done
    taken=$((words - $#))
    check_options
    export HOSTS_COUNT="$hosts" HOSTS_RANKS="$ranks" HOSTS_MPI="$mpi" HOSTS_MPIEXEC="$mpiexec" \
        HOSTS_ORDER="$order" HOSTS_BANDWIDTH="$bandwidth" HOSTS_SESSIONS="$sessions"
}

check_options() {
    check_ranks "$ranks"
    if [ -z "$hosts" ]; then
        hosts=$given
        [ "$given" -gt 1 ] || hosts=2
    fi
    in_range "$hosts" 1 100 || die 2 "--hosts '$hosts': must be 1 to 100"
    [ "$given" -eq 1 ] || [ "$given" -eq "$hosts" ] ||
        die 2 "--ranks '$ranks': lists $given hosts, but --hosts is $hosts"
    [ "$given" -ne 1 ] || ranks=$(spread "$ranks" "$hosts")
    case $mpi in '' | openmpi | mpich | none) ;; *) die 2 "--mpi '$mpi': must be openmpi, mpich or none" ;; esac
    case $order in block | cyclic) ;; *) die 2 "--order '$order': must be block or cyclic" ;; esac
    case $sessions in one | each) ;; *) die 2 "--sessions '$sessions': must be one or each" ;; esac
    case $order,$mpi,$(printf %s "$ranks" | tr , '\n' | sort -u | wc -l) in
    cyclic,mpich,1) ;;
    cyclic,mpich,*) die 2 "--ranks '$ranks': must be the same on all hosts for --order cyclic, which MPICH's mpirun deals so" ;;
    esac
    [ -z "$bandwidth" ] || printf %s "$bandwidth" | grep -qxE '[1-9][0-9]{0,5}[kmg]bit' ||
        die 2 "--bandwidth '$bandwidth': must be a number and kbit, mbit or gbit, such as 100mbit"
}

# The mpirun for --mpi: the one of that name, else the one that says it is that MPI.
find_mpiexec() {
    case $mpi in
    none) return ;;
    '') die 2 "--mpi is missing: must be openmpi, mpich or none" ;;
    openmpi) says='Open MPI|OpenRTE|PRRTE' ;;
    mpich) says=HYDRA ;;
    esac
    for candidate in "${mpiexec:-mpirun.$mpi}" "${mpiexec:-mpirun}"; do
        if "$candidate" --version 2>/dev/null | grep -qE "$says"; then
            HOSTS_MPIEXEC=$(command -v "$candidate")
            return
        fi
    done
    [ -z "$mpiexec" ] || die 2 "--mpiexec '$mpiexec': is no mpirun of $mpi"
    die 77 "no mpirun of $mpi was found"
}

# has_capability BIT
has_capability() {
    mask=$(sed -n 's/^CapEff:[[:space:]]*//p' /proc/self/status)
    [ $((0x$mask >> $1 & 1)) -eq 1 ]
}

isolate='--pid --fork --kill-child=KILL --mount --mount-proc --propagation private --net --uts --ipc'

# Sets isolate, the options for unshare: root's way, or a user namespace of one's own where that is allowed.
find_way() {
    [ "$(uname -s)" = Linux ] || die 77 "hosts need Linux: not made"
    for command in unshare nsenter setpriv mount; do
        command -v $command >/dev/null || die 77 "no '$command' (util-linux): hosts not made"
    done
    for command in ip tc; do
        command -v $command >/dev/null || die 77 "no '$command' (iproute2): hosts not made"
    done
    command -v hostname >/dev/null || die 77 "no 'hostname': hosts not made"
    whys=
    for way in "$isolate" "--user --map-root-user $isolate"; do
        # shellcheck disable=SC2086 # several words
        if why=$(unshare $way true 2>&1); then
            isolate=$way
            return
        fi
        whys="${whys:+$whys; in a user namespace: }$why"
    done
    lacks=
    has_capability 21 || lacks="$lacks CAP_SYS_ADMIN"
    has_capability 12 || lacks="$lacks CAP_NET_ADMIN"
    die 77 "namespaces cannot be made here (${lacks:+missing:$lacks; }$whys): hosts not made"
}

# child_of PID
child_of() {
    sed -n "s/^Pid:[[:space:]]*//p;s/^PPid:[[:space:]]*//p" /proc/[0-9]*/status 2>/dev/null |
        awk -v parent="$1" "NR % 2 { pid = \$1; next } \$1 == parent { print pid; exit }"
}

# The first process inside is killed, not its parent: the parent's end then says that all of them are gone.
stop() {
    trap '' INT TERM HUP
    kill -KILL "$(child_of "$lab")" 2>/dev/null || kill -KILL "$lab" 2>/dev/null
    wait "$lab" 2>/dev/null
    [ "$1" = DOWN ] && exit 0
    trap - "$1"
    kill -s "$1" $$
}

# start COMMAND [ARGUMENT...]: inside.sh in namespaces of its own. A process that is started in the background ignores
# SIGINT and reads nothing, which is undone; and should this script be killed, the next does not outlive it. What unshare
# says of a child that was killed is not for the user: the inside has its errors go to 4. And 5 is what the inside can
# tell from that its parent, unshare, was killed before it had asked to be killed with it.
start() {
    lab=
    trap 'stop INT' INT
    trap 'stop TERM' TERM
    trap 'stop HUP' HUP
    (exec 3<&0) 2>/dev/null || exec </dev/null # closed
    (exec 3>&2) || exec 2>/dev/null
    exec 3<&0
    # shellcheck disable=SC2086,SC2016
    env --default-signal=INT,QUIT setpriv --pdeathsig KILL \
        sh -c '[ "$PPID" = "$0" ] && exec 5</proc/$$/stat && exec "$@"' $$ \
        unshare $isolate "$folder/inside.sh" "$@" <&3 3<&- 4>&2 2>/dev/null &
    lab=$!
    wait "$lab"
    code=$?
    trap - INT TERM HUP
    exit $code
}

# kept: the processes of this user's `up`, one a line.
kept() {
    for process in /proc/[0-9]*; do
        [ -O "$process" ] && tr "\0" "\n" 2>/dev/null <"$process/cmdline" | {
            read -r _ && read -r script && read -r verb &&
                case $script/$verb in *hosts.sh/up) echo "${process#/proc/}" ;; esac
        }
    done 2>/dev/null
}

# choose_kept [PID]: sets keeper, the one that is meant.
choose_kept() {
    all=$(kept)
    [ -n "$all" ] || die 2 "no hosts are up"
    keeper=${1:-$all}
    # shellcheck disable=SC2046,SC2086 # several words
    { is_long_number "$keeper" && printf '%s\n' "$all" | grep -qxF "$keeper"; } ||
        die 2 "which? Hosts are kept by:$(printf ' %s' $all)${1:+, not by $1}"
}

enter() {
    pid=''
    if is_long_number "${1:-}"; then
        pid=$1
        shift
    fi
    choose_kept "$pid"
    host=${1:-host1}
    [ $# -eq 0 ] || shift
    case ${1:-} in --) shift ;; '') ;; *) die 2 "'$1': \`--' comes before the command" ;; esac
    [ $# -gt 0 ] || set -- "${SHELL:-sh}"
    first=$(child_of "$(child_of "$keeper")")
    user=
    [ "$(readlink "/proc/$first/ns/user")" = "$(readlink /proc/self/ns/user)" ] || user='--user --preserve-credentials'
    # shellcheck disable=SC2086
    exec nsenter --target "$first" $user --mount --root --uts --ipc --net --pid "$folder/inside.sh" enter "$host" "$PWD" "$@"
}

is_long_number() { case $1 in '' | *[!0-9]*) return 1 ;; esac; }

command=${1:-}
[ $# -eq 0 ] || shift
case $command in
run)
    read_options "$@"
    shift "$taken"
    [ $# -gt 0 ] || die 2 "which program? It comes after \`--'"
    find_mpiexec
    find_way
    start run "$PWD" "$@"
    ;;
up)
    read_options "$@"
    shift "$taken"
    [ $# -eq 0 ] || die 2 "up takes no program ('$1'): enter the hosts, or use run"
    find_way
    trap 'stop DOWN' USR1
    start up $$
    ;;
enter) enter "$@" ;;
down)
    [ $# -le 1 ] || die 2 "down takes one process ('$2' is one more)"
    choose_kept "${1:-}"
    kill -USR1 "$keeper"
    while kill -0 "$keeper" 2>/dev/null; do sleep 0.05; done
    ;;
check)
    [ $# -eq 0 ] || die 2 "check takes no argument ('$1')"
    read_options --mpi none --bandwidth 1gbit
    find_way
    start run "$PWD" true
    ;;
help | -h | --help) usage ;;
*)
    usage >&2
    [ -z "$command" ] || die 2 "unknown command '$command'; there are run, up, enter, down, check, help"
    exit 2
    ;;
esac
