# Turns the layout of comments and help into a man page. A line with a gap of two blanks begins an item: first the term,
# then its meaning, which goes on in lines that are indented as far. All other lines are paragraphs.
#
# Call put_line(TEXT, VERBATIM) for each line, and put_end() at the end. The page goes to the file `out`. With VERBATIM
# an indented line that begins no item stays as it is, as examples in help must.

function say(line) { print line > out }

function escape(text) {
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    gsub(/`/, "\\(ga", text)
    gsub(/'/, "\\(aq", text)
    gsub(/\^/, "\\(ha", text)
    gsub(/~/, "\\(ti", text)
    sub(/^\./, "\\\\\\&.", text)
    return text
}

function put_example(on) {
    if (on != example) {
        say(on ? ".PP\n.nf" : ".fi\n.PP")
    }
    example = on
}

# Ends the items that a line with this indentation does not belong to.
function put_close(indent) {
    while (depth > 0 && indent < body[depth]) {
        closed = 1
        if (--depth > 0) {
            say(".RE")
        }
    }
}

function put_item(term, meaning, column) {
    if (depth > 0) {
        say(".RS")
    }
    body[++depth] = column
    term = waiting term
    sub(/ $/, "", term)
    say(".TP\n\\fB" escape(term) "\\fR\n" escape(meaning))
    waiting = ""
    closed = blank = 0
}

function put_text(text) {
    if (closed || blank) {
        say(depth > 0 ? ".IP" : ".PP")
    }
    closed = blank = 0
    say(escape(text))
}

function put_line(text, verbatim,    indent, gap) {
    match(text, /^ */)
    indent = RLENGTH
    if (indent == length(text)) {
        blank = 1
        return
    }
    put_close(indent)
    gap = match(substr(text, indent + 1), /[^ ]  +[^ ]/)
    if (gap) {
        put_example(0)
        put_item(substr(text, indent + 1, gap), substr(text, indent + gap + RLENGTH - 1), indent + gap + RLENGTH - 2)
    } else if (verbatim && depth == 0 && text ~ /^  --/) { # the term goes on, or its meaning is on the next line
        waiting = substr(text, indent + 1) " "
    } else if (waiting != "") {
        put_item("", substr(text, indent + 1), indent)
    } else if (verbatim && depth == 0 && indent > 0) {
        put_example(1)
        say(escape(text))
        closed = blank = 0
    } else {
        put_example(0)
        put_text(substr(text, indent + 1))
    }
}

function put_end() {
    put_close(-1)
    put_example(0)
    blank = 1
}

# Writes the first lines of a page. Commas separate its names.
function put_head(name, section, names, sentence, version) {
    say(".TH " name " " section " \"\" \"Strata " version "\" \"Strata\"\n.SH NAME")
    say(escape(names) " \\- " escape(sentence))
}
