#!/bin/sh
# system.sh without a network: a small mmdebstrap makes roots that have a shell and little else. Roots are whole or not
# taken for roots, builds do not mix, and nothing stays, however a run ends.
#   test.sh           exit 77: roots cannot be made here
set -eu
. "$(dirname "$0")/../functions.sh"
here=$(cd "$(dirname "$0")" && pwd)

if [ "${1:-}" != inside ]; then
    [ "$(id -u)" -eq 0 ] || { echo "not root: system.sh was not tried"; exit 77; }
    isolate='--mount --propagation private --pid --fork --kill-child=KILL --mount-proc'
    # shellcheck disable=SC2086 # several words
    why=$(unshare $isolate true 2>&1) || { echo "namespaces cannot be made here ($why): system.sh was not tried"; exit 77; }
    # shellcheck disable=SC2086
    exec unshare $isolate "$0" inside
fi

temporary_folder
chmod 755 "$folder"
cd "$folder"
tree="$folder/a tree"
mkdir -p "$tree/tests/systems" commands mirror/dists/trixie mirror/dists/sid ubuntu/dists/noble
cp "$here/system.sh" "$tree/tests/systems"
cp -r "$tree" other
system="$tree/tests/systems/system.sh"
touch "$tree/of this tree" mirror/dists/trixie/InRelease mirror/dists/sid/InRelease ubuntu/dists/noble/InRelease
export SYSTEMS_FOLDER="$folder/the roots" SYSTEMS_MIRROR="file:$folder/mirror" SYSTEMS_UBUNTU_MIRROR="file:$folder/ubuntu"
roots=$SYSTEMS_FOLDER

# stands_in NAME: a program that comes before the machine's own.
stands_in() {
    { echo '#!/bin/sh'; cat; } >"commands/$1"
    chmod +x "commands/$1"
}
stands_in mmdebstrap <<'END'
options=
while case $1 in -*) ;; *) false ;; esac do options="$options $1"; shift; done
echo "making $1$options from $3"
case $options in
*--include=ubuntu-keyring*)
    mkdir -p "$2/usr/share/keyrings"
    echo keys >"$2/usr/share/keyrings/ubuntu-archive-keyring.gpg"
    ;;
*--keyring=*) cat "${options##*--keyring=}" ;;
esac
mkdir -p "$2/proc" "$2/sys" "$2/dev" "$2/etc/apt/apt.conf.d" "$2/usr/bin"
ln -s usr/bin "$2/bin"
echo "of $1" >"$2/etc/debian_version"
echo "PRETTY_NAME=\"the system $1\"" >"$2/etc/os-release"
for program in sh env cat sleep touch ls; do
    program=$(command -v $program)
    cp -L --parents "$program" $(ldd "$program" | grep -o '/[^ ]*') "$2"
done
[ -x "$2/usr/bin/env" ] || cp -L "$(command -v env)" "$2/usr/bin"
printf '#!/bin/sh\necho "apt-get of $(cat /etc/debian_version): $*; $(cat /etc/apt/sources.list)"\n' >"$2/usr/bin/apt-get"
chmod +x "$2/usr/bin/apt-get"
[ ! -e more ] || . ./more
END
real=$PATH
PATH=$folder/commands:$PATH

# untouched: no root, no part of one, no lock that is held.
untouched() { [ -z "$(ls "$roots" 2>/dev/null | grep -v '\.lock$')" ] || fail "$1 left: $(ls "$roots")"; }

# of_runs: the processes of runs, and who sees a mount in the roots.
of_runs() { grep -lxE 'sleep|unshare|mmdebstrap' /proc/[0-9]*/comm; grep -l 'the.040roots/' /proc/[0-9]*/mountinfo; } 2>/dev/null

# left WHAT: of a run nothing is there a little later.
left() {
    tries=50
    while of_runs >still; do
        tries=$((tries - 1))
        [ $tries -gt 0 ] || { fail "$1 leaves $(cat still)"; return; }
        sleep 0.1
    done
}

# What is missing is said.
expect 77 '^system.sh: not root: .*; as root: .*system.sh make trixie$' setpriv --reuid=65534 --clear-groups "$system" make trixie
expect 77 '^system.sh: namespaces cannot be made here .*CAP_SYS_ADMIN' setpriv --bounding-set -sys_admin "$system" make trixie
mkdir few
for program in dirname id cat unshare setpriv flock mount mkdir true df awk; do ln -s "$(PATH=$real which $program)" few; done
expect 77 '^system.sh: no mmdebstrap: apt-get install mmdebstrap ' env PATH="$folder/few" /bin/sh "$system" make trixie
printf '%s\n' 'echo "Filesystem blocks used available"' 'echo /dev/x 9 9 2097151' | stands_in df
expect 77 "^system.sh: $roots has 1 GiB of disk, and [0-9]+ are needed: .*SYSTEMS_FOLDER" "$system" make trixie
rm commands/df
expect 77 '^system.sh: file:.*/nowhere/dists/trixie/InRelease cannot be read .File not found.*: set SYSTEMS_MIRROR' \
    env SYSTEMS_MIRROR="file:$folder/nowhere" "$system" make trixie
untouched "a refusal"

# A root that was not finished is none.
echo 'echo "disk full" >&2; exit 1' >more
expect 1 '^system.sh: making .*/trixie failed, for the reason above' "$system" make trixie
grep -q '^disk full$' said || fail "the reason: $(cat said)"
untouched "a failure"
echo 'touch ready; sleep 1000' >more
for signal in INT TERM KILL; do
    rm -f ready
    env --default-signal=INT "$system" make trixie >said 2>&1 &
    maker=$! got=0
    until [ -e ready ]; do sleep 0.05; done
    expect 1 '^system.sh: another command is using .*/trixie' "$system" run trixie true
    kill -s $signal $maker
    wait $maker || got=$?
    case $signal/$got in INT/130 | TERM/143 | KILL/137) ;; *) fail "$signal: exit code $got" ;; esac
    left "making that gets $signal"
    [ $signal = KILL ] || untouched "$signal"
done
expect 0 '^trixie +half made ' "$system" list

# A run makes the root anew, and once. Its code is the command's; the tree is there, but for its build folder.
rm more
expect 3 '^of this tree$' "$system" run trixie sh -c 'ls && : >build/of-the-root && exit 3'
grep -q '^making trixie ' said || fail "the half root was taken for a root"
[ -z "$(ls "$tree/build")" ] || fail "a build of the root is in the tree's own folder"
expect 0 '^of-the-root$' "$system" run trixie ls build
! grep -q '^making' said || fail "the root was made twice"
expect 0 '^<>$' other/tests/systems/system.sh run trixie sh -c 'echo "<$(ls build)>"'
expect 0 '^a b$' env CI=a\ b "$system" run trixie sh -c 'echo "$CI$SYSTEMS_FOLDER"'
expect 0 '^<a b><>$' "$system" run trixie sh -c 'printf "<%s>" "$@"; echo' sh 'a b' ''
expect 0 '^trixie +the system trixie .*/the roots/trixie$' "$system" list
left "a run"

# Who ends a run ends all of it.
for signal in INT TERM HUP KILL; do
    rm -f "$tree/ready"
    env --default-signal=INT "$system" run trixie sh -c 'sleep 1000 & touch ready; sleep 1000' &
    run=$! got=0
    until [ -e "$tree/ready" ]; do sleep 0.05; done
    of_runs | grep -q mountinfo || fail "this test does not see the mounts of a run"
    kill -s $signal $run
    wait $run || got=$?
    case $signal/$got in INT/130 | TERM/143 | HUP/129 | KILL/137) ;; *) fail "a run that gets $signal: exit code $got" ;; esac
    left "a run that gets $signal"
done

# Unstable comes by way of Debian 13.
expect 0 '^making trixie ' "$system" make sid
grep -q "^apt-get of of trixie: .*dist-upgrade; deb $SYSTEMS_MIRROR sid main$" said || fail "sid: $(cat said)"
grep -qr Check-Valid-Until "$roots/sid/etc/apt" || fail "sid: old lists"

# Ubuntu's keys come from a package of Debian 13.
echo '[ "$1" = trixie ] || { echo "no space"; exit 1; }' >more
expect 1 '^system.sh: making .*/noble failed, for the reason above' "$system" make noble
[ ! -e "$roots/noble" ] && [ ! -e "$roots/noble.keys" ] || fail "a failure left $(ls "$roots")"
rm more
expect 0 '^making noble .*--components=main,universe .* from file:.*/ubuntu$' "$system" make noble
grep -q '^keys$' said && grep -q '^making trixie .*--variant=extract .* from file:.*/mirror$' said || fail "noble: $(cat said)"
[ ! -e "$roots/noble.keys" ] || fail "the keys are left"
expect 77 '^system.sh: file:.*/nowhere/dists/noble/InRelease cannot be read .*: set SYSTEMS_UBUNTU_MIRROR' \
    env SYSTEMS_FOLDER="$folder/others" SYSTEMS_UBUNTU_MIRROR="file:$folder/nowhere" "$system" make noble

# What is mounted in a root is not removed with it.
mkdir kept "$roots/trixie/mnt"
touch kept/file
mount --bind kept "$roots/trixie/mnt"
expect 1 "^system.sh: $roots/trixie is not removed, as there are mounts in it; umount $roots/trixie/mnt" "$system" remove trixie
[ -e kept/file ] && [ -e "$roots/trixie/etc" ] || fail "what is mounted was removed"
umount "$roots/trixie/mnt"
"$system" remove trixie && "$system" remove sid && "$system" remove noble || fail "remove"
untouched "remove"
expect 1 "^system.sh: there is no .*/trixie" "$system" remove trixie
exit $failed
