#!/bin/sh
# Measures Strata beside each configuration of an MPI that a knowing user would try (bench/peers.txt). `peers.sh --help`
# and docs/benchmarks.md say how to use it.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
rows=$root/bench/peers.txt

usage() {
    cat <<'END'
usage: bench/peers.sh [OPTION...] BUILD...
       bench/peers.sh --list

Each configuration of an MPI is a launch of its own. In every launch strata_bench times Strata's calls and MPI's in
turn. A report of each launch is kept, and is not measured again; so a run that was interrupted goes on where it stopped.

  BUILD              a build with strata_bench, such as build/openmpi; several of them, one for each MPI
  --peer NAME,...    the configurations; all that differ at a place unless given
  --places P,...     RANKS on this host, or HOSTSxRANKS in namespaces; 2,16,4x2,4x4 unless given
  --bytes N,...      as for strata_bench; 8,64,512,4K,32K,256K,1M unless given
  --quick            --bytes 8,512,32K,1M
  --collective NAME,...  as for strata_bench; all unless given
  --most N           the most bytes that a call may bring to all ranks together; 16M unless given
  --batches N, --seconds S   as for strata_bench; 20 and 0.003 unless given
  --table FILE       configurations of one's own, in the form of bench/peers.txt
  --out FOLDER       where the reports lie; build/peers unless given. Tables for docs/performance/ are put there, too
  --plan             only says what would be run, and how long it would take
  --list             lists the configurations

Exit codes: 2 wrong use; 1 a launch failed, and the message says which; 77 nothing can be measured here; else 0.
END
}

die() {
    code=$1
    shift
    printf 'peers.sh: %s\n' "$*" >&2
    exit "$code"
}

# each_row COMMAND...: calls it with name, MPI, least version, where, settings and what it is of each row in turn.
each_row() {
    while IFS='|' read -r name family least where settings what; do
        case $name in '' | '#'*) continue ;; esac
        # shellcheck disable=SC2086 # without the blanks around
        "$@" "$(word $name)" "$(word $family)" "$(word $least)" "$(word $where)" "$(word $settings)" "$(word $what)"
    done <"$rows"
}
word() { printf %s "$*"; }

list_row() { printf '%-15s %-8s %-4s %-10s %s\n%40s%s\n' "$1" "$2" "$3" "$4" "$6" '' "${5:-no settings}"; }
echo_name() { echo "$1"; }

# to_bytes SIZE: as a number.
to_bytes() { printf '%s\n' "$1" | awk '{ n = $1 + 0; if (/[kK]/) n *= 1024; if (/[mM]/) n *= 1048576; printf "%d", n }'; }

read_options() {
    places=2,16,4x2,4x4 chosen='' bytes=8,64,512,4K,32K,256K,1M collectives=all most=16M batches=20 seconds=0.003
    out=build/peers plan='' command="bench/peers.sh${*:+ $*}"
    while [ $# -gt 0 ]; do
        case $1 in
        --help | -h) usage && exit 0 ;;
        --list) each_row list_row && exit 0 ;;
        --plan) plan=1 ;;
        --quick) bytes=8,512,32K,1M ;;
        --peer | --places | --bytes | --collective | --most | --batches | --seconds | --table | --out)
            [ -n "${2:-}" ] || die 2 "$1 needs a value"
            case $1 in
            --peer) chosen=$2 ;;
            --places) places=$2 ;;
            --bytes) bytes=$2 ;;
            --collective) collectives=$2 ;;
            --most) most=$2 ;;
            --batches) batches=$2 ;;
            --seconds) seconds=$2 ;;
            --table) rows=$2 ;;
            --out) out=$2 ;;
            esac
            shift
            ;;
        -*) die 2 "unknown option '$1'; --help lists the options" ;;
        *) break ;;
        esac
        shift
    done
    builds=$*
    check_options
}

check_options() {
    [ -r "$rows" ] || die 2 "--table '$rows' cannot be read"
    names=$(each_row echo_name | sort -u)
    for peer in $(printf %s "$chosen" | tr , ' '); do
        # shellcheck disable=SC2086 # several words
        printf '%s\n' "$names" | grep -qxF "$peer" || die 2 "--peer '$peer': must be of $(word $names)"
    done
    for place in $(printf %s "$places" | tr , ' '); do
        printf %s "$place" | grep -qxE '[1-9][0-9]{0,2}(x[1-9][0-9]{0,2})?' ||
            die 2 "--places '$place': must be RANKS or HOSTSxRANKS, such as 16 or 4x2"
    done
    for size in $(printf %s "$bytes,$most" | tr , ' '); do
        printf %s "$size" | grep -qxE '[0-9]+[kKmM]?' || die 2 "'$size' is no number of bytes"
    done
    [ -n "$builds" ] || die 2 "which build? Such as build/openmpi"
    for build in $builds; do
        [ -x "$build/bench/strata_bench" ] || die 2 "no bench/strata_bench in '$build': cmake --build $build --target strata_bench"
    done
}

cache() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"; }

# start COMMAND...: runs it so that a signal ends it with this script.
start() {
    "$@" </dev/null &
    child=$!
    trap 'kill $child 2>/dev/null; wait $child; exit 130' HUP INT TERM
    wait $child
    code=$?
    trap - HUP INT TERM
    return $code
}

# ranks_of PLACE: how many there are in all. is_crowded PLACE: whether there are more of them than cores.
ranks_of() { case $1 in *x*) echo $((${1%x*} * ${1#*x})) ;; *) echo "$1" ;; esac; }
is_crowded() { [ "$(ranks_of "$1")" -gt "$(nproc)" ]; }

# launch PLACE SETTINGS LIMIT OPTION...: starts strata_bench there. Ranks that share cores yield.
launch() {
    place=$1 set=$2 limit=$3
    shift 3
    set -- "$build/bench/strata_bench" "$@"
    case $place,$mpi in
    *x*) set -- "$root/tests/hosts/hosts.sh" run --hosts "${place%x*}" --ranks "${place#*x}" --mpi "$mpi" --mpiexec "$mpiexec" -- "$@" ;;
    *,openmpi)
        if is_crowded "$place"; then
            set -- --oversubscribe --mca mpi_yield_when_idle 1 -n "$place" "$@"
        else
            set -- -n "$place" "$@"
        fi
        set -- "$mpiexec" "$@"
        ;;
    *) set -- "$mpiexec" -n "$place" "$@" ;;
    esac
    if [ "$mpi" = mpich ] && is_crowded "$place" && make_yield; then
        set="$set LD_PRELOAD=$yield"
    fi
    # shellcheck disable=SC2086 # several settings
    start timeout -k 10 "$limit" env $set "$@"
}

# MPICH's ranks spin unless this library lets others run.
make_yield() {
    yield=$(cd "$out" && pwd)/$key-yield.so
    [ -e "$yield" ] || cc -O2 -shared -fPIC -o "$yield" "$root/tests/yield_mpich.c" -ldl
}

# add_settings ROW...: adds to all the settings that MPI itself reads.
add_settings() {
    [ "$2" = "$mpi" ] || return 0
    for setting in $5; do
        case $setting in OMPI_MCA_* | MPIR_CVAR_*) all="$all $setting" ;; esac
    done
}

# ask: sets version, key, whether the MPI sees nodes (sees), and the settings it does not know (unknown).
ask() {
    short="--collective barrier --batches 1 --seconds 0.0001"
    mpi=$(cache STRATA_MPI) mpiexec=$(cache MPIEXEC_EXECUTABLE) all=''
    case $mpi in openmpi | mpich) ;; *) die 2 "'$build' is a build for $mpi; there are configurations of openmpi and mpich" ;; esac
    # shellcheck disable=SC2086
    launch 2 "" 120 $short >"$out/asked" 2>&1 || { cat "$out/asked" >&2; die 1 "strata_bench of '$build' does not run"; }
    version=$(sed -n 's/^# mpi: [^0-9]*//p' "$out/asked")
    key=$mpi-$version keys="$keys $key"
    sees=$(sed -n "s/^# mpi's nodes: //p" "$out/asked")
    each_row add_settings
    # One rank alone, so that no configuration can do harm. Where one does, its own launch will say so.
    # shellcheck disable=SC2086
    launch 1 "$all" 120 $short >"$out/asked" 2>&1
    unknown=$(grep "^# mpi's collectives:" "$out/asked" | tr , '\n' | sed -n 's/.*[ :]\([A-Za-z_0-9]*\)=.* (unknown.*/\1/p')
    rm -f "$out/asked"
}

# is_below VERSION LIMIT: by the first two numbers.
is_below() {
    awk -v version="$1" -v limit="$2" 'BEGIN {
        split(version, a, ".")
        split(limit, b, ".")
        exit !(a[1] + 0 < b[1] + 0 || (a[1] + 0 == b[1] + 0 && a[2] + 0 < b[2] + 0))
    }'
}

# why_not WHERE VERSIONS SETTINGS: prints why this MPI has nothing to measure there.
why_not() {
    first=${3%%=*}
    first=${first#OMPI_MCA_}
    if is_below "$version" "${2%-*}"; then
        echo "needs version ${2%-*}"
    elif printf '%s\n' "$unknown" | grep -qxF "${first:-none}"; then
        echo "this MPI has no $first"
    elif [ "${1#node}" != "$1" ] && [ "$sees" -ne 1 ]; then
        echo "this MPI takes every rank for a host of its own"
    elif [ -n "$chosen" ]; then
        return
    elif [ "${2#*-}" != "$2" ] && ! is_below "$version" "${2#*-}"; then
        echo "this MPI is so as it is"
    else
        case $1,$place in
        *hosts,*x*) ;;
        *hosts,*) echo "differs over several hosts only" && return ;;
        *here,*x*) echo "serves one host only" && return ;;
        esac
        case $1 in *cores*) ! is_crowded "$place" || echo "its ranks spin, so each needs a core" ;; esac
    fi
}

# leave_out: sets too_large, a filter of the cases whose calls bring more than --most to all ranks together.
leave_out() {
    ranks=$(ranks_of "$place") long=''
    for size in $(printf %s "$bytes" | tr , ' '); do
        size=$(to_bytes "$size")
        [ $((ranks * ranks * size)) -le "$(to_bytes "$most")" ] || long="$long|$size"
    done
    too_large=
    [ -z "$long" ] ||
        too_large="--benchmark_filter=-^(alltoall.?|allgatherv?|reduce_scatter.*)/[a-z_]*/(${long#|})/"
}

# count_cells: sets cells, the number of cases.
count_cells() {
    # shellcheck disable=SC2086
    cells=$("$mpiexec" -n 1 "$build/bench/strata_bench" $options $too_large --benchmark_list_tests 2>/dev/null | grep -c /)
}

# Seconds that a launch takes at this place, about: a case has three series of batches, and about as many calls besides
# as 15 batches have. Where ranks share cores, and between hosts, long calls take longer than a batch should.
foresee() {
    case $place in *x*) factor=3.5 ;; *) is_crowded "$place" && factor=2 || factor=1.3 ;; esac
    awk "BEGIN { printf \"%d\", 5 + $cells * $seconds * (3 * $batches + 15) * $factor }"
}

# is_whole FILE: whether it is the report of the same run, by the same program.
is_whole() { [ -e "$1" ] && grep -qxF "# run: $(run_of)" "$1"; }
run_of() { echo "$options $too_large $(cksum <"$build/bench/strata_bench")"; }

# plan_row NAME MPI LEAST WHERE SETTINGS WHAT: adds the launch to the list of those to be made, or says why it is none.
plan_row() {
    [ "$2" = "$mpi" ] || return 0
    case ,${chosen:-$1}, in *,"$1",*) ;; *) return 0 ;; esac
    why=$(why_not "$4" "$3" "$5")
    report=$out/$place/$key/$1.csv
    if [ -n "$why" ]; then
        echo "$place $key $1: left out: $why"
    elif is_whole "$report"; then
        echo "$place $key $1: there"
        keep "$report"
    else
        takes=$(foresee)
        echo "$place $key $1: about $takes s"
        total=$((total + takes)) launches=$((launches + 1))
        printf '%s|%s|%s|%s|%s|%s\n' "$place" "$build" "$key" "$1" "$takes" "$5" >>"$todo"
    fi
}

# keep REPORT: for the tables.
keep() { echo "$place|$key|$1" >>"$kept"; }

options_of() { echo "--collective $collectives --bytes $bytes --batches $batches --seconds $seconds"; }

# One launch; its report gets its name once it is whole.
measure() {
    report=$out/$place/$key/$peer
    mkdir -p "${report%/*}"
    began=$(date +%s)
    # shellcheck disable=SC2086
    launch "$place" "$settings" $((takes * 10 + 120)) $options $too_large --benchmark_out="$report.part" \
        --benchmark_out_format=csv >"$report.log" 2>&1
    code=$?
    took=$(($(date +%s) - began))
    # 1: a case failed, which its line says.
    if [ "$code" -le 1 ] && grep -q '^"' "$report.part" 2>/dev/null; then
        { echo "# run: $(run_of)" && echo "# settings: $settings" && cat "$report.part"; } >"$report.csv"
        rm -f "$report.part"
        [ "$code" -eq 0 ] || complain "$place $key $peer: a case was not measured: $(grep -m 1 -E 'WRONG|not measured' "$report.log")"
        keep "$report.csv"
    elif [ "$code" -eq 77 ]; then
        echo "$place $key $peer: left out: $(tail -n 1 "$report.log")"
    else
        rm -f "$report.part"
        [ "$code" -ne 124 ] || echo "did not end in $((takes * 10 + 120)) s" >>"$report.log"
        complain "$place $key $peer: failed with $code, see $report.log: $(grep -m 1 -E 'strata_bench: |Signal: |did not end' "$report.log" || tail -n 1 "$report.log")"
    fi
}

complain() {
    echo "peers.sh: $*" >&2
    failed=1
}

read_options "$@"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
mkdir -p "$out" || die 2 "--out '$out' cannot be made"
options=$(options_of) keys='' total=0 launches=0 failed=0
todo=$(mktemp) kept=$(mktemp)
trap 'rm -f "$todo" "$kept"' EXIT
for build in $builds; do
    ask
    for place in $(printf %s "$places" | tr , ' '); do
        leave_out
        count_cells
        each_row plan_row
    done
done
echo "$launches launches: about $(((total + 59) / 60)) minutes"
[ -z "$plan" ] || exit 0
in_order=$(for place in $(printf %s "$places" | tr , ' '); do grep "^$place|" "$todo"; done)
left=$total spent=0 foreseen=0
while IFS='|' read -r place build key peer takes settings; do
    [ -n "$place" ] || continue
    mpi=$(cache STRATA_MPI) mpiexec=$(cache MPIEXEC_EXECUTABLE)
    leave_out
    measure
    left=$((left - takes)) spent=$((spent + took)) foreseen=$((foreseen + takes))
    echo "$place $key $peer: $took s; about $((left * spent / foreseen / 60 + 1)) minutes left"
done <<END
$in_order
END
[ -s "$kept" ] || die 77 "nothing was measured"
for place in $(printf %s "$places" | tr , ' '); do
    set --
    for key in $keys; do
        while IFS='|' read -r at of report; do
            [ "$at|$of" != "$place|$key" ] || set -- "$@" "$report"
        done <"$kept"
    done
    [ $# -gt 0 ] || continue
    awk -v form=text -f "$root/bench/peers.awk" "$@" || failed=1
    awk -v form=csv -v command="$command" -f "$root/bench/peers.awk" "$@" >"$out/peers-$place.csv" || failed=1
done
exit $failed
