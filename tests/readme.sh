#!/bin/sh
# Runs the commands of README.md and docs/guide.md as they stand there: the blocks ```sh. README's run in a copy of
# the sources that has the results of `quickstart.sh run` and of README's builds, and nothing else. The guide's run in
# a folder of links to the sources and to the build. README's block ```c is hello.c, and the guide's is force.c. The
# script also provokes the messages that the guide explains. It prints which blocks do not run, and why. With MPICH it
# runs the pages' parts about MPICH, with the build: the blocks ```mpich, and both files, compiled and run under other
# names.
#   readme.sh BUILD openmpi|mpich [long]     long: also what takes a minute
set -eu
. "$(dirname "$0")/functions.sh"
build=$1 mpi=$2 form=${3:-short}
root=$(cd "$(dirname "$0")/.." && pwd)
temporary_folder
mkdir "$folder/guide" "$folder/readme" "$folder/guide/build"
cd "$folder/guide"
for entry in "$root"/*; do
    [ "${entry##*/}" = build ] || ln -s "$entry" .
done
ln -s "$build" "build/$mpi"

# Where MPICH's launcher starts each rank alone (Ubuntu 24.04), the pages name the other one, which stands in for it here.
launcher=$(setting MPIEXEC_EXECUTABLE)
case $mpi,$launcher in mpich,*openmpi)
    mkdir "$folder/bin"
    printf '#!/bin/sh\nexec %s "$@"\n' "$launcher $(setting STRATA_MPIRUN_OPTIONS)" >"$folder/bin/mpirun.mpich"
    chmod +x "$folder/bin/mpirun.mpich"
    PATH=$folder/bin:$PATH
    ;;
esac

# What `quickstart.sh run` leaves of the one MPI that README's commands are for.
like_quickstart_run() {
    grep -q '^ *build $mpi is_sort$' "$root/quickstart.sh" || fail "quickstart.sh run builds something else"
    copy_sources "$root" "$folder/readme"
    (cd "$folder/readme" &&
        cmake --preset "$mpi" -D BUILD_TESTING=OFF -D STRATA_WERROR="$(setting STRATA_WERROR)" \
            -D CMAKE_C_COMPILER_LAUNCHER="$(setting CMAKE_C_COMPILER_LAUNCHER)" &&
        cmake --build --preset "$mpi" --target is_sort) >made 2>&1 || { tail -50 made; fail "what quickstart.sh run builds"; }
}

# blocks LANGUAGE PAGE...: what stands in the pages' blocks of it.
blocks() {
    opens="\`\`\`$1"
    shift
    awk -v opens="$opens" '$0 == opens { inside = 1; next } /^```$/ { inside = 0 } inside' "$@"
}

# unrun PAGE: says which blocks are not commands for here; each is of a language that is known as such.
unrun() {
    awk '/^```/ { inside = !inside; if (inside) print substr($0, 4) }' "$1" | sort | uniq -c >languages
    while read -r count language; do
        case $language in
        sh | c) ;;
        text) echo "not run, because programs write it: $count of the blocks of $1" ;;
        root) echo "not run, because it installs: $count of the blocks of $1" ;;
        mpich) echo "run with MPICH's build: $count of the blocks of $1" ;;
        slurm | pbs) echo "not run, because there is no batch system: $count of the blocks of $1, $language" ;;
        *) fail "$1 has a block of \"$language\", of which nobody knows whether it can be run" ;;
        esac
    done <languages
}

# commands LANGUAGE PAGE...: one in a line, without what follows a backslash at the end or a #.
commands() {
    blocks "$@" | sed -e ':join' -e '/\\$/{N;s/\\\n//;b join' -e '}' -e 's/ *# .*//' -e '/^$/d'
}

# As README says to write them for MPICH.
for_mpich() { sed -e 's/\.openmpi --oversubscribe/.mpich/' -e 's/\.openmpi/.mpich/' -e 's,build/openmpi,build/mpich,'; }

# quickstart COMMAND: one of its own. The tests that are running now are what `test` runs; CI runs `run` before it.
quickstart() {
    echo "not run, because it installs packages and takes minutes: $1"
    word=${1#./quickstart.sh }
    ./quickstart.sh help | grep -q "^  $word  " || fail "quickstart.sh has no command $word"
    [ "$word" = build ] || grep -qxE "(exec )?$1" "$root/.ci/run" || fail ".ci/run does not run $1"
}

# builds COMMAND: README's own folder is built; of the tests' own the preset and the target are there.
builds() {
    if [ "$PWD" = "$folder/readme" ]; then
        echo "$1"
        sh -c "$1" >made 2>&1 || { tail -50 made; fail "$1"; }
        return
    fi
    echo "not run, because a test does not build its own folder: $1"
    preset=$(echo "$1" | sed -n 's/.*--preset \([a-z-]*\).*/\1/p')
    target=$(echo "$1" | sed -n 's/.*--target \([a-z_]*\).*/\1/p')
    (cd "$root" && cmake --list-presets=build) | grep -q "\"$preset\"" || fail "no preset $preset"
    cmake --build build/openmpi --target help | grep -q "^${target:-all}:" || fail "no target $target"
}

# study COMMAND: its points, as it would start them; in the long form all of it.
study() {
    if [ "$form" = long ]; then
        run "$1"
        return
    fi
    echo "not run but for --dry-run, because it takes a minute: $1"
    expect 0 "is_sort|strata_bench" sh -c "$1 --dry-run"
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
    *--report*) expect 0 "^strata: .* s of .* in collectives" sh -c "$1" ;;
    STRATA_SAME_BITS=1*./force) expect 0 "^sum 1 by fold_vectors" sh -c "$1" ;;
    *./force) expect 0 "^sum 1 by recursive_doubling" sh -c "$1" ;;
    mpicc*) sh -c "$1 -Wall -Werror" || fail "$1" ;;
    *) expect 0 . sh -c "$1" ;;
    esac
}

# says MESSAGE: whether it stands in the file "told", with anything for three dots.
says() {
    pattern=$(printf '%s\n' "$1" | sed -e 's/\\|/|/g' -e 's/[][()|*.^$+?{}\\]/\\&/g' -e 's/\(\\\.\)\{3\}/.*/g')
    grep -qE -e "$pattern" told || { cat told; fail "docs/guide.md has a message that is not said: $1"; }
}

# The guide's messages, which are provoked here but for those of another MPI and of a plan that is wrong.
messages() {
    cp build/openmpi/strata alone
    printf '# a wrong value\nSTRATA_WAIT = spinn\n' >settings
    echo "beta" >machine
    {
        STRATA_WAIT=spinn STRATA_TRESHOLD=1 STRATA_ALLTOALLV=leadrs STRATA_TOPO=node:9 STRATA_STRICT=1 \
            mpirun.openmpi --oversubscribe -n 2 build/openmpi/is_sort --class S
        STRATA_CHECK=1 mpirun.openmpi --oversubscribe -n 2 ./hello # has libstrata.a alone
        # On rank 1 alone. (mpirun A : B does not run with every Open MPI.)
        # shellcheck disable=SC2016
        STRATA_STALL=1 STRATA_STRICT=1 mpirun.openmpi --oversubscribe -n 2 \
            sh -c '[ "$OMPI_COMM_WORLD_RANK" -eq 0 ] || set -- build/openmpi/strata run -- "$@"; exec "$@"' sh \
            build/openmpi/is_sort --class S
        STRATA_SETTINGS=./settings STRATA_MACHINE=./machine mpirun.openmpi --oversubscribe -n 2 ./hello
        ./alone run -- true
        build/openmpi/strata NAME
    } >told 2>&1 </dev/null || true
    sed -n '/^| message /,/^$/s/^| `\(.*\)` | .* | .*/\1/p' docs/guide.md >rows
    while read -r row <&3; do
        case $row in
        *" is for Open MPI, and this program uses "* | "shadow: "*) echo "not provoked here, but by tests/preload: $row" ;;
        *) says "$row" ;;
        esac
    done 3<rows
    [ -s rows ] || fail "docs/guide.md has no table of messages"
}

# handle_all: what stands in the file commands.
handle_all() {
    handled=0
    while read -r command <&3; do # mpirun reads standard input
        handled=$((handled + 1))
        case $command in
        ./quickstart.sh\ *) quickstart "$command" ;;
        cmake\ *) builds "$command" ;;
        export\ *) eval "$command" ;; # for those below it
        *strata\ study\ *) study "$command" ;;
        *) run "$command" ;;
        esac
    done 3<commands
    [ "$handled" -eq "$(wc -l <commands)" ] || fail "only $handled commands were handled"
    cat commands >>"$folder/handled"
}

blocks c README.md >hello.c
blocks c docs/guide.md >force.c
if [ "$mpi" = mpich ]; then
    {
        commands sh README.md docs/guide.md | grep -E '^mpicc|/(hello|force)$' | for_mpich
        commands mpich README.md docs/guide.md
    } >commands
    handle_all
else
    unrun README.md
    unrun docs/guide.md
    commands sh docs/guide.md >commands
    handle_all
    messages
    cp hello.c "$folder/readme"
    like_quickstart_run
    cd "$folder/readme"
    commands sh README.md >commands
    handle_all
fi

# What a new reader needs is among them.
needed_openmpi="./quickstart.sh_run ./quickstart.sh_test build/openmpi/strata_"
needed_mpich="mpirun.mpich.*_build/mpich/strata_run"
for needed in mpicc 'mpirun.*_./hello' 'mpirun.*_./force' $(eval echo "\$needed_$mpi"); do
    needed=$(echo "$needed" | tr _ ' ')
    grep -q "^$needed" "$folder/handled" || fail "no page has a command that begins with $needed"
done
exit $failed
