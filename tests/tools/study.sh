#!/bin/sh
# strata study and strata report, run as users run them, over a stand-in for the simulator.
#
#   study.sh STRATA FOLDER     FOLDER is emptied first
set -eu
. "$(dirname "$0")/../functions.sh"
strata=$1 folder=$2
here=$(cd "$(dirname "$0")" && pwd)
program=$here/stand_in.sh
empty_folder "$folder"
cd "$folder"
runner= # what is still under way
at_exit 'kill -9 $runner 2>/dev/null || true'
STAND_IN_LOG=$folder/log
export STAND_IN_LOG

calls() { if [ -f log ]; then wc -l <log; else echo 0; fi; }
dones() { grep -c '^# done ' "$1/sloavx.csv" || true; }
well_formed() {
    if command -v xmllint >/dev/null; then
        xmllint --noout "$1" || fail "$1 is not well-formed"
    else
        echo "xmllint is not there: only the ends of $1 were looked at"
        tail -n 1 "$1" | grep -q '^</html>$' || fail "$1 has no end"
    fi
}
# Each process of the stand-in wrote its number: none of them may be left, after a moment. One that ended but
# was not waited for yet has no command line.
gone() {
    for attempt in 1 2 3 4 5 6 7 8 9 10; do
        left=0
        for number in $(sed -n 's/.* pid=//p' log); do
            grep -q stand_in "/proc/$number/cmdline" 2>/dev/null && left=1
        done
        [ $left -eq 0 ] && return
        sleep 0.2
    done
    fail "processes are left after $1 (attempt $attempt)"
}
study() { "$strata" study sloavx --quick --program "$program" "$@"; }
points=$("$strata" study sloavx --quick --dry-run | wc -l)
[ "$points" -gt 10 ] || fail "a dry run names $points points"

# From nothing to the page; then it is finished.
expect 0 'agrees +Figure 6 \(a\)' study --output a/b
[ "$(calls)" -eq "$points" ] && [ "$(dones a/b)" -eq "$points" ] || fail "$(calls) calls for $points points"
grep -q '^  not judged   Figure 5 (a), section V-B: ' said || fail "the quick form judges what only the full one can"
grep -q 'Not judged without points of figure=5a;ranks&gt;=512' a/b/report.html || fail "the page does not say what is missing"
for line in run command commit processor cores kernel mpi simulator; do
    grep -q "^# $line: ." a/b/sloavx.csv || fail "the CSV does not name its $line"
done
well_formed a/b/report.html
expect 2 "is finished: it holds all $points points. --force" study --output a/b
[ "$(calls)" -eq "$points" ] || fail "a finished study was run again"
cp a/b/sloavx.csv before
echo "another's" >other
ln -s ../../other a/b/report.html.new # a link under a name that one may foresee
(umask 027 && expect 0 'page: a/b/report.html' "$strata" report a/b && exit $failed) || failed=1
[ "$(cat other)" = "another's" ] || fail "report wrote through a link"
[ "$(stat -c %a a/b/report.html)" = 640 ] || fail "the page has not the mode of the umask"
rm a/b/report.html.new
cmp before a/b/sloavx.csv || fail "report changed the CSV"
expect 0 'agrees' study --output a/b --force --jobs 1
[ "$(calls)" -eq $((2 * points)) ] || fail "--force did not run all points"

# Pictures where gnuplot is, and the page without where it is not.
if command -v gnuplot >/dev/null; then
    for end in svg png gp; do
        [ -s "a/b/sloavx-6.$end" ] || fail "no picture a/b/sloavx-6.$end"
    done
    grep -q '<svg' a/b/report.html || fail "the page has no picture in it"
    ! grep -oE ' id=["'\''][^"'\'']*' a/b/report.html | sort | uniq -d | grep . || fail "names are there twice"
fi
mkdir empty
expect 0 'gnuplot is not there.*no pictures' env PATH="$folder/empty" "$strata" report a/b
grep -q 'gnuplot is not installed' a/b/report.html || fail "the page does not say that gnuplot is missing"
! grep -q '<svg' a/b/report.html || fail "a picture without gnuplot"
well_formed a/b/report.html

# Killed in the middle, with half a line written: nothing is measured twice, nothing is lost.
: >log
STAND_IN_SLEEP=0.2 "$strata" study sloavx --quick --program "$program" --output killed >said 2>&1 &
runner=$!
while [ "$(calls)" -lt 6 ]; do sleep 0.05; done
kill -9 $runner
wait $runner 2>/dev/null || true
gone "kill -9"
had=$(dones killed)
[ "$had" -ge 2 ] && [ "$had" -lt "$points" ] || fail "$had points were done when it was killed"
printf '%s' '7-smoky-64-1-16,7,smo' >>killed/sloavx.csv
: >log
sed -i 's/^# commit: .*/# commit: another/' killed/sloavx.csv
expect 0 "holds $had of $points points; going on" study --output killed
grep -q 'points of another commit too' said || fail "points of two commits mix in silence"
grep -q 'Runs of more than one commit' killed/report.html || fail "the page hides that commits mix"
[ "$(calls)" -eq $((points - had)) ] || fail "$(calls) calls for the $((points - had)) points that were left"
[ "$(grep '^# done ' killed/sloavx.csv | cut -d' ' -f3 | sort -u | wc -l)" -eq "$points" ] || fail "points are missing"
grep -v '^#' killed/sloavx.csv | sort >rows
[ "$(sort -u rows | wc -l)" -eq "$(wc -l <rows)" ] || fail "rows are there twice"
grep -v '^#' before | sort | cmp - rows || fail "a resumed study has other rows"

# Interrupted: its processes end with it.
for signal in INT TERM; do
    : >log
    STAND_IN_SLEEP=20 setsid "$strata" study sloavx --quick --program "$program" --output $signal >said 2>&1 &
    runner=$!
    while [ "$(calls)" -lt 2 ]; do sleep 0.05; done
    kill -$signal $runner
    got=0
    wait $runner || got=$?
    [ $got -gt 128 ] || fail "SIG$signal: exit code $got"
    gone "SIG$signal"
    grep -q 'interrupted; the same command goes on' said || fail "SIG$signal: it did not say that it goes on"
done

# A point that fails is told of, with what it said; the others are run; the next time it is tried again.
export STAND_IN_FAIL="--bytes 64"
expect 1 '^stand-in: told to fail' study --output fails
grep -q '5b-jaguar-128-16-64 failed (exit code 3): strata simulate' said || fail "it does not name the failed point"
[ "$(dones fails)" -eq $((points - 1)) ] || fail "a failed point keeps others from running"
unset STAND_IN_FAIL
expect 0 "holds $((points - 1)) of $points" study --output fails
export STAND_IN_SLEEP=20
expect 1 'takes longer than --limit 0.3 seconds' study --output late --limit 0.3 --jobs 64
unset STAND_IN_SLEEP
gone "--limit"

# Where the file has no room, no half a point stays in it, and the next call goes on; nothing else is left half written.
limited() { (unset STAND_IN_LOG; trap '' XFSZ; ulimit -f 24; study "$@"); }
expect 1 'full/sloavx.csv cannot be written: File too large' limited --output full
had=$(dones full)
[ "$had" -ge 1 ] && [ "$had" -lt "$points" ] || fail "$had points found room"
tail -n 1 full/sloavx.csv | grep -q '^# done ' || fail "half a point is in the file"
[ -z "$(find full -name '*.*.??????')" ] || fail "files are left: $(find full -name '*.*.??????')"
expect 0 "holds $had of $points points; going on" study --output full
grep -v '^#' full/sloavx.csv | sort | cmp - rows || fail "a study that had no room has other rows"

# A file that is not of these points is not touched.
sed 's|--calls 1 |--calls 4 |' before >fails/sloavx.csv
expect 2 'holds point .* of another command' study --output fails
printf 'a,b\n1,2\n' >fails/sloavx.csv
expect 2 'does not have the columns' study --output fails
expect 2 'does not have the columns' "$strata" report fails
expect 2 'holds no results of a study' "$strata" report empty

# Only a regular file of at most 64 MiB is read, and none is waited for. It may be a platform, too.
mkdir odd
mkfifo odd/sloavx.csv odd/pipe.xml
expect 2 'odd/sloavx.csv cannot be read: it is no regular file' timeout 20 "$strata" report odd
replay() { timeout 20 "$strata" replay barrier --algo dissemination --ranks 4 --platform "$@"; }
expect 2 'odd/pipe.xml: cannot be read: it is no regular file' replay odd/pipe.xml
rm odd/sloavx.csv
truncate -s 67108864 odd/sloavx.csv
expect 2 'holds no results of a study' "$strata" report odd
truncate -s 67108865 odd/sloavx.csv
expect 2 'odd/sloavx.csv cannot be read: File too large' "$strata" report odd

# Claims, on points made up: the paper's order and trend, then the other way round.
made_up() {
    mkdir -p "$1"
    {
        echo "# run: made up for a test <&>"
        sed -n '/^point,/p' before
        for ranks in 32 64 128 256 512; do
            echo "p$ranks,6,smoky,\"leaders:leaders=1,radix=2,tree=2\",uniform,16,2,$ranks,16,sequential,,$2,,5,50"
            echo "p$ranks,6,smoky,sloav:radix=2,uniform,16,2,$ranks,16,sequential,,$3,,7,70"
            echo "# done p$ranks 0.1 made up"
        done
        for cores in 1 4 16; do
            echo "q$cores,7,smoky,\"leaders:leaders=1,radix=2,tree=2\",uniform,1,4,64,$cores,sequential,,$((cores $4))e-6,,1,1"
            echo "# done q$cores 0.1 made up"
        done
    } >"$1/sloavx.csv"
}
made_up right 0.001 0.002 '* -1 + 20'
expect 0 'agrees +Figure 6 \(a\), section V-C: 50.0 % on average, .* at 5 of 5' "$strata" report right
grep -qE '^  agrees +Figure 7, section V-D, 64 processes: falls' said || fail "a falling trend is not seen"
grep -qE '^  not measured +Figure 5 \(a\)' said || fail "what was not measured is judged"
grep -q 'made up for a test &lt;&amp;&gt;' right/report.html || fail "text is not escaped"
made_up wrong 0.002 0.001 '+ 3'
expect 0 'DISAGREES +Figure 6 \(a\), section V-C: -100.0 % on average, .* at 0 of 5' "$strata" report wrong
grep -qE '^  DISAGREES +Figure 7, section V-D, 64 processes: rises' said || fail "a rising trend is not seen"
grep -q 'messages_between 5 against 7' wrong/report.html || fail "a disagreement comes without its counts"
well_formed right/report.html
well_formed wrong/report.html

# A picture whose points are gone is gone, too.
if command -v gnuplot >/dev/null; then
    [ -s right/sloavx-7.svg ] || fail "no picture right/sloavx-7.svg"
    cp -r right fewer
    sed -i '/^q[0-9]/d' fewer/sloavx.csv
    expect 0 '^  not measured +Figure 7' "$strata" report fewer
    [ -s fewer/sloavx-6.svg ] || fail "no picture fewer/sloavx-6.svg"
    [ ! -e fewer/sloavx-7.svg ] || fail "the page shows a picture of points that are not there"
fi

# 80 % of the points: four of five agree, three of five do not.
swap() { sed "/^p$2,/s/0.001/0.003/" "$1/sloavx.csv" >"$1/new" && mv "$1/new" "$1/sloavx.csv"; }
swap right 32
expect 0 '  agrees +Figure 6 \(a\).* at 4 of 5' "$strata" report right
swap right 64
expect 0 '  DISAGREES +Figure 6 \(a\).* at 3 of 5' "$strata" report right

exit $failed
