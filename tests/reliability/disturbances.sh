#!/bin/sh
# Something is short or disturbs the ranks: shared memory, files, address space, locked memory, signals, a rank that
# stands still, children, an operator that aborts, a handler that jumps, ranks with different settings or without Strata.
# The short form leaves out ranks that are linked without Strata: `mpi/partly_strata` has them.
# Where a program runs right on MPI alone, it runs right with Strata, preloaded and by its own calls.
#   disturbances.sh BUILD short|long
set -u
. "$(dirname "$0")/functions.sh"
calls=$build/tests/reliability_calls
preload=$build/libstrata_preload_$mpi.so
before=${LD_PRELOAD:-}

if [ -z "${3:-}" ]; then
    "$hosts" check || exit
    on_hosts 3 here
    [ "$form" = short ] || on_hosts 2,1 over
    exit $failed
fi

seconds=0.25 reached=0
[ "$form" = short ] || seconds=2
rows=0

# with LIBRARY...: what stands before the program's own libraries.
with() { echo "LD_PRELOAD=$(echo "$*" | tr ' ' :)"; }

# well: the last job ended as it is expected to.
well() { [ "$got" -eq $expected ] && { [ $expected -ne 0 ] || grep -q '^all right' $work/said; }; }

# once KIND TOPOLOGY WAY: one job with the words and the mode of the row.
once() {
    program=${calls}_preloaded library='' meet=''
    case $3 in
    preloaded) library=$preload ;;
    direct) program=$calls ;;
    alone) meet=meet ;;
    esac
    # shellcheck disable=SC2086 # several words
    try "$1, $3, $2" 40 env STRATA_TOPO="${2#hosts}" "$(with $before $faulting $library)" $words "$program" $meet $mode
}

none() { tried=0 lost=0 hung=0 crashed=0 left=0; }

# set_up: gives /dev/shm its size, and says whether a program starts at all after the words and what stands around the
# job. A fault tells itself whether it comes.
set_up() {
    [ -z "$size" ] || mount -o remount,size="$size" /dev/shm || return
    # shellcheck disable=SC2086 # several words
    case $words in *FAULTING=*) ;; *) $around $words true ;; esac
} >$work/said 2>&1 </dev/null

# row KIND WORD... -- MODE...: on all topologies, of which one may be hosts. The words are a command that starts the
# program, such as prlimit or env. The short form takes one case of four. Where Strata fails, MPI alone is asked: what it
# cannot do is not asked of Strata. FAULTING in the words must make its fault on $faulty ranks. A job in which it does
# not is none that was tried, and is lost unless $seldom says that there may be no such place.
row() {
    kind=$1$over words=
    shift
    while [ "$1" != -- ]; do
        words="$words $1"
        shift
    done
    shift
    mode=$* rows=$((rows + 1)) number=$rows absent=0 false=0 own=0
    none
    : >$work/why
    if ! set_up; then # MPI alone would fail, too
        echo "$kind: the set-up fails:${size:+ /dev/shm of $size,}${around:+ $around}$words: $(cat $work/said)" >&2
        tried=1 lost=1
        end "$kind" || failed=1
        return
    fi
    for topology in $topologies; do
        for way in direct preloaded; do
            number=$((number + 1))
            [ "$form" = long ] || [ $((number % 4)) -eq 0 ] || continue
            once "$kind" $topology $way 2>>$work/why
            judge "$kind, $way, $topology" 2>>$work/why
        done
    done
    tried=$((tried - absent)) reached=$((reached + tried))
    [ -n "$seldom" ] || lost=$((lost + absent))
    [ $expected -ne 0 ] || [ $((lost + hung + crashed)) -eq 0 ] || excuse
    end "$kind" || failed=1
    [ $absent -eq 0 ] || echo "$kind, not reached $absent 0 0 0 0"
    cat $work/why >&2
}

# in_mpi: the last job crashed in MPI_Init, below which no frame is Strata's. So does MPICH on UCX where files are short,
# now and then; at other times it ends with an error.
in_mpi() { awk '/libstrata/ { exit } /libmpi[a-z]*\.so.*MPI_Init/ { own = 1; exit } END { exit !own }' $work/said; }

# in_launcher: the last job stood still because /dev/shm was too small for Open MPI's launcher.
in_launcher() { [ -n "$size" ] && grep -q 'PMIX ERROR: OUT-OF-RESOURCE in file .*dstore_segment.c' $work/said; }

# judge NAME: the last job, for what `try` does not count.
judge() {
    if [ "$wrong" = hung ] && in_launcher; then
        hung=$((hung - 1)) wrong=''
    fi
    if ! well; then
        [ -n "$wrong" ] || lost=$((lost + 1))
        echo "$1: exit code $got" >&2
        tail -n 20 $work/said >&2
    fi
    [ "$wrong" != crashed ] || ! in_mpi || own=$((own + 1))
    # a wrong number, and not an error of a call
    ! grep -qE 'lost: rank [0-9]+: an? ' $work/said || false=$((false + 1))
    case $words in
    *FAULTING=*) came $faulty || { absent=$((absent + 1)); echo "$1: the fault did not come" >&2; } ;;
    esac
}

# excuse: of what went wrong, takes out what goes wrong with MPI alone, too. Wrong numbers stay. So does a job that hangs
# or crashes, but not in MPI_Init, where MPI alone, which may do that sometimes, ends with an error each time. The files
# left are MPI's then. MPI alone makes a call first that does not block, as Strata does.
excuse() {
    # shellcheck disable=SC2086 # several numbers
    set -- $tried $lost $hung $crashed $left
    none
    fails=
    for attempt in 1 2 3 4 5 6 7 8; do
        once "$kind" hosts alone 2>/dev/null
        well || fails=$attempt
        [ $(($3 * !hung + $4 * !crashed)) -gt 0 ] || break
    done
    if [ -n "$fails" ]; then
        kind="$kind, where MPI alone fails"
        set -- "$1" $false $(($3 * !hung)) $((($4 - own) * !crashed)) 0
    fi
    tried=$1 lost=$2 hung=$3 crashed=$4 left=$5
}

# only RANK WORD...: a command that puts the words before the program on this rank alone, and where there are no ranks.
only() {
    file=$work/only
    {
        echo '#!/bin/sh'
        echo "[ \"\${OMPI_COMM_WORLD_RANK:-\${PMI_RANK:-$1}}\" != $1 ] || exec ${2} \"\$@\""
        # shellcheck disable=SC2016
        echo 'exec "$@"'
    } >$file
    chmod +x $file
    echo $file
}

# A rank without the preload library makes the others wait in MPI_Init. They say so, and STRATA_STRICT ends the job.
preloaded_in_some() {
    none
    for rank in 0 2; do
        try "preloaded, but not in rank $rank" 30 env STRATA_STRICT=1 STRATA_STALL=2 "$(with $before $preload)" \
            "$(only $rank "env LD_PRELOAD=$before")" "${calls}_preloaded" again $seconds
        if [ $got -eq 0 ] || ! grep -q 'has waited 2 s in MPI_Init.*without libstrata_preload' $work/said; then
            lost=$((lost + 1))
            { echo "preloaded, but not in rank $rank: exit code $got" && cat $work/said; } >&2
        fi
    done
    end "preloaded in some ranks only$over" || failed=1
}

# A rank that calls MPI's own collectives makes the others wait, and they say so; nothing ends that.
linked_in_some() {
    none
    around="timeout -k 5 6"
    for rank in 0 2; do
        # shellcheck disable=SC2016
        try "Strata called, but not in rank $rank" 30 env STRATA_STALL=2 "$(with $before)" \
            "$(only $rank 'sh -c '"'shift; exec ${calls}_preloaded \"\$@\"' sh")" "$calls" again $seconds
        if [ $got -ne 124 ] || ! grep -q 'has waited 2 s in the first call of a communicator' $work/said; then
            lost=$((lost + 1))
            { echo "Strata called, but not in rank $rank: exit code $got" && cat $work/said; } >&2
        fi
    done
    around=
    end "Strata called in some ranks only$over" || failed=1
}

begin
export STRATA_TRIAL=off STRATA_ALLREDUCE=node_allreduce STRATA_ALLTOALLV=leaders
expected=0 faulty=$HOSTS_TOTAL seldom='' size='' around='' over='' topologies="node:1 node:2"
[ "$3" = here ] || { over=", hosts" topologies=hosts; }
preloaded_in_some
[ "$form" = short ] || linked_in_some
row "signals at 1 kHz" env FAULTING=tick,-1,0 -- again $seconds
row "signals at 1 kHz, calls begin again" env FAULTING=ticks,-1,0 -- again $seconds
faulty=1
row "a rank stopped" env FAULTING=stop,1,300 -- again $seconds
row "children, while the ranks go on" -- fork $seconds
row "a longjmp out of an error handler" -- jump
row "different settings" "$(only 1 "env STRATA_ALLTOALLV=linear STRATA_BUDGET=64K STRATA_SINGLE_COPY=0 STRATA_TRIAL=all")" -- again $seconds
for number in 16 48; do
    row "$number files on one rank" "$(only 2 "prlimit --nofile=$number")" -- again $seconds
done
row "24 files on all ranks" prlimit --nofile=24 -- again $seconds
# Over TCP UCX alone stands still or aborts now and then near 150 MB.
for mb in $([ "$3" = here ] && echo 150 || echo 200) 500; do
    row "$mb MB of address space on one rank" "$(only 0 "prlimit --as=${mb}000000")" -- again $seconds
done
row "no locked memory" prlimit --memlock=0 -- again $seconds
if [ "$3" = over ]; then
    expected=5
    row "MPI_Abort in an operator" -- abort
    exit $failed
fi
# Here MPICH alone may stand still until its time is over.
[ "$form,$mpi" = short,mpich ] || row "files of 1 MB at most" prlimit --fsize=1000000 -- again $seconds
seldom=1 reached=0
for rank in 0 2; do
    for k in $(seq $([ "$form" = short ] && echo 1 || echo 12)); do
        row "an early mapping refused" env FAULTING=map,$rank,$k -- again 0.1
    done
done
least=$([ "$form" = short ] && echo 1 || echo 40)
[ $reached -ge $least ] || fail "$reached early mappings were reached, and not $least"

# MPI itself needs shared memory, unless it is told to do without.
export OMPI_MCA_btl=tcp,self MPIR_CVAR_NOLOCAL=1 UCX_TLS=tcp,self
used=$(df --output=used -k /dev/shm | tail -n 1)
for more in 64 1000 20000; do
    size=$((used + more))k
    row "$more KB of /dev/shm" -- again $seconds
done
size=200m seldom=''
cat >$work/fill <<'FILL'
{
    sleep 1
    dd if=/dev/zero of=/dev/shm/faults.full bs=1M 2>/dev/null
    [ "$(df --output=avail -k /dev/shm | tail -n 1)" -ne 0 ] || echo "the fault has come" >>"$FAULTING_TELLS"
    sleep 2
    rm /dev/shm/faults.full
} &
"$@"
code=$?
wait # for the file to go
exit $code
FILL
row "/dev/shm full later" env FAULTING=fill "$(only 0 "sh $work/fill")" -- again 4
size=50%

# Read only, and with no room, as where there is none.
cat >$work/around <<'AROUND'
{ mkdir -p /tmp/shm.$$ && cp /dev/shm/hosts.* /tmp/shm.$$ && mount -t tmpfs none /dev/shm && cp /tmp/shm.$$/* /dev/shm &&
    rm -r /tmp/shm.$$ && mount -o remount,ro /dev/shm && exec "$@"; exit 9; }
AROUND
around="unshare --mount sh $work/around"
TMPDIR=$(mktemp -d /tmp/faults.XXXXXX)
export TMPDIR
row "no /dev/shm" -- again $seconds
rm -rf "$TMPDIR"
export TMPDIR=/dev/shm
around=

expected=5
row "MPI_Abort in an operator" -- abort
exit $failed
