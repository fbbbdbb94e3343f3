# No blank line follows the declarations at the head of a block: prints each that does as FILE:LINE, and exits 1.
# With -v fix=1: prints the file without them.

function is_declaration(line) {
    sub(/^ +/, "", line)
    if (line ~ /^(return|goto|case|else|if|for|while|do|switch|break|continue|default|typedef|sizeof)\>/)
        return 0
    return line ~ /^((static|const|unsigned|signed|long|short|struct|union|enum|register|volatile|_Thread_local) )*[A-Za-z_][A-Za-z_0-9]*( const)?( \**| \*+(const )?)[A-Za-z_(][A-Za-z_0-9]*[)]?(\[[^=;]*\])*(\([^;]*\))?( =|;|,|$)/
}

function ends(line) { return line ~ /;[ ]*(\/\*.*)?$/ }

FNR == 1 { state = "code" }

{
    blank = 0
    if (state == "declaration" && ends($0)) {
        state = "head"
    } else if (state == "head" && is_declaration($0)) {
        declared = 1
        if (!ends($0))
            state = "declaration"
    } else if (state == "head") {
        blank = declared && $0 == ""
        if (!blank)
            state = "code"
    }
    if (state == "code" && ($0 == "{" || $0 ~ /^ .*\) \{$|^ .*(else|do) \{$/)) {
        state = "head"
        declared = 0
    }
    if (blank && !fix) {
        print FILENAME ":" FNR ": a blank line after the declarations at the head of a block"
        found = 1
    }
    if (fix && !blank)
        print
}

END { exit found }
