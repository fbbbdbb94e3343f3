# bash completion of the strata command, which says itself what may follow: strata complete -- WORD...

# Bash takes "=" and ":" for words of their own: here words are what lies between blanks. Of what may follow bash wants
# only what comes after the last such sign.
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
    local begun=${words[-1]} cut=
    [[ $begun == *[=:]* ]] && cut=${begun%"${begun##*[=:]}"}
    mapfile -t COMPREPLY < <("${COMP_WORDS[0]}" complete -- "${words[@]}" 2>/dev/null)
    COMPREPLY=("${COMPREPLY[@]#"$cut"}")
    [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace 2>/dev/null
}
complete -o default -F _strata strata strata.openmpi strata.mpich strata-nompi
