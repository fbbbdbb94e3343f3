# Reads reports of strata_bench, each at .../PLACE/MPI/CONFIGURATION.csv, all of one place. Writes a table for each MPI
# (form=text), or one of all MPIs that docs/tables.sh takes (form=csv; command: what measured them).
function fail(message) { print "peers.awk: " message > "/dev/stderr"; exit 1 }
function open_file(    words, count) {
    count = split(FILENAME, words, "/")
    place = words[count - 2]
    mpi = words[count - 1]
    peer = words[count]
    sub(/\.csv$/, "", peer)
    if (!(mpi in configurations)) mpis[++mpi_count] = mpi
    peers[mpi, ++configurations[mpi]] = peer
    columns = 0
}
FNR == 1 { open_file() }
/^mpi: / { sub(/^mpi: /, ""); gsub(/ ?Version:[ \t]*| v/, " "); title[mpi] = $0 }
/^machine: / { sub(/^machine: [0-9]+ x /, ""); sub(/ \(rank.*/, ""); machine = $0 }
/^name,/ {
    gsub(/"/, "")
    columns = split($0, heads, ",")
    for (i = 1; i <= columns; i++) column[heads[i]] = i
}
/^"/ && columns {
    split($0, words, "\"")
    split(words[2], parts, "/")
    cell = parts[1] "," parts[3]
    if (!(cell in seen)) { seen[cell] = 1; cells[++cell_count] = cell }
    gsub(/"[^"]*"/, "")
    split($0, value, ",")
    if (value[column["error_occurred"]] == "true") { failed[mpi] = failed[mpi] " " peer ":" cell; next }
    batches = value[column["iterations"]]
    ratio = value[column["ratio"]]
    each[mpi, cell, peer] = ratio
    logs[mpi, peer] += log(ratio)
    counts[mpi, peer]++
    if ((mpi, cell) in best && best[mpi, cell] <= ratio) next
    best[mpi, cell] = ratio
    by[mpi, cell] = peer
    low[mpi, cell] = value[column["ratio_low"]]
    high[mpi, cell] = value[column["ratio_high"]]
    same[mpi, cell] = value[column["same"]]
    ours[mpi, cell] = value[column["real_time"]]
    theirs[mpi, cell] = value[column["mpi_us"]]
    native[mpi, cell] = value[column["by_plan"]] == 0
}
# Cells in the order of their least ratio beside the MPIs from first to last.
function sort_cells(first, last,    i, j, m, least, now) {
    for (i = 1; i <= cell_count; i++) {
        least[cells[i]] = 1e9
        for (m = first; m <= last; m++) {
            now = best[mpis[m], cells[i]]
            if (now != "" && now < least[cells[i]]) least[cells[i]] = now
        }
    }
    for (i = 2; i <= cell_count; i++) {
        now = cells[i]
        for (j = i - 1; j >= 1 && least[cells[j]] > least[now]; j--) cells[j + 1] = cells[j]
        cells[j + 1] = now
    }
}
function where_of(    parts) {
    return split(place, parts, "x") == 2 ? parts[1] " hosts of " parts[2] " ranks" : place " ranks on one host"
}
function names(mpi,    i, text) {
    for (i = 1; i <= configurations[mpi]; i++) text = text (i > 1 ? ", " : "") peers[mpi, i]
    return text
}
function by_of(mpi, cell) { return by[mpi, cell] (native[mpi, cell] ? " native" : "") }
# How the best of an MPI's configurations did; sets mean, measured, lost, passed, noise_low and noise_high.
function judge(mpi,    i, cell, sum) {
    measured = lost = passed = 0
    noise_low = 1e9
    noise_high = 0
    for (i = 1; i <= cell_count; i++) {
        cell = cells[i]
        if (!((mpi, cell) in best)) continue
        measured++
        sum += log(best[mpi, cell])
        lost += high[mpi, cell] < 0.9
        passed += native[mpi, cell]
        if (same[mpi, cell] < noise_low) noise_low = same[mpi, cell]
        if (same[mpi, cell] > noise_high) noise_high = same[mpi, cell]
    }
    mean = measured ? exp(sum / measured) : 0
}
function mean_of(mpi, peer) { return counts[mpi, peer] ? exp(logs[mpi, peer] / counts[mpi, peer]) : 0 }
function ratio_of(mpi, cell, peer) { return (mpi, cell, peer) in each ? sprintf("%.2f", each[mpi, cell, peer]) : "-" }
function text_table(mpi,    i, j, cell) {
    judge(mpi)
    printf "\n# %s, %s, %s\n# MPI's time / Strata's, medians of %d batches (95 %% interval). Best of: %s. A/A: the same call of MPI twice\n", title[mpi], where_of(), machine, batches, names(mpi)
    printf "%-20s %9s %11s %11s %8s %17s %6s  %-16s", "collective", "bytes", "Strata us", "MPI us", "best", "", "A/A", "best of them"
    for (j = 1; j <= configurations[mpi]; j++) printf " %14s", peers[mpi, j]
    print ""
    for (i = 1; i <= cell_count; i++) {
        cell = cells[i]
        if (!((mpi, cell) in best)) continue
        split(cell, parts, ",")
        printf "%-20s %9d %11.2f %11.2f %8.2f %17s %6.2f  %-16s", parts[1], parts[2], ours[mpi, cell], theirs[mpi, cell], best[mpi, cell], sprintf("(%.2f to %.2f)", low[mpi, cell], high[mpi, cell]), same[mpi, cell], by_of(mpi, cell)
        for (j = 1; j <= configurations[mpi]; j++)
            printf " %14s", ratio_of(mpi, cell, peers[mpi, j])
        print ""
    }
    printf "# geometric mean beside the best %.2f; beside", mean
    for (j = 1; j <= configurations[mpi]; j++) printf "%s %s %.2f", (j > 1 ? "," : ""), peers[mpi, j], mean_of(mpi, peers[mpi, j])
    printf "\n# %d of %d cells lose: the interval lies below 0.9. %d are native in the launch of the best\n", lost, measured, passed
    if (failed[mpi] != "") print "# not measured:" failed[mpi]
}
# A paragraph's words, in lines of at most 118 columns after "# ".
function say(text,    words, count, i, line) {
    count = split(text, words, " ")
    line = "#"
    for (i = 1; i <= count; i++) {
        if (length(line) + length(words[i]) > 118) { print line; line = "#" }
        line = line " " words[i]
    }
    print line
}
function csv_table(    i, m, cell, text, name) {
    text = machine ", " where_of() ". The time of MPI's best configuration / Strata's, medians of " batches " batches with the 95 % interval; beside it the configuration, `native` where Strata leaves the call to MPI. A/A: the same call of MPI timed twice. Losses first."
    for (m = 1; m <= mpi_count; m++) {
        judge(mpis[m])
        text = text sprintf(" %s, best of %s: geometric mean %.2f; %d of %d cells have their interval below 0.9; A/A %.2f to %.2f.", title[mpis[m]], names(mpis[m]), mean, lost, measured, noise_low, noise_high)
    }
    say(text)
    print "#$ " command
    printf "collective,bytes"
    for (m = 1; m <= mpi_count; m++) {
        name = "best of " title[mpis[m]]
        printf ",%s,%s:low,%s:high,%s:by,A/A", name, name, name, name
    }
    print ""
    for (i = 1; i <= cell_count; i++) {
        cell = cells[i]
        printf "%s", cell
        for (m = 1; m <= mpi_count; m++)
            if ((mpis[m], cell) in best)
                printf ",%.2f,%.2f,%.2f,%s,%.2f", best[mpis[m], cell], low[mpis[m], cell], high[mpis[m], cell], by_of(mpis[m], cell), same[mpis[m], cell]
            else
                printf ",,,,,"
        print ""
    }
}
END {
    if (!cell_count) fail("no report has a line of figures")
    if (form == "csv") {
        sort_cells(1, mpi_count)
        csv_table()
    } else
        for (m = 1; m <= mpi_count; m++) { sort_cells(m, m); text_table(mpis[m]) }
}
