#!/bin/sh
# The inside of hosts.sh: the first process of the hosts' own process namespace, the setup of a host, and the start of
# commands on a host. All of this happens in namespaces that end with the first process; nothing outside is touched.
#
#   inside.sh run FOLDER PROGRAM [ARGUMENT...]     the first process: makes the hosts, runs, ends
#   inside.sh up PID                               the first process: makes the hosts, waits
#   inside.sh host NUMBER                          in the namespaces of a host: sets it up
#   inside.sh on HOST FOLDER COMMAND...            runs a command on a host
#   inside.sh enter HOST FOLDER COMMAND...         the same, from outside
set -eu
folder=$(cd "$(dirname "$0")" && pwd)
network=10.77.0 # there is no way out of these namespaces, so any private one will do
environment=/dev/shm/environment

die() {
    code=$1
    shift
    printf 'hosts.sh: %s\n' "$*" >&2
    exit "$code"
}

# need WHAT COMMAND...: a part of the kernel or a privilege that may be missing.
need() {
    what=$1
    shift
    why=$("$@" 2>&1) || die 77 "$what cannot be made here ($*: $why): hosts not made"
}

no_ipv6() { echo 1 >/proc/sys/net/ipv6/conf/all/disable_ipv6; } 2>/dev/null

host_names() {
    echo "127.0.0.1 localhost"
    number=1
    while [ "$number" -le "$HOSTS_COUNT" ]; do
        echo "$network.$number host$number"
        number=$((number + 1))
    done
}

# The bridge's side: the switch between the hosts.
make_switch() {
    need "a tmpfs" mount -t tmpfs -o mode=1777 hosts /dev/shm
    need "a bridge" ip link add name switch type bridge
    need "a pair of virtual interfaces" ip link add name probe type veth peer name other
    ip link del probe
    need "a /sys of a network" unshare --net --mount mount -t sysfs hosts /sys
    [ -z "$HOSTS_BANDWIDTH" ] || need "a limit of bandwidth" tc qdisc add dev lo root tbf rate 1gbit burst 64kb limit 1mb
    no_ipv6 || true
    ip link set switch up
    host_names >/dev/shm/names
    ln -s "$folder" /dev/shm/folder
    mount --bind /dev/shm/names /etc/hosts
}

make_hosts() {
    number=1 makers=
    while [ "$number" -le "$HOSTS_COUNT" ]; do
        unshare --net --uts --ipc --mount --propagation private "$folder/inside.sh" host $number >/dev/shm/host$number &
        makers="$makers $!"
        number=$((number + 1))
    done
    for maker in $makers; do
        wait "$maker" || die 1 "a host could not be set up"
    done
    number=1 HOSTS_PIDS=
    while [ "$number" -le "$HOSTS_COUNT" ]; do
        HOSTS_PIDS="$HOSTS_PIDS $(cat /dev/shm/host$number)"
        number=$((number + 1))
    done
    export HOSTS_PIDS
}

# limit INTERFACE: a millisecond's worth may pass at once, what is above waits in a long queue and is not lost.
limit() {
    number=${HOSTS_BANDWIDTH%?bit}
    case $HOSTS_BANDWIDTH in
    *kbit) burst=$((number / 8)) ;;
    *mbit) burst=$((number * 1000 / 8)) ;;
    *gbit) burst=$((number * 1000000 / 8)) ;;
    esac
    [ "$burst" -ge 3200 ] || burst=3200
    [ "$burst" -le 1000000000 ] || burst=1000000000 # tc counts in 32 bits
    tc qdisc add dev "$1" root tbf rate "$HOSTS_BANDWIDTH" burst "$burst" limit 32mb
}

# Runs in the new namespaces of host NUMBER; prints the process that keeps them.
make_host() {
    mount -t sysfs hosts /sys # UCX looks for interfaces there
    mount -t tmpfs -o mode=1777 hosts /dev/shm
    hostname "host$1"
    no_ipv6 || true
    ip link set lo up
    ip link add name eth0 type veth peer name "host$1" netns 1
    ip addr add "$network.$1/24" dev eth0
    ip link set eth0 up
    nsenter --target 1 --net ip link set "host$1" master switch up
    if [ -n "$HOSTS_BANDWIDTH" ]; then
        limit eth0
        nsenter --target 1 --net "$folder/inside.sh" limit "host$1"
    fi
    slots ' slots=' >/dev/shm/hosts.openmpi
    if [ "$HOSTS_ORDER" = cyclic ]; then
        slots : | sed 's/:.*/:1/' >/dev/shm/hosts.mpich # Hydra begins again at the end of the list
    else
        slots : >/dev/shm/hosts.mpich
    fi
    sleep infinity >/dev/null 2>&1 &
    echo $!
}

# slots SEPARATOR: a line for each host.
slots() {
    number=1
    for ranks in $(echo "$HOSTS_RANKS" | tr , ' '); do
        echo "host$number$1$ranks"
        number=$((number + 1))
    done
}

# quoted WORDS: as the shell reads them back.
quoted() { printf '%s\n' "$1" | sed -e "s/'/'\\\\''/g" -e "1s/^/'/" -e "\$s/\$/'/"; }

# What all MPIs read (Open MPI up to version 4 the names of ORTE, from 5 on those of PRRTE): who the hosts are, how to start a process there, which network to use.
set_environment() {
    HOSTS_TOTAL=$(($(echo "$HOSTS_RANKS" | tr , +)))
    # Other hosts' ranks are on the same cores: where they are more, a rank that waits must not burn the one that its
    # partner needs. Open MPI sees the ranks of one host only.
    yields=0
    threads=${OMP_NUM_THREADS:-1}
    threads=${threads%%,*}
    case $threads in '' | *[!0-9]*) threads=1 ;; esac
    [ $((HOSTS_TOTAL * threads)) -le "$(nproc)" ] || yields=1
    mapping=slot
    [ "$HOSTS_ORDER" = block ] || mapping=node
    # The scheduler shares the cores among sessions, and a yield stays in its own. Real hosts have a scheduler each; these
    # have one, whose sessions would take turns. A daemon that stays attached to its launcher begins no session.
    attached=0
    [ "$HOSTS_SESSIONS" = each ] || attached=1
    # Open MPI from version 5 on starts ranks by PRRTE, which names things anew from time to time.
    binding=hwloc_default_binding_policy maps=rmaps_default_mapping_policy
    prterun --version 2>/dev/null | grep -q 'PRRTE) [123]\.' || binding=bindto maps=mapby
    launcher=/proc/1/root/dev/shm/folder/launch.sh # a path without spaces, which MPI would divide
    cat <<END
export HOSTS_PIDS='$HOSTS_PIDS' HOSTS_COUNT=$HOSTS_COUNT HOSTS_RANKS=$HOSTS_RANKS HOSTS_TOTAL=$HOSTS_TOTAL
export TMPDIR=/dev/shm
unset OMPI_MCA_orte_tmpdir_base
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_orte_default_hostfile=/dev/shm/hosts.openmpi OMPI_MCA_plm=rsh OMPI_MCA_plm_rsh_agent=$launcher
export OMPI_MCA_plm_rsh_no_tree_spawn=1 OMPI_MCA_oob_tcp_if_include=eth0
export OMPI_MCA_pml=ob1 OMPI_MCA_btl=vader,tcp,self OMPI_MCA_btl_tcp_if_include=eth0
export OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_rmaps_base_mapping_policy=$mapping
export OMPI_MCA_mpi_yield_when_idle=$yields OMPI_MCA_orte_leave_session_attached=$attached
export PRTE_MCA_prte_default_hostfile=/dev/shm/hosts.openmpi PRTE_MCA_plm=ssh PRTE_MCA_plm_ssh_agent=$launcher
export PRTE_MCA_plm_ssh_no_tree_spawn=1 PRTE_MCA_prte_if_include=eth0 PRTE_MCA_prte_leave_session_attached=$attached
export PRTE_MCA_$binding=none PRTE_MCA_$maps=$mapping
${preload:+export LD_PRELOAD=$(quoted "$preload")}
export HYDRA_HOST_FILE=/dev/shm/hosts.mpich HYDRA_LAUNCHER=ssh HYDRA_LAUNCHER_EXEC=$launcher HYDRA_IFACE=eth0
export FI_TCP_IFACE=eth0
END
}

# MPICH before 4.2 over UCX does not get out of MPI_Finalize when there is more than one rank on a host: disconnect.c.
make_disconnect() {
    [ "$HOSTS_MPI" != openmpi ] && mpiexec=$(command -v "${HOSTS_MPIEXEC:-mpirun.mpich}" || command -v mpirun) || return 0
    "$mpiexec" --version 2>/dev/null | tr '\n' ' ' | grep -q ' Version: *\(3\|4\.[01]\)\..*device=ch4:ucx' || return 0
    if cc -shared -fPIC -o /dev/shm/disconnect.so "$folder/disconnect.c"; then
        preload=/proc/1/root/dev/shm/disconnect.so${LD_PRELOAD:+:$LD_PRELOAD} # one file for all hosts
    else
        echo "hosts.sh: without a C compiler, programs with this MPICH may not end" >&2
    fi
}

make_all() {
    preload=${LD_PRELOAD:-}
    make_switch
    make_disconnect
    make_hosts
    set_environment >$environment
    # shellcheck source=/dev/null
    . $environment
}

# on HOST FOLDER COMMAND...
on_host() {
    number=${1#host}
    case $number in 0* | *[!0-9]*) number= ;; esac
    [ "$1" = "host$number" ] && [ -n "$number" ] || die 2 "'$1' is no host; there are host1 to host$HOSTS_COUNT"
    where=$2
    shift 2
    # shellcheck disable=SC2086
    pid=$(echo $HOSTS_PIDS | cut -d ' ' -f "$number")
    [ -n "$pid" ] || die 2 "'host$number' is no host; there are host1 to host$HOSTS_COUNT"
    exec nsenter --target "$pid" --net --uts --ipc --mount --root env -C "$where" "$@"
}

command=$1
shift
# The first process is killed with its parent, from the moment on when unshare has arranged that. Was it too late?
first_process() {
    exec 2>&4 4>&-
    read -r _ _ state _ <&5 2>/dev/null || exit 1
    exec 5<&-
    case $state in Z | X) exit 1 ;; esac
}

case $command in run | up) first_process ;; esac
case $command in
run)
    make_all
    where=$1
    shift
    [ "$HOSTS_MPI" = none ] || set -- -n "$HOSTS_TOTAL" "$@"
    # PRRTE has no variable for that.
    [ "$HOSTS_MPI,$HOSTS_SESSIONS" != openmpi,one ] || set -- --leave-session-attached "$@"
    [ "$HOSTS_MPI" = none ] || set -- "$HOSTS_MPIEXEC" "$@"
    (on_host host1 "$where" "$@") && code=0 || code=$?
    exit "$code"
    ;;
up)
    make_all
    echo "up, kept by process $1:"
    tail -n +2 /dev/shm/names
    echo "  $folder/hosts.sh enter $1 host1"
    echo "  $folder/hosts.sh down $1         (or Enter here)"
    read -r _ || sleep infinity
    ;;
host) make_host "$1" ;;
limit) limit "$1" ;;
on) on_host "$@" ;;
enter)
    # shellcheck source=/dev/null
    . $environment
    on_host "$@"
    ;;
esac
