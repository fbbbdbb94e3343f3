#!/bin/sh
# Runs the commands of README.md as they stand there: those of its blocks ```sh, in a folder of links to
# the sources and to the build, where its first block ```c is hello.c. Prints what is not run, and why.
#   readme.sh BUILD     BUILD: with Open MPI
set -eu
. "$(dirname "$0")/functions.sh"
build=$1
root=$(cd "$(dirname "$0")/.." && pwd)
temporary_folder
cd "$folder"
for entry in "$root"/*; do
    [ "${entry##*/}" = build ] || ln -s "$entry" .
done
mkdir build
ln -s "$build" build/openmpi

# blocks LANGUAGE: what stands in README.md's blocks of it.
blocks() { awk -v opens="\`\`\`$1" '$0 == opens { inside = 1; next } /^```$/ { inside = 0 } inside' README.md; }

# A command in a line: without what follows a backslash at the end or a #.
commands() { blocks sh | sed -e ':join' -e '/\\$/{N;s/\\\n//;b join' -e '}' -e 's/ *# .*//' -e '/^$/d'; }

# quickstart COMMAND: one of its own. The tests that are running now are what `test` runs, and CI with it.
quickstart() {
    echo "not run, because it installs packages and takes minutes: $1"
    word=${1#./quickstart.sh }
    ./quickstart.sh help | grep -q "^  $word  " || fail "quickstart.sh has no command $word"
    [ "$word" != test ] || grep -qx "exec $1" "$root/.ci/run" || fail ".ci/run does not run $1"
}

# builds COMMAND: its preset and its target are there.
builds() {
    echo "not run, because a test does not build its own folder: $1"
    preset=$(echo "$1" | sed -n 's/.*--preset \([a-z-]*\).*/\1/p')
    target=$(echo "$1" | sed -n 's/.*--target \([a-z_]*\).*/\1/p')
    (cd "$root" && cmake --list-presets=build) | grep -q "\"$preset\"" || fail "no preset $preset"
    cmake --build build/openmpi --target help | grep -q "^${target:-all}:" || fail "no target $target"
}

# run COMMAND: exit code 0 and some words. hello gives each rank what the last one has for it.
run() {
    echo "$1"
    case $1 in
    *./hello)
        ranks=$(echo "$1" | sed 's/.* -n \([0-9]*\) .*/\1/')
        expect 0 "^rank 0: $((100 * (ranks - 1))) .* by [a-z]" sh -c "$1"
        [ "$(grep -c '^rank ' said)" -eq "$ranks" ] || fail "not a line for each of $ranks ranks"
        ;;
    mpicc*) sh -c "$1 -Wall -Werror" || fail "$1" ;;
    *) expect 0 . sh -c "$1" ;;
    esac
}

blocks c >hello.c
commands >commands
handled=0
while read -r command <&3; do # mpirun reads standard input
    handled=$((handled + 1))
    case $command in
    ./quickstart.sh\ *) quickstart "$command" ;;
    cmake\ *) builds "$command" ;;
    *) run "$command" ;;
    esac
done 3<commands
[ "$handled" -eq "$(wc -l <commands)" ] || fail "only $handled commands of README.md were handled"

# What a new reader needs is among them.
for needed in './quickstart.sh run' './quickstart.sh test' 'mpicc' 'mpirun.* ./hello' 'build/openmpi/strata '; do
    grep -q "^$needed" commands || fail "README.md has no command that begins with $needed"
done
exit $failed
