#!/bin/sh
# Writes the table of docs/reliability.md: what happens when something breaks.
#
#   tests/reliability.sh [--short] BUILD... >TABLE
#   tests/reliability.sh --write BUILD...
#
# Each script of tests/reliability/ is called as SCRIPT BUILD short|long for each build, and prints lines
#
#   KIND TRIED LOST HUNG CRASHED LEFT
#
# KIND may have spaces; lines of the same kind are added up. A script that cannot run says why on standard error and exits with 77. A new script in that
# folder is a new row. --write puts the table into docs/reliability.md in place of the one there.
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

for build in "$@"; do
    name=$(setting STRATA_MPI)
    for script in "$here"/reliability/*.sh; do
        case $script in */functions.sh) continue ;; esac
        code=0
        "$script" "$build" $form >"$folder/lines" || code=$?
        case $code in 0 | 77) ;; *) fail "$script $build: exit code $code" ;; esac
        [ $code -ne 77 ] || echo "$(basename "$script" .sh), $name: not run" >&2
        sed "s/ [0-9]* [0-9]* [0-9]* [0-9]* [0-9]*\$/|$name&/" "$folder/lines" >>"$folder/all"
    done
done
{
    echo "| kind | MPI | tried | lost | hung | crashed | left behind |"
    echo "|---|---|---|---|---|---|---|"
    awk '{ n = NF; kind = $0; sub(/( [0-9]+){5}$/, "", kind); if (!(kind in tried)) order[++kinds] = kind
           tried[kind] += $(n - 4); lost[kind] += $(n - 3); hung[kind] += $(n - 2); crashed[kind] += $(n - 1); left[kind] += $n }
         END { for (i = 1; i <= kinds; i++) { k = order[i]; print k, tried[k], lost[k], hung[k], crashed[k], left[k] } }' \
        "$folder/all" | sed -n 's/^\(.*\)|\([a-z]*\) \([0-9]*\) \([0-9]*\) \([0-9]*\) \([0-9]*\) \([0-9]*\)$/| \1 | \2 | \3 | \4 | \5 | \6 | \7 |/p'
} >"$folder/table"
give_table ${write:+"$here/../docs/reliability.md"}
exit $failed
