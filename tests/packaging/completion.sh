#!/bin/sh
# The words that bash and zsh offer at the end of a line. All come from the command's own tables.
#   completion.sh STRATA
set -eu
. "$(dirname "$0")/../functions.sh"
strata=$1
scripts=$(cd "$(dirname "$0")/../../packaging/completion" && pwd)
temporary_folder
ln -s "$strata" "$folder/strata"
PATH=$folder:$PATH
cd "$folder"

# offered LINE EXPECTED...: bash splits LINE as it would on a terminal, at "=" too, unless $breaks is whole. "+" before words:
# they are offered, perhaps among others; without: these and no others.
breaks=
cat >bash.sh <<'END_OF_BASH'
source "$1/strata.bash"
compopt() { :; } # which knows that this is no terminal
line=$2
[[ $3 == whole ]] || line=${2//=/ = }
read -ra COMP_WORDS <<<"$line"
[[ $2 == *' ' ]] && COMP_WORDS+=('')
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_strata
printf '%s\n' "${COMPREPLY[@]}"
END_OF_BASH
offered() {
    line=$1
    shift
    bash bash.sh "$scripts" "$line" "$breaks" | sort >said
    case $1 in
    +*) for word in "$@"; do
        grep -qxe "${word#+}" said || fail "bash, \"$line\": ${word#+} is not offered, but $(tr '\n' ' ' <said)"
    done ;;
    *) printf '%s\n' "$@" | sort | diff - said >&2 || fail "bash, \"$line\": offered (>), expected (<)" ;;
    esac
}

# shellcheck disable=SC2046 # words
offered 'strata ' $(strata help | sed -n 's/^  \([a-z]*\) .*/\1/p')
offered 'strata pl' plan
offered 'strata help sp' split
offered 'strata list ma' machines
# Collectives and rows are those that the command takes.
offered 'strata plan ' $(strata plan nothing 2>&1 | sed 's/.*there are: //' | tr -d ,)
offered 'strata run --force allred' allreduce=
offered 'strata run --force allreduce=' auto $(strata list allreduce | grep -x '[a-z_0-9]*')
offered 'strata run --force allreduce=node_all' node_allreduce
offered 'strata run --strict --set wait=' auto spin yield sleep
offered 'strata run --set machine=gig' gigabit
offered 'strata run --set explain=' none summary calls json
offered 'strata run --set ' $(strata list settings | sed -n 's/^STRATA_\(.*\)/\1=/p' | tr A-Z a-z)
offered 'strata plan allreduce --algo rab' rabenseifner
offered 'strata plan bcast --machine ' $(strata list machines | grep -x '[a-z_0-9]*')
offered 'strata simulate bcast --platform fat' fat_tree
offered 'strata split --method bi' bitonic
# Options are those of the help; price has some as plan has them.
offered 'strata run --' $(strata help run | grep -o '^  --[a-z]*\(=[a-z]*\)\?')
offered 'strata price bcast --ord' --ordered
offered 'strata price bcast --' +--samples +--passes +--threshold
offered 'strata explain bcast --' +--topo +--ordered +--budget +--passes
# Where "=" breaks no words.
breaks=whole
offered 'strata run --force allreduce=node_all' allreduce=node_allreduce
breaks=
# Where anything may follow nothing is offered, so the shell takes names of files.
offered 'strata run -- --' ''
offered 'strata nothing ' ''
offered 'strata study --force ' ''

if command -v zsh >/dev/null; then
    cat >zsh.sh <<'END_OF_ZSH'
compadd() { [[ $1 != -S ]] || shift 2; print -l ${(P)2} } # -a NAME
_files() { print files }
words=(${(z)2} ${2:#*[^ ]}) CURRENT=$#words
[[ $2 != *\  ]] || { words+=(''); CURRENT=$#words }
source $1/_strata
END_OF_ZSH
    zsh_offers() {
        zsh -f zsh.sh "$scripts" "$1" >said
        [ "$(cat said)" = "$2" ] || { cat said; fail "zsh, \"$1\": $2 is expected"; }
    }
    zsh_offers 'strata pl' plan
    zsh_offers 'strata run --force allred' allreduce=
    zsh_offers 'strata run --force allreduce=node_all' allreduce=node_allreduce
    zsh_offers 'strata run --set wait=s' 'wait=spin
wait=sleep'
    zsh_offers 'strata run -- ' files
    zsh -fc "autoload -Uz compinit; fpath=($scripts \$fpath); compinit -D -u; [[ \$_comps[strata] == _strata ]]" ||
        fail "zsh does not find _strata for strata"
else
    echo "zsh is not there: its completion was not tried"
fi
exit $failed
