# Makes strata(7): the first comment of the header, then the settings.
#
#   strata list settings | awk -v out=FILE -v see=PAGES -v version=VERSION -f layout.awk -f overview.awk strata.h -

function heading(text) {
    put_end()
    say(".SH \"" toupper(text) "\"")
}

BEGIN {
    put_head("strata", 7, "strata", "node-aware collectives for hybrid MPI + OpenMP programs", version)
    heading("Description")
}

FILENAME != "-" {
    if (ended || FNR == 1) {
        next
    }
    ended = sub(/ *\*\/$/, "")
    text = substr($0, 4)
    if (text ~ /^Common to/) {
        heading(text)
    } else {
        put_line(text, 0)
    }
    next
}

!settings { heading("Settings"); say(".PD 0") }
{ settings = 1 }
/^STRATA_/ { put_end(); say(".SS " $0); next }
{ put_line($0, 0) }

END {
    say(".PD")
    heading("See also")
    say(escape(see))
}
