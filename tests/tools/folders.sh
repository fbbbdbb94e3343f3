#!/bin/sh
# The temporary folders of `strata simulate` and `strata replay` are their user's alone, also where the umask allows
# everything. An smpirun that only tells the modes of the folders stands before the installed one.
#   folders.sh STRATA
set -eu
. "$(dirname "$0")/../functions.sh"
[ -f "$(dirname "$1")/../smpi/simulate" ] || { echo "there is no build/smpi: cmake --preset smpi && cmake --build --preset smpi"; exit 77; }
temporary_folder
cat >"$folder/smpirun" <<'END'
#!/bin/sh
for word; do case $word in /tmp/strata-*/*) stat -c %A-%u "${word%/*}" >>"$TOLD" ;; esac; done
exit 1
END
chmod +x "$folder/smpirun"
umask 0
for command in simulate replay; do
    export TOLD="$folder/$command"
    PATH=$folder:$PATH "$1" $command alltoall --platform smoky --ranks 4 --bytes 8 >"$folder/said" 2>&1 || true
    [ "$(sort -u "$TOLD")" = "drwx-------$(id -u)" ] || { cat "$folder/said"; fail "strata $command: $(cat "$TOLD")"; }
done
exit $failed
