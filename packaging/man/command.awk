# Makes the page of a subcommand, or of the command itself, from its help.
#
#   strata help NAME | awk -v out=FILE -v name=strata-NAME -v see=PAGES -v version=VERSION -f layout.awk -f command.awk

NR == 1 { sub(/^usage: /, ""); synopsis = $0; next }
NR == 3 && name != "strata" { sub(/[.]$/, ""); summary = $0; next }
{ line[++lines] = $0 }

END {
    put_head(name, 1, name, summary == "" ? "says what node-aware collectives do, and puts them under programs" : summary, version)
    say(".SH SYNOPSIS\n" escape(synopsis) "\n.SH DESCRIPTION")
    for (i = 1; i <= lines; i++) {
        put_line(line[i], 1)
    }
    put_end()
    say(".SH \"SEE ALSO\"\n" escape(see))
}
