#!/bin/sh
# Writes the tables of the pages in docs/performance. Between <!-- table NAME --> and <!-- end --> stands the content of
# docs/performance/NAME.csv: its lines "# " as a paragraph, its rows as a table, and its lines "#$ ", the command that
# measured the rows, as a block.
#
# The columns NAME:low and NAME:high bound the column NAME before them. A column NAME:by names the algorithm that served
# the call. Any other column NAME:WORD goes into brackets behind NAME. A column with a head in backquotes holds code.
#
#   tables.sh write [ROOT]    writes the pages anew
#   tables.sh check [ROOT]    prints each violation as FILE: sentence; exit 1 if there is any. Each page must be the one
#                             that `write` makes. Each CSV must stand in one page, once, with a paragraph, a command,
#                             and rows as long as its head.
set -eu
verb=$1
cd "${2:-$(dirname "$0")/..}"
data=docs/performance

# made PAGE: the page with its tables as the CSVs have them.
made() {
    awk -v data="$data" '
    # Splits a line of CSV into fields[1..]; returns how many.
    function split_csv(line, fields,    count, quoted, at, c) {
        count = 1
        fields[1] = ""
        for (at = 1; at <= length(line); at++) {
            c = substr(line, at, 1)
            if (c == "\"" && quoted && substr(line, at + 1, 1) == "\"") { fields[count] = fields[count] c; at++ }
            else if (c == "\"") quoted = !quoted
            else if (c == "," && !quoted) fields[++count] = ""
            else fields[count] = fields[count] c
        }
        return count
    }
    # The word after the last colon of a head, if the head belongs to the column before it.
    function belongs(head) { return match(head, /:[a-z]+$/) ? substr(head, RSTART + 1) : "" }
    function code(name) { return name == "" || name ~ / / ? name : "`" name "`" }
    # A row as a line of the table.
    function row_of(cells, count,    line, i, word) {
        for (i = 1; i <= count; i++) {
            word = belongs(heads[i])
            if (word == "") line = line " | " (heads[i] ~ /^`/ ? code(cells[i]) : cells[i])
            else if (cells[i] == "") continue
            else if (word == "low") line = line " (" cells[i]
            else if (word == "high") line = line " to " cells[i] ")"
            else if (word == "by") line = line ", " code(cells[i])
            else line = line " (" cells[i] ")"
        }
        return substr(line, 2) " |"
    }
    # The head and the line below it.
    function head_of(count,    line, rule, i) {
        for (i = 1; i <= count; i++) {
            if (belongs(heads[i]) != "") continue
            line = line "| " heads[i] " "
            rule = rule "|---"
        }
        gsub(/`/, "", line)
        return line "|\n" rule "|"
    }
    function table(file,    status, line, count, cells, text, command, columns) {
        while ((status = (getline line < file)) > 0) {
            if (line ~ /^#\$ /) command = command substr(line, 4) "\n"
            else if (line ~ /^# /) text = text substr(line, 3) "\n"
            else if (!columns) { columns = split_csv(line, heads); print text "\n" head_of(columns) }
            else { count = split_csv(line, cells); print row_of(cells, count) }
        }
        close(file)
        if (status < 0) { print file ": is not there" >"/dev/stderr"; exit 1 }
        print "\n```sh\n" command "```\n"
    }
    /^<!-- end -->$/ { inside = 0 }
    !inside
    /^<!-- table [a-z0-9-]+ -->$/ { inside = 1; print ""; table(data "/" $3 ".csv") }
    ' "$1"
}

# sound CSV: a paragraph, a command, rows as long as the head, and one place in the pages.
sound() {
    name=${1##*/}
    name=${name%.csv}
    grep -q '^# ' "$1" || echo "$1: has no paragraph"
    grep -q '^#\$ ' "$1" || echo "$1: has no command"
    [ "$(cat "$data"/*.md | grep -cx "<!-- table $name -->")" -eq 1 ] || echo "$data: has not one table $name"
    awk -v file="$1" '
        /^#/ { next }
        { gsub(/"[^"]*"/, ""); cells = gsub(/,/, "") + 1 }
        !columns { columns = cells }
        cells != columns { print file ": line " NR " has " cells " cells and not " columns }' "$1"
}

case $verb in
write)
    for page in "$data"/*.md; do
        made "$page" >"$page.made" || { rm "$page.made"; exit 1; }
        mv "$page.made" "$page"
    done
    ;;
check)
    said=$(
        for csv in "$data"/*.csv; do
            sound "$csv"
        done
        for page in "$data"/*.md; do
            made "$page" | cmp -s - "$page" || echo "$page: has tables that are not those of $data; docs/tables.sh write"
        done
    )
    [ -z "$said" ] || { echo "$said"; exit 1; }
    ;;
*)
    echo "docs/tables.sh: no command $verb" >&2
    exit 2
    ;;
esac

