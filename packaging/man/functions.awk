# Makes the pages of section 3 from the comments of the public header.
#
#   awk -v folder=FOLDER -v version=VERSION -f layout.awk -f functions.awk strata.h strata.h    into FOLDER/man3
#
# The script reads the header twice: first for the names of all functions, to which pages refer, then for the pages. A
# comment belongs to the declarations that follow it without an empty line. Its functions share a page. The comment must
# name each of them, if only by the last word. The declarations before the first type are the collectives, whose pages
# share the part of the first comment about them. A type is shown on the pages of all functions that need it.

function wrong(sentence) {
    print FILENAME ":" FNR ": " sentence > "/dev/stderr"
    failed = 1
}

function add_comment(line) {
    open = line !~ /\*\//
    sub(/ *\*\/ *$/, "", line)
    comment = comment substr(line, 4) "\n"
}

function has_word(text, word) {
    return (" " tolower(text) " ") ~ ("[^a-z0-9]" word "[^a-z0-9]")
}

function function_name(text) {
    sub(/\(.*/, "", text)
    sub(/.*[ *]/, "", text)
    return text
}

function add_function() {
    names[++functions] = function_name(declaration)
    synopsis = synopsis declaration
    if (comment == "") {
        wrong(names[functions] " has no comment")
    }
}

function add_type() {
    match(declaration, /strata_[a-z_]+/)
    type_name[++types] = substr(declaration, RSTART, RLENGTH)
    type_comment[types] = comment
    type_declaration[types] = declaration
    comment = ""
}

# Adds a line of a declaration; `last` says whether it is the last one. Further lines of a function are indented under
# its name.
function add_declaration(line, last) {
    sub(kind == "function" ? "^STRATA_PUBLIC |^              " : "", "", line)
    declaration = declaration line "\n"
    if (last) {
        if (kind == "function") {
            add_function()
        } else {
            add_type()
        }
        declaration = kind = ""
    }
}

function check_names(    i, word) {
    for (i = 1; i <= functions && functions > 1; i++) {
        word = names[i]
        sub(/.*_/, "", word)
        if (!has_word(comment, word)) {
            wrong("the comment of " names[1] " and others says nothing of " names[i])
        }
    }
}

# The first sentence of a text, without its full stop.
function summary(text) {
    gsub(/\n */, " ", text)
    sub(/[.] .*$/, "", text)
    sub(/[.] *$/, "", text)
    return text
}

# Marks the types that a page needs: the types that its text names, and the types that these name in turn.
function mark_types(text,    i) {
    for (i = types; i >= 1; i--) {
        needed[i] = has_word(text, type_name[i])
        if (needed[i]) {
            text = text type_comment[i] type_declaration[i]
        }
    }
}

# Writes the lines of a comment from the one that begins with FROM to the one before TO. "" means its first or last
# line.
function put_comment(text, from, to,    lines, count, i, inside) {
    count = split(text, lines, "\n")
    inside = from == ""
    for (i = 1; i < count && !(inside && to != "" && lines[i] ~ "^ *" to); i++) {
        inside = inside || lines[i] ~ "^ *" from
        if (inside) {
            sub(/^ *Errors: /, "", lines[i])
            put_line(lines[i], 0)
        }
    }
    put_end()
}

function put_verbatim(text) {
    sub(/\n$/, "", text)
    say(".nf\n" escape(text) "\n.fi")
}

function put_types(    i) {
    for (i = 1; i <= types; i++) {
        if (needed[i]) {
            say(".SH \"" toupper(type_name[i]) "\"")
            put_comment(type_comment[i], "", errors)
            say(".PP")
            put_verbatim(type_declaration[i])
        }
    }
}

# Writes what all functions with a communicator or a chain return, from the first comment.
function put_return(text) {
    sub(/.*\n  return +/, "", text)
    sub(/\n  threads.*/, "", text)
    gsub(/\n +/, "\n", text)
    say(escape(text))
}

# Writes the errors, which stand at the end of a comment.
function put_errors(    all, i) {
    for (i = 1; i <= types; i++) {
        all = all (needed[i] ? "\n" type_comment[i] : "")
    }
    if ("\n" comment all "\n" common ~ "\n *" errors) {
        say(".SH ERRORS")
        put_comment(comment, errors, "")
        for (i = 1; i <= types; i++) {
            put_comment(needed[i] ? type_comment[i] : "", errors, "")
        }
        put_comment(common, errors, "")
    }
}

# Writes references to the other pages that the page names, each once.
function put_references(text,    seen, list, name) {
    for (name in names) {
        seen = seen " " names[name]
    }
    list = "strata(7), strata(1)"
    while (match(text, /(strata|MPI)_[A-Za-z][a-z_0-9]+/)) {
        name = substr(text, RSTART, RLENGTH)
        text = substr(text, RSTART + RLENGTH)
        if ((name ~ /^MPI_[A-Z][a-z]/ || name in public) && index(seen " ", " " name " ") == 0) {
            seen = seen " " name
            list = list ", " name "(3)"
        }
    }
    say(".SH \"SEE ALSO\"\n" escape(list))
}

function put_page(    list, i) {
    for (i = 1; i <= functions; i++) {
        list = list (i > 1 ? ", " : "") names[i]
    }
    put_head(names[1], 3, list, summary(comment), version)
    say(".SH SYNOPSIS")
    put_verbatim("#include <strata.h>\n\n" synopsis)
    say(".SH DESCRIPTION")
    put_comment(comment, "", errors)
    put_types()
    if (common != "") {
        say(".SH \"COMMON TO THE COLLECTIVES\"")
        put_comment(common, "  Collective", errors)
    }
    if (synopsis ~ /MPI_Comm|struct strata_chain /) {
        say(".SH \"RETURN VALUE\"")
        put_return(first)
    }
    put_errors()
    put_references(comment)
}

# Writes the page of the functions so far, and links to it.
function write_page(    page, i) {
    mark_types(synopsis comment)
    common = types == 0 && synopsis ~ /MPI_Comm/ ? first : ""
    check_names()
    for (i = 2; i <= functions; i++) {
        page = folder "/man3/" names[i] ".3"
        print ".so man3/" names[1] ".3" > page
        close(page)
    }
    out = folder "/man3/" names[1] ".3"
    put_page()
    close(out)
}

# Ends a group of declarations: a comment belongs to nothing behind an empty line.
function end_group() {
    if (functions > 0) {
        write_page()
    }
    if (first == "") {
        first = comment
    }
    comment = synopsis = ""
    functions = 0
    split("", names)
}

# A function's declaration ends at its semicolon, a type's at the semicolon behind its brace or its parameters.
function ends(line) {
    return line ~ (kind == "function" || line !~ /^ / ? ";$" : "^ .*\\);$")
}

BEGIN { errors = "Errors[:,]" }

NR == FNR {
    if (/^STRATA_PUBLIC /) {
        public[function_name($0)] = 1
    }
    next
}

open { add_comment($0); next }
declaration != "" { add_declaration($0, ends($0)); next }
/^\/\*/ { end_group(); add_comment($0); next }
/^STRATA_PUBLIC / { kind = "function"; add_declaration($0, ends($0)); next }
/^(struct|enum|typedef) / { kind = "type"; add_declaration($0, ends($0)); next }
/^#define STRATA_.* [0-9]+$/ && comment != "" { synopsis = synopsis $0 "\n"; next }
{ end_group() }
END { exit failed }
