# What the scripts of tests/reliability share. Each is called as SCRIPT BUILD short|long, prints lines
#
#   KIND TRIED LOST HUNG CRASHED LEFT
#
# and ends with 1 where one of the last four is not 0. KIND may have spaces. What went wrong goes to standard error.
# The scripts run inside hosts (tests/hosts/hosts.sh), whose processes and shared memory are theirs alone.
. "$(dirname "$0")/../functions.sh"
hosts=$(cd "$(dirname "$0")/../hosts" && pwd)/hosts.sh
script=$(realpath "$0")
build=$(realpath "${1:?usage: $0 BUILD short|long}")
form=${2:-short}
mpiexec=$(setting MPIEXEC_EXECUTABLE)
mpi=$(setting STRATA_MPI)
faulting=$build/tests/libfaulting.so
[ -e "$faulting" ] || { echo "$0: $faulting is not built" >&2; exit 2; }
tried=0 lost=0 hung=0 crashed=0 left=0

# on_hosts RANKS[,RANKS...] WORD...: runs this script again inside such hosts, with the words behind the form.
on_hosts() {
    list=$1
    shift
    # MPICH's ranks let others run (cmake/StrataTest.cmake).
    yield=$build/tests/libyield_mpich.so
    [ -e "$yield" ] || yield=
    # What ranks look for as they start takes long, and serves nothing here.
    # ORTE gives the ranks that a failed one leaves two seconds.
    env OMPI_MCA_odls_base_sigkill_timeout=0 ${yield:+LD_PRELOAD="$yield"} HWLOC_PLUGINS_PATH=/nonexistent HWLOC_COMPONENTS=-linux:0x18 OMP_WAIT_POLICY=passive \
        "$hosts" run --hosts "$(echo "$list" | tr , '\n' | wc -l)" --ranks "$list" --mpi none -- "$script" "$build" "$form" "$@" || failed=1
}

# Files of shared memory and temporary ones, of all hosts, which are "HOST PATH"; those of hosts.sh are there from the
# start. Files that have no name, as Strata's have, are in "HOST KB", what is used of /dev/shm. TMPDIR is /dev/shm, or a
# folder that a script made for it. Hosts share /tmp with all of the machine, and scripts have their own files there.
files() {
    number=1
    while [ "$number" -le "$HOSTS_COUNT" ]; do
        "$(dirname "$hosts")/inside.sh" on host$number / \
            sh -c 'find /dev/shm "$TMPDIR" -mindepth 1 | sort -u; df --output=used -k /dev/shm | tail -n 1 | tr -d " "' | sed "s/^/host$number /"
        number=$((number + 1))
    done | sort
}

# memory FILE: the KB of all hosts, of what `files` told.
memory() { awk '$2 !~ "/" { sum += $2 } END { print sum + 0 }' "$1"; }

# Processes that still run one of the programs of this build.
ranks() {
    for process in /proc/[0-9]*; do
        program=$(readlink "$process/exe") && case $program in "$build"/*) echo "${process#/proc/}" ;; esac
    done 2>/dev/null
}

begin() {
    work=$(TMPDIR=/tmp mktemp -d)
    at_exit 'rm -rf "$work"'
    files >"$work/before"
}

# look NAME: what stays after the job, and takes it away.
look() {
    patience=60
    while
        still=$(ranks)
        [ -n "$still" ] || files >"$work/now"
        [ -n "$still" ] || [ "$(memory "$work/now")" -gt "$(memory "$work/before")" ]
    do
        patience=$((patience - 1))
        [ $patience -gt 0 ] || break
        sleep 0.1
    done
    [ -z "$still" ] || files >"$work/now"
    more=$(($(memory "$work/now") - $(memory "$work/before")))
    grep / "$work/now" | comm -13 "$work/before" - >"$work/left"
    if [ -n "$still" ] || [ -s "$work/left" ] || [ $more -gt 0 ]; then
        left=$((left + 1))
        echo "$1: left behind: ${still:+processes $still }$more KB $(tr '\n' ' ' <"$work/left")" >&2
        # shellcheck disable=SC2086 # several numbers
        [ -z "$still" ] || kill -KILL $still 2>/dev/null
        while read -r host file; do "$(dirname "$hosts")/inside.sh" on "$host" / rm -rf "$file"; done <"$work/left"
    fi
}

# job_ended: Open MPI's launcher said of the last job that a rank failed and the others were aborted. Then it may wait for
# ever for a lock of its own, in PMIx_server_finalize: once in 150 jobs in which a rank failed in MPI_Init.
job_ended() { grep -q '^Primary job  terminated normally, but' "$work/said"; }

# try NAME SECONDS PROGRAM...: one job of HOSTS_TOTAL ranks; sets got. Its output is in $work/said, and what faulting.c
# tells of its fault in $work/told.
try() {
    name=$1 limit=$2 got=0
    shift 2
    tried=$((tried + 1))
    : >"$work/told"
    began=$(date +%s)
    # shellcheck disable=SC2086 # several words
    timeout -k 5 "$limit" ${around:-} "$mpiexec" ${options:-} -n "$HOSTS_TOTAL" env FAULTING_TELLS="$work/told" "$@" >"$work/said" 2>&1 </dev/null || got=$?
    wrong='' ended=$(date +%s)
    if [ $((ended - began)) -ge "$limit" ] && ! job_ended; then
        wrong="hung"
    fi
    if grep -qE 'does not hold|lost:|^wrong: ' "$work/said"; then
        wrong="lost"
    fi
    case $mpi,$got in # where a rank ends soon, Open MPI says this only
    openmpi,132 | openmpi,13[4569]) echo "signal $((got - 128))" >>"$work/said" ;;
    esac
    if grep -qiE 'segmentation fault|\(SIG(SEGV|BUS|ABRT|FPE|ILL)\)|signal (4|6|7|8|11)\b|signal: (aborted|bus error|illegal instruction)|sanitizer' "$work/said"; then
        wrong="crashed"
    fi
    case $wrong in # a job counts once
    hung) hung=$((hung + 1)) ;;
    lost) lost=$((lost + 1)) ;;
    crashed) crashed=$((crashed + 1)) ;;
    esac
    [ -z "$wrong" ] || { echo "$name: $wrong, exit code $got: $*" >&2; tail -n 30 "$work/said" >&2; }
    look "$name"
}

# came RANKS: the fault of FAULTING has come in the last job, on at least so many ranks.
came() { [ "$(grep -c 'the fault has come' "$work/told")" -ge "$1" ]; }

# end KIND
end() {
    echo "$1 $tried $lost $hung $crashed $left"
    [ $((lost + hung + crashed + left)) -eq 0 ] && [ "$failed" -eq 0 ]
}
