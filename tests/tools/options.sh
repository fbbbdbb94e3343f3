#!/bin/sh
# The options of all commands, as their help names them: each takes its value behind a sign. Behind any word --help
# prints the help.
#   options.sh STRATA
set -eu
. "$(dirname "$0")/../functions.sh"
strata=$1
temporary_folder
cd "$folder"

# begun COMMAND: with the word that it needs before options.
begun() {
    case $1 in
    plan | explain | price | replay) echo "$1 alltoall" ;;
    simulate) echo "simulate is_sort" ;;
    study) echo "study nodes" ;;
    tune) echo "tune machine" ;;
    *) echo "$1" ;;
    esac
}

# Which of the commands take options, and of which an option is of something else that they do.
known=0
for command in $("$strata" complete -- '' | grep -v complete); do
    words=$(begun "$command")
    # shellcheck disable=SC2086 # the words
    expect 0 "^usage: strata $command" "$strata" $words --help
    [ "$command" = run ] || expect 0 "^usage: strata $command" "$strata" $words word -h
    for option in $("$strata" complete -- "$command" --); do
        [ "$option" != --cases ] || words="simulate split"
        # shellcheck disable=SC2086
        "$strata" $words "$option=" --wrong >said 2>&1 && fail "$words takes --wrong"
        grep -q "unknown option \"$option" said && { cat said; fail "$words: $option=VALUE"; }
        known=$((known + 1))
    done
done
[ $known -ge 60 ] || fail "only $known options were tried"

# Both ways give the same, before and behind the collective.
"$strata" plan alltoallv --topo "node:4 rank:16" --algo leaders:leaders=1,radix=2 --csv >apart
"$strata" plan --csv --topo="node:4 rank:16" alltoallv --algo=leaders:leaders=1,radix=2 >behind
cmp apart behind || fail "--topo=VALUE gives another plan"
expect 2 '^strata plan: --csv takes no value' "$strata" plan alltoallv --topo="node:2 rank:4" --csv=yes
expect 2 '^strata plan: --topo needs a value' "$strata" plan alltoallv --topo=
expect 2 '^strata run: --force is "alreduce=ring", but allowed' "$strata" run --force=alreduce=ring -- true
exit $failed
