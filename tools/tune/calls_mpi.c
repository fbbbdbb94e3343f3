/* strata tune calls: lets the algorithms of each collective race on all ranks, and keeps the
 * winners. */
#include <mpi.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "include/strata.h"

#include "core/base/name_values.h"
#include "tools/command/words.h"
#include "tools/tune/places.h"
#include "tools/tune/race.h"
#include "tools/tune/tune.h"
#include "tools/tune/written.h"

struct calls {
    struct tool_places at;
    int ranks, nodes, largest, threads; /* as Strata sees them */
    MPI_Comm node;                      /* that of its ranks which agree on their sum; else NULL */
    struct strata_tuned old, table;     /* rank 0's: what FILE had, and what is timed */
    struct tool_cell cell[TOOL_TUNE_CELLS];
    int count, skipped, empty, unlike;
    struct tool_written written; /* rank 0's file */
};

/* The row of the same key that this launch, or an earlier one, has found; NULL: none has. */
static const struct strata_tuned_row *find_before(const struct calls *c,
                                                  const struct strata_tuned_row *row, bool *fresh)
{
    const struct strata_tuned_row *before = strata_tuned_like(&c->table, row);
    *fresh = before != NULL;
    return before ? before : strata_tuned_like(&c->old, row);
}

static void put(struct calls *c, const struct strata_tuned_row *row)
{
    struct strata_tuned_row *there = strata_tuned_like(&c->table, row);
    struct strata_tuned_row *grown =
        there ? NULL : realloc(c->table.row, (size_t)(c->table.count + 1) * sizeof *grown);
    if (there) {
        *there = *row;
    } else if (grown) {
        c->table.row = grown;
        grown[c->table.count++] = *row;
    }
}

/* Keeps what the race says if earlier ones of its key agree. Returns whether they do. */
static bool keep(struct calls *c, const struct race *r, struct strata_tuned_row *row)
{
    bool fresh;
    const struct strata_tuned_row *before = find_before(c, row, &fresh);
    const struct racer *again = race_kept(r), *winner = again ? again : race_winner(r);
    row->seconds = winner->median;
    row->untuned = r->racer[RACE_UNTUNED].median;
    row->native = r->racer[RACE_NATIVE].median;
    row->launches = fresh ? 0 : 1;
    strata_choice_parse(winner->name, row->collective, &row->choice, NULL);
    row->choice = again ? before->choice : row->choice; /* which may leave parameters open */
    const bool agrees = !before || strata_choice_same_plan(&before->choice, &row->choice);
    const struct strata_tuned_row merged = tool_row_merge(before, row);
    put(c, &merged);
    return agrees;
}

/* Tells the user how far it is. */
static void say(const struct tool_cell *cell, const struct strata_tuned_row *row, bool agreed)
{
    char text[2][32], size[32], name[128], pattern[64] = "";
    if (cell->pattern != STRATA_PATTERN_FIXED) {
        snprintf(pattern, sizeof pattern, ", %s", strata_pattern_name(cell->pattern));
    }
    fprintf(stderr, "strata tune: %s of %s%s: %s, %s; costs choose what takes %s%s\n",
            strata_collective_name(cell->collective),
            tool_bytes((double)cell->bytes, size, sizeof size), pattern,
            tool_choice_name(&row->choice, name, sizeof name),
            tool_seconds(row->seconds, text[0], sizeof text[0]),
            tool_seconds(row->untuned, text[1], sizeof text[1]),
            agreed ? "" : "; an earlier race found otherwise, so the table says auto");
}

/* The worst of all ranks' errors. */
static int agree(int error)
{
    PMPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return error;
}

static struct tool_lengths lengths_of(const struct calls *c, const struct tool_cell *cell)
{
    return (struct tool_lengths){
        cell->collective,
        cell->pattern,
        {(long)(cell->bytes / tool_element_bytes(cell->collective) / cell->unit), c->ranks,
         TOOL_SEED},
        cell->unit};
}

/* Joins figures as ranks do in a call: of a node of several the total, over the ranks of the
 * largest one, and of these and the others the most (docs/decisions/agreed-sizes.md). */
static void agree_on(const struct calls *c, int64_t figure[][TOOL_LENGTH_FIGURES], int count)
{
    int64_t sum[TOOL_FITS];
    for (int i = 0; i < count; i++) {
        sum[i] = figure[i][TOOL_LENGTH_SUM];
    }
    if (c->node != MPI_COMM_NULL) {
        PMPI_Allreduce(MPI_IN_PLACE, sum, count, MPI_INT64_T, MPI_SUM, c->node);
    }
    for (int i = 0; i < count; i++) {
        figure[i][TOOL_LENGTH_SUM] = sum[i] / (c->node != MPI_COMM_NULL ? c->largest : 1);
    }
    PMPI_Allreduce(MPI_IN_PLACE, figure, count * TOOL_LENGTH_FIGURES, MPI_INT64_T, MPI_MAX,
                   MPI_COMM_WORLD);
}

/* The key of the calls, as their ranks will agree on it. */
static struct strata_tuned_row key_of(const struct calls *c, const struct tool_lengths *lengths)
{
    struct strata_tuned_row row = {
        .nodes = c->nodes, .ranks = c->largest, .threads = c->threads, .launches = 1};
    int64_t figure[1][TOOL_LENGTH_FIGURES];
    tool_lengths_of_rank(lengths, c->at.rank, figure[0]);
    agree_on(c, figure, 1);
    tool_lengths_describe(lengths, figure[0], &row);
    return row;
}

/* All ranks learn what has to win again. */
static void tell_earlier(const struct calls *c, const struct strata_tuned_row *row, struct race *r)
{
    bool fresh;
    const struct strata_tuned_row *before = c->at.rank == 0 ? find_before(c, row, &fresh) : NULL;
    if (before && before->choice.algorithm) {
        tool_choice_name(&before->choice, r->earlier, sizeof r->earlier);
    }
    PMPI_Bcast(r->earlier, sizeof r->earlier, MPI_CHAR, 0, MPI_COMM_WORLD);
}

/* Times one collective with one size. Returns MPI's error. */
static int tune_cell(struct calls *c, const struct tool_cell *cell, double seconds)
{
    static struct race r;
    const struct tool_lengths lengths = lengths_of(c, cell);
    struct strata_tuned_row row = key_of(c, &lengths);
    if (!(row.bytes > 0) && cell->collective != STRATA_BARRIER) {
        c->empty++;
        return MPI_SUCCESS;
    }
    r = (struct race){.collective = strata_collective_name(cell->collective), .seconds = seconds};
    tell_earlier(c, &row, &r);
    const bool made = tool_performed_make(&r.call, &lengths, c->at.rank);
    int error = agree(made ? MPI_SUCCESS : MPI_ERR_NO_MEM);
    if (error == MPI_SUCCESS) {
        race_run(&r, cell->collective);
        error = agree(r.error);
    }
    if (error == MPI_SUCCESS && c->at.rank == 0) {
        const bool agreed = keep(c, &r, &row);
        say(cell, &row, agreed);
    }
    tool_performed_free(&r.call);
    return error;
}

/* Tells the user what a record's blocks are timed as. */
static void say_fit(const struct tool_cell *cell)
{
    char shape[160], size[32];
    fprintf(stderr, "strata tune: the record's %s has %s: timed as %s up to %s, which is nearest\n",
            strata_collective_name(cell->collective),
            tool_shape_text(&cell->shape, shape, sizeof shape), strata_pattern_name(cell->pattern),
            tool_bytes((double)cell->bytes, size, sizeof size));
}

/* Finds the pattern of a cell that has none. Returns false where there is none like it. */
static bool fit(const struct calls *c, struct tool_cell *cell)
{
    static int64_t figure[TOOL_FITS][TOOL_LENGTH_FIGURES];
    struct tool_lengths l;
    if (cell->pattern != STRATA_PATTERNS) {
        return true;
    }
    for (int i = 0; i < TOOL_FITS; i++) {
        l = tool_fit_lengths(cell->collective, c->ranks, i);
        tool_lengths_of_rank(&l, c->at.rank, figure[i]);
    }
    agree_on(c, figure, TOOL_FITS);
    if (!tool_fit(cell->collective, &cell->shape, c->ranks, figure, &l)) {
        return false;
    }
    cell->pattern = l.pattern;
    cell->unit = l.unit;
    cell->bytes = l.shape.longest * l.unit * tool_element_bytes(cell->collective);
    if (c->at.rank == 0) {
        say_fit(cell);
    }
    return true;
}

static void fit_all(struct calls *c)
{
    int kept = 0;
    for (int i = 0; i < c->count; i++) {
        struct tool_cell cell = c->cell[i];
        const bool fits = fit(c, &cell);
        kept = fits ? tool_cells_add(c->cell, kept, &cell) : kept;
        c->unlike += !fits;
    }
    c->count = kept;
}

/* Leaves out cells whose blocks are too long together. */
static void drop_long(struct calls *c)
{
    int kept = 0;
    for (int i = 0; i < c->count; i++) {
        const bool ranked = strata_collective_info[c->cell[i].collective].ranked;
        if (c->cell[i].bytes <= TOOL_MOST_BYTES / (ranked ? c->ranks : 1)) {
            c->cell[kept++] = c->cell[i];
        }
    }
    c->skipped = c->count - kept;
    c->count = kept;
}

/* Times all cells, each for its share. Returns MPI's error. */
static int tune_cells(struct calls *c, double seconds)
{
    double all = 0;
    int error = MPI_SUCCESS;
    for (int i = 0; i < c->count; i++) {
        all += c->cell[i].weight;
    }
    for (int i = 0; error == MPI_SUCCESS && i < c->count; i++) {
        const struct tool_cell *cell = &c->cell[i];
        error = tune_cell(c, cell, seconds * cell->weight / all);
    }
    return error;
}

/* Emulated nodes are not those of MPI, so there ranks agree on what the busiest one has. */
static void find_node(struct calls *c)
{
    c->node = MPI_COMM_NULL;
    if (c->nodes > 1 && c->nodes == c->at.nodes && c->largest > 1) {
        PMPI_Comm_split(MPI_COMM_WORLD, c->at.node, c->at.rank, &c->node);
    }
}

/* Strata's nodes are those of STRATA_TOPO where it is set. */
static bool find_layout(struct calls *c)
{
    struct strata_report report = {.size = sizeof report};
    PMPI_Comm_size(MPI_COMM_WORLD, &c->ranks);
    const bool attached = strata_barrier(MPI_COMM_WORLD) == MPI_SUCCESS &&
                          strata_comm_report(MPI_COMM_WORLD, &report) == MPI_SUCCESS &&
                          report.nodes > 0;
    int most[3] = {report.node_ranks, attached ? 0 : 1, report.threads};
    PMPI_Allreduce(MPI_IN_PLACE, most, 3, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    c->nodes = report.nodes;
    c->largest = most[0];
    c->threads = most[2];
    return most[1] == 0;
}

/* Reads the rows that stay. What is no regular file, or empty, has none. */
static int read_old(const struct tool_command *command, const char *out, struct strata_tuned *old)
{
    struct strata_diagnostic message = {""};
    struct stat there;
    char path[4096];
    *old = (struct strata_tuned){.count = 0};
    if (!out || stat(out, &there) != 0 || !S_ISREG(there.st_mode) || there.st_size == 0) {
        return TOOL_OK;
    }
    snprintf(path, sizeof path, "%s%s", strchr(out, '/') ? "" : "./", out);
    if (strata_tuned_find(path, old, &message) != STRATA_OK) {
        tool_complain(command, "%s; its rows would be lost", message.text);
        return TOOL_FAILED;
    }
    return TOOL_OK;
}

/* Rank 0 alone. */
static int write_table(const struct tool_command *command, const struct tool_calls_request *request,
                       struct calls *c, const struct tool_tuned *tuned)
{
    struct tool_written *w = &c->written;
    *w = w->fresh[0] ? tool_written_open(request->out) : *w;
    if (w->file) {
        tool_table_write(&c->old, &c->table, tuned, w->file);
    }
    if (w->file && w->fresh[0] && ftell(w->file) > STRATA_LONGEST_FILE) {
        tool_complain(command,
                      "the table of %s would be longer than %d bytes, and no program "
                      "reads such ones: write another file",
                      request->out, STRATA_LONGEST_FILE);
        fclose(w->file);
        unlink(w->fresh);
        return TOOL_FAILED;
    }
    return w->file && tool_written_close(w, request->out)
               ? TOOL_OK
               : tool_written_complain(command, request->out);
}

/* Rank 0 alone finds what is timed. */
static int find_cells(const struct tool_command *command, const struct tool_calls_request *request,
                      struct calls *c)
{
    c->count = request->record ? tool_cells_of_record(request->record, c->cell)
                               : tool_cells_of_lists(request, c->cell);
    if (c->count > 0) {
        return TOOL_OK;
    }
    tool_complain(command, "%s: %s", request->record,
                  c->count < 0 ? strerror(errno)
                               : "no record there holds a collective of all ranks that has ended");
    return TOOL_FAILED;
}

static int begin(const struct tool_command *command, const struct tool_calls_request *request,
                 struct calls *c)
{
    int code = find_cells(command, request, c);
    code = code == TOOL_OK ? read_old(command, request->out, &c->old) : code;
    if (code == TOOL_OK) { /* nobody measures for a file that cannot be written */
        c->written = tool_written_open(request->out);
        code =
            tool_written_can(&c->written) ? TOOL_OK : tool_written_complain(command, request->out);
    }
    return code;
}

static void say_left_out(const struct tool_command *command, int cases, const char *why)
{
    if (cases > 0) {
        tool_complain(command, "%d case%s left out: %s", cases, cases == 1 ? " is" : "s are", why);
    }
}

/* Rank 0 alone. Returns an exit code. */
static int finish(const struct tool_command *command, const struct tool_calls_request *request,
                  struct calls *c, const struct tool_tuned *tuned)
{
    const int code = write_table(command, request, c, tuned);
    say_left_out(command, c->skipped, "blocks of more than 64 MiB together");
    say_left_out(command, c->empty, "less than a byte in the mean block");
    say_left_out(command, c->unlike, "no pattern has such blocks on these ranks");
    return code;
}

static int tune(const struct tool_command *command, const struct tool_calls_request *request,
                struct calls *c)
{
    struct tool_tuned tuned = {.hosts = ""};
    int code = c->at.rank == 0 ? begin(command, request, c) : TOOL_OK;
    PMPI_Bcast(&code, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (code != TOOL_OK) {
        return code;
    }
    PMPI_Bcast(&c->count, 1, MPI_INT, 0, MPI_COMM_WORLD);
    PMPI_Bcast(c->cell, c->count * (int)sizeof *c->cell, MPI_BYTE, 0, MPI_COMM_WORLD);
    fit_all(c);
    drop_long(c);
    const int error = tune_cells(c, 60 * request->minutes);
    tool_places_name(&c->at, tuned.hosts, sizeof tuned.hosts, tuned.mpi, sizeof tuned.mpi);
    snprintf(tuned.command, sizeof tuned.command,
             "strata tune calls --minutes %g, %d ranks on %d nodes", request->minutes, c->ranks,
             c->nodes);
    if (c->at.rank == 0) { /* what was timed before an error counts, too */
        code = finish(command, request, c, &tuned);
    }
    if (c->at.rank == 0 && error != MPI_SUCCESS) {
        tool_complain(command, "MPI refused a call: error %d", error);
        code = TOOL_FAILED;
    }
    PMPI_Bcast(&code, 1, MPI_INT, 0, MPI_COMM_WORLD);
    strata_tuned_free(&c->old);
    return code;
}

/* What costs choose is compared, and not what another table says or a trial finds, nor what
 * settings of the user's would make of it. */
static bool set_apart(void)
{
    static const char *const settings[][2] = {
        {"STRATA_TUNED", "none"}, {"STRATA_TRIAL", "off"},   {"STRATA_SHADOW", "0"},
        {"STRATA_SIZES", "0-"},   {"STRATA_SAME_BITS", "0"}, {"STRATA_ATTACH_AFTER", "1"}};
    bool set = true;
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        set = set && setenv(settings[i][0], settings[i][1], 1) == 0;
    }
    return set;
}

int tool_calls_mpi(const struct tool_command *command, const struct tool_calls_request *request)
{
    static struct calls c;
    int provided, code = TOOL_FAILED;
    if (!set_apart() ||
        MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) {
        return TOOL_FAILED;
    }
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    tool_places_find(&c.at);
    if (find_layout(&c)) {
        find_node(&c);
        code = tune(command, request, &c);
        if (c.node != MPI_COMM_NULL) {
            PMPI_Comm_free(&c.node);
        }
    } else if (c.at.rank == 0) {
        tool_complain(command, "MPI_COMM_WORLD is not attached; `strata info` says why");
    }
    MPI_Finalize();
    free(c.table.row);
    return code;
}
