# bash completion of the strata command. The command itself says which words may follow: strata complete -- WORD...

# By default COMP_WORDBREAKS has "=" and ":", so bash takes them for words of their own. The strata command takes the
# text between blanks for a word. So this function joins bash's words and, of each word that may follow, gives bash the
# part after the last such sign.
_strata() {
    local words=() word joined=no
    for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
        if [[ ${#words[@]} -gt 0 && ($joined == yes || $word == [=:]*) ]]; then
            words[-1]+=$word
        else
            words+=("$word")
        fi
        [[ $word == *[=:] ]] && joined=yes || joined=no
    done
    local part=${COMP_WORDS[COMP_CWORD]}
    [[ $part == *[!=:]* ]] || part=
    local cut=${words[-1]%"$part"}
    mapfile -t COMPREPLY < <("${COMP_WORDS[0]}" complete -- "${words[@]}" 2>/dev/null)
    COMPREPLY=("${COMPREPLY[@]#"$cut"}")
    [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace 2>/dev/null
}
complete -o default -F _strata strata strata.openmpi strata.mpich strata.abi strata-nompi
