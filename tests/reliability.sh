#!/bin/sh
# Writes the tables of docs/reliability.md: what happens when something breaks.
#
#   tests/reliability.sh [--short] BUILD... >TABLE
#   tests/reliability.sh --write BUILD...
#   tests/reliability.sh [--short | --write] ulfm ROOT... >TABLE
#
# Each script of tests/reliability/ is called as SCRIPT BUILD short|long for each build, and prints lines
#
#   KIND TRIED LOST HUNG CRASHED LEFT
#
# KIND may have spaces; lines of the same kind are added up. A script that cannot run says why on standard error and
# exits with 77. A new script in that folder is a new row. --write puts the table into docs/reliability.md in place of
# the one there.
# With ulfm it is the table of failed ranks, from the MPIs of other systems (tests/systems/system.sh): builds there what
# is needed, and runs failed_ranks.sh. JOBS, PLACES and WAYS are handed on. Where a root or hosts cannot be made, or
# something is lost, the script fails, and writes nothing into the page.
set -u
. "$(dirname "$0")/functions.sh"
here=$(cd "$(dirname "$0")" && pwd)
form=long write=
while :; do
    case ${1:-} in
    --short) form=short ;;
    --write) write=1 ;;
    *) break ;;
    esac
    shift
done
[ $# -gt 0 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
temporary_folder

# add NAME: the lines of a script, with this name of an MPI.
add() { sed "s/ [0-9]* [0-9]* [0-9]* [0-9]* [0-9]*\$/|$1&/" "$folder/lines" >>"$folder/all"; }

# in_root ROOT: the lines of failed_ranks.sh there.
in_root() {
    # shellcheck disable=SC2016 # the root's
    "$here/systems/system.sh" run "$1" env ${JOBS:+JOBS="$JOBS"} ${PLACES:+PLACES="$PLACES"} ${WAYS:+WAYS="$WAYS"} sh -c '{
        cmake --preset openmpi -D STRATA_LINT=OFF &&
            cmake --build --preset openmpi -j2 --target reliability_survive faulting strata_preload
        } >&2 || exit
        mpirun.openmpi --version | sed -n "s/^[a-z.]* (Open MPI) /openmpi /p"
        tests/reliability/failed_ranks.sh build/openmpi "$0"' $form
}

kind=kind
if [ "$1" = ulfm ]; then
    shift
    kind="kind, with ULFM"
    [ $# -gt 0 ] || fail "ulfm takes roots: $("$here/systems/system.sh" list | cut -d ' ' -f 1 | tr '\n' ' ')"
    for root in "$@"; do
        in_root "$root" >"$folder/said" || fail "failed_ranks, $root: exit code $?"
        sed 1d "$folder/said" >"$folder/lines"
        case $(head -n 1 "$folder/said") in openmpi\ [0-9]*) ;; *) fail "$root: no MPI is named" ;; esac
        [ -s "$folder/lines" ] || fail "$root: no rows"
        add "$(head -n 1 "$folder/said")"
    done
    [ $failed -eq 0 ] || write=
    set --
fi

for build in "$@"; do
    name=$(setting STRATA_MPI)
    for script in "$here"/reliability/*.sh; do
        case $script in */functions.sh) continue ;; esac
        code=0
        "$script" "$build" $form >"$folder/lines" || code=$?
        case $code in 0 | 77) ;; *) fail "$script $build: exit code $code" ;; esac
        [ $code -ne 77 ] || echo "$(basename "$script" .sh), $name: not run" >&2
        add "$name"
    done
done
{
    echo "| $kind | MPI | tried | lost | hung | crashed | left behind |"
    echo "|---|---|---|---|---|---|---|"
    awk '{ n = NF; kind = $0; sub(/ [0-9]+ [0-9]+ [0-9]+ [0-9]+ [0-9]+$/, "", kind); if (!(kind in tried)) order[++kinds] = kind
           tried[kind] += $(n - 4); lost[kind] += $(n - 3); hung[kind] += $(n - 2); crashed[kind] += $(n - 1); left[kind] += $n }
         END { for (i = 1; i <= kinds; i++) { k = order[i]; print k, tried[k], lost[k], hung[k], crashed[k], left[k] } }' \
        "$folder/all" | sed -n 's/^\(.*\)|\([a-z]*[ a-z0-9.]*\) \([0-9]*\) \([0-9]*\) \([0-9]*\) \([0-9]*\) \([0-9]*\)$/| \1 | \2 | \3 | \4 | \5 | \6 | \7 |/p'
} >"$folder/table"
give_table ${write:+"$here/../docs/reliability.md"}
exit $failed
