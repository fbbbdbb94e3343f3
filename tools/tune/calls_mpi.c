/* Times the algorithms of each collective, on all ranks in turn, and keeps the fastest. What costs
 * choose and MPI's own stay in the race to its end, and are beaten only in batches of their own:
 * the fastest of many is the fastest by chance, too. */
#include <mpi.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "include/strata.h"

#include "core/base/clock.h"
#include "core/base/name_values.h"
#include "hier/registry.h"
#include "tools/command/words.h"
#include "tools/tune/performed.h"
#include "tools/tune/places.h"
#include "tools/tune/tune.h"
#include "tools/tune/written.h"

/* The first two in every race. */
enum { UNTUNED, NATIVE, FIRST_OTHER };
enum { RACERS = 64, LAST = 20, MOST_CALLS = 1 << 16 };
/* Batches in which all race, those that are left, and those that are then left; where the time is
 * short, at least so many. */
static const struct {
    int most, least;
} rounds[] = {{3, 1}, {5, 3}, {LAST, 7}};
enum { ROUNDS = sizeof rounds / sizeof *rounds };
static const int left[] = {8, 3}; /* besides the first two */
/* What is not faster by so much is not worth another bit in a sum. */
static const double WORTH = 1.02;
/* No race waits for who takes so many times as long as the fastest. */
static const double HOPELESS = 4;
enum { LARGEST = 64 << 20 }; /* bytes of all blocks of a rank */

struct racer {
    char name[96]; /* as strata_comm_force takes it */
    double sample[LAST], median;
    int samples;
};

struct race {
    struct tool_performed call;
    const char *collective;
    struct racer racer[RACERS];
    int racers;
    double seconds;  /* for the whole race */
    int error;       /* of MPI; the worst of all ranks */
    bool native_may; /* a table may leave this call to MPI's own */
};

struct calls {
    struct tool_places at;
    int ranks, nodes, largest; /* as Strata sees them */
    struct strata_tuned table; /* rank 0's */
    struct tool_cell cell[TOOL_TUNE_CELLS];
    int count, skipped;
    struct tool_written written; /* rank 0's file */
};

static double slowest(double seconds)
{
    PMPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return seconds;
}

static void perform(struct race *r)
{
    const int error = tool_perform(&r->call);
    r->error = error != MPI_SUCCESS ? error : r->error;
}

/* The time of a call by this one, in a batch of so many; the first one meets a cold plan. */
static double time_batch(struct race *r, const struct racer *one, int calls)
{
    strata_comm_force(MPI_COMM_WORLD, r->collective, one->name);
    perform(r);
    PMPI_Barrier(MPI_COMM_WORLD);
    const double begin = strata_seconds();
    for (int i = 0; i < calls; i++) {
        perform(r);
    }
    return slowest((strata_seconds() - begin) / calls);
}

/* What served the last call: all ranks know the same. */
static void find_served(char *name, size_t size)
{
    struct strata_report report = {.size = sizeof report};
    strata_comm_report(MPI_COMM_WORLD, &report);
    snprintf(name, size, "%s", report.algorithm);
    PMPI_Bcast(name, (int)size, MPI_CHAR, 0, MPI_COMM_WORLD);
}

static bool races(const struct race *r, const char *name, int from)
{
    int i = from;
    while (i < r->racers && strcmp(r->racer[i].name, name) != 0) {
        i++;
    }
    return i < r->racers;
}

/* "dpml:leaders=2" is of "dpml". */
static bool is_of(const char *name, const char *algorithm)
{
    const size_t length = strcspn(algorithm, ":");
    return strcspn(name, ":") == length && strncmp(name, algorithm, length) == 0;
}

/* Lets one take part by the name of what serves its calls, unless that races already. Choices are
 * preferred, as a table's are: where one may not serve, something else does, and it takes no part.
 */
static void enter(struct race *r, const char *choice)
{
    static const char prefer[] = "prefer:";
    struct racer *one = &r->racer[r->racers];
    char served[sizeof one->name - sizeof prefer];
    if (r->racers == RACERS) {
        return;
    }
    *one = (struct racer){.samples = 0};
    snprintf(one->name, sizeof one->name, "%s%s", r->racers < FIRST_OTHER ? "" : prefer, choice);
    time_batch(r, one, 1);
    one->median = time_batch(r, one, 1);
    find_served(served, sizeof served);
    if (r->racers < FIRST_OTHER) {
        r->racers++;
        return;
    }
    snprintf(one->name, sizeof one->name, "%s%s", prefer, served);
    if (is_of(served, choice) && !races(r, one->name, FIRST_OTHER)) {
        r->racers++;
    }
}

/* What costs choose, and MPI's own where a table may say so. Lengths that ranks agree on are told
 * in some calls before, or those of the last race would count. */
static void enter_first(struct race *r)
{
    enum { TELLING = 10 };
    const struct racer costs = {.name = "auto"};
    char served[96];
    time_batch(r, &costs, TELLING);
    enter(r, "auto");
    enter(r, "native");
    time_batch(r, &(struct racer){.name = "prefer:native"}, 1);
    find_served(served, sizeof served);
    r->native_may = strcmp(served, "native") == 0;
}

static void enter_all(struct race *r, enum strata_collective collective)
{
    const struct strata_algorithm *row;
    r->racers = 0;
    enter_first(r);
    for (int i = 0; (row = strata_registry_at(i)); i++) {
        if (row->collectives >> collective & 1 && row->level != STRATA_MPI && !row->once) {
            enter(r, row->name);
        }
    }
}

static double median_of(const double *samples, int count)
{
    double sorted[LAST];
    memcpy(sorted, samples, (size_t)count * sizeof *sorted);
    (void)tool_spread_of(sorted, count);
    return count % 2 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
}

static double fastest(const struct race *r)
{
    double least = r->racer[0].median;
    for (int i = 1; i < r->racers; i++) {
        least = fmin(least, r->racer[i].median);
    }
    return least;
}

static int by_median(const void *a, const void *b)
{
    const double x = ((const struct racer *)a)->median, y = ((const struct racer *)b)->median;
    return (x > y) - (x < y);
}

/* Leaves so many besides the first two, the fastest first, and no hopeless one. */
static void drop(struct race *r, int most)
{
    const double least = fastest(r);
    qsort(r->racer + FIRST_OTHER, (size_t)(r->racers - FIRST_OTHER), sizeof *r->racer, by_median);
    while (r->racers > FIRST_OTHER &&
           (r->racers > FIRST_OTHER + most || r->racer[r->racers - 1].median > HOPELESS * least)) {
        r->racers--;
    }
}

/* As many batches as there is time for, each with two calls at least. */
static int batches_of(const struct race *r, int round, double seconds)
{
    double all = 0;
    for (int i = 0; i < r->racers; i++) {
        all += 2 * r->racer[i].median;
    }
    return (int)fmax(rounds[round].least, fmin(rounds[round].most, seconds / fmax(all, 1e-9)));
}

/* Batches of all in turn, which take about so many seconds. */
static void run_round(struct race *r, int round, double seconds)
{
    const int batches = batches_of(r, round, seconds);
    const double share = seconds / batches / r->racers;
    for (int i = 0; i < r->racers; i++) {
        r->racer[i].samples = 0;
    }
    for (int batch = 0; batch < batches; batch++) {
        for (int i = 0; i < r->racers; i++) {
            struct racer *one = &r->racer[i];
            const double fit = share / fmax(one->median, 1e-9);
            const int calls = fit < 1 ? 1 : fit > MOST_CALLS ? MOST_CALLS : (int)fit;
            one->sample[one->samples++] = time_batch(r, one, calls);
        }
    }
    for (int i = 0; i < r->racers; i++) {
        r->racer[i].median = median_of(r->racer[i].sample, r->racer[i].samples);
    }
}

/* "dpml" with another value of one parameter: "dpml:leaders=2,between=ring" from
 * "dpml:leaders=1,between=ring". */
static void vary(struct race *r, const struct strata_choice *choice,
                 const struct strata_algorithm *row, int parameter)
{
    int value;
    for (int i = 0; (value = strata_parameter_choice(&row->parameters[parameter], i)) != 0; i++) {
        struct strata_choice other = *choice;
        char name[80];
        other.parameter[parameter] = value;
        strata_algorithm_name(row, other.parameter, name, sizeof name);
        enter(r, name);
    }
}

/* Lets the neighbours of the fastest two take part, too. */
static void enter_neighbours(struct race *r, enum strata_collective collective)
{
    for (int i = FIRST_OTHER, own = r->racers; i < own && i < FIRST_OTHER + 2; i++) {
        struct strata_choice choice = {.algorithm = NULL};
        if (strata_choice_parse(r->racer[i].name, collective, &choice, NULL) == STRATA_OK) {
            for (int p = 0; p < STRATA_PARAMETERS && choice.algorithm->parameters[p].name; p++) {
                vary(r, &choice, choice.algorithm, p);
            }
        }
    }
}

/* Of so many ratios, how many lie below the interval of 95 % of their median: the most for which
 * half of a coin's throws are no more with a chance of 2.5 %. */
static int below(int count)
{
    double chance = pow(0.5, count), sum = chance;
    int k = 0;
    while (sum <= 0.025) {
        chance *= (double)(count - k) / (k + 1);
        sum += chance;
        k++;
    }
    return k > 0 ? k - 1 : 0;
}

/* The lower end of that interval, of the two's ratios in neighbouring batches. */
static double surely(const struct racer *slow, const struct racer *fast)
{
    const int count = fast->samples;
    double ratio[LAST];
    for (int i = 0; i < count; i++) {
        ratio[i] = slow->sample[i] / fast->sample[i];
    }
    (void)tool_spread_of(ratio, count);
    return ratio[below(count)];
}

/* The fastest of those that are surely faster than what costs choose; else what costs choose. */
static const struct racer *find_winner(const struct race *r)
{
    const struct racer *winner = &r->racer[UNTUNED];
    for (int i = r->native_may ? NATIVE : FIRST_OTHER; i < r->racers; i++) {
        const struct racer *one = &r->racer[i];
        if (one->median < winner->median && surely(&r->racer[UNTUNED], one) > WORTH) {
            winner = one;
        }
    }
    return winner;
}

static void run_race(struct race *r, enum strata_collective collective)
{
    enter_all(r, collective);
    for (int round = 0; round < ROUNDS; round++) {
        run_round(r, round, r->seconds / (round < ROUNDS - 1 ? 4 : 2));
        if (round == 0) {
            drop(r, left[0]);
            enter_neighbours(r, collective);
        } else if (round < ROUNDS - 1) {
            drop(r, left[round]);
        }
    }
    strata_comm_force(MPI_COMM_WORLD, r->collective, "auto");
}

static void keep(struct calls *c, const struct race *r, enum strata_collective collective,
                 int64_t bytes)
{
    const struct racer *winner = find_winner(r);
    struct strata_tuned_row row = {.collective = collective,
                                   .nodes = c->nodes,
                                   .ranks = c->largest,
                                   .bytes = (double)bytes,
                                   .seconds = winner->median,
                                   .untuned = r->racer[UNTUNED].median,
                                   .native = r->racer[NATIVE].median};
    strata_choice_parse(winner->name, collective, &row.choice, NULL);
    struct strata_tuned_row *grown =
        realloc(c->table.row, (size_t)(c->table.count + 1) * sizeof *grown);
    if (grown) {
        c->table.row = grown;
        grown[c->table.count++] = row;
    }
}

/* Tells the user how far it is. */
static void say(const struct race *r, int64_t bytes)
{
    char text[2][32], size[32];
    const struct racer *winner = find_winner(r);
    const char *prefix = strchr(winner->name, ':'); /* of those that are preferred */
    fprintf(stderr, "strata tune: %s of %s: %s, %s; costs choose what takes %s\n", r->collective,
            tool_bytes((double)bytes, size, sizeof size), prefix ? prefix + 1 : winner->name,
            tool_seconds(winner->median, text[0], sizeof text[0]),
            tool_seconds(r->racer[UNTUNED].median, text[1], sizeof text[1]));
}

/* The worst of all ranks' errors. */
static int agree(int error)
{
    PMPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return error;
}

/* Times one collective with one size. Returns MPI's error. */
static int tune_cell(struct calls *c, enum strata_collective collective, int64_t bytes,
                     double seconds)
{
    static struct race r;
    r = (struct race){.collective = strata_collective_name(collective), .seconds = seconds};
    const bool made = tool_performed_make(&r.call, collective, bytes, c->ranks);
    int error = agree(made ? MPI_SUCCESS : MPI_ERR_NO_MEM);
    if (error == MPI_SUCCESS) {
        run_race(&r, collective);
        error = agree(r.error);
    }
    if (error == MPI_SUCCESS && c->at.rank == 0) {
        keep(c, &r, collective, bytes);
        say(&r, bytes);
    }
    tool_performed_free(&r.call);
    return error;
}

/* Leaves out cells whose blocks are too long together. */
static void drop_long(struct calls *c)
{
    int kept = 0;
    for (int i = 0; i < c->count; i++) {
        const bool ranked = strata_collective_info[c->cell[i].collective].ranked;
        if (c->cell[i].bytes <= LARGEST / (ranked ? c->ranks : 1)) {
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
        error = tune_cell(c, cell->collective, cell->bytes, seconds * cell->weight / all);
    }
    return error;
}

/* Strata's nodes are those of STRATA_TOPO where it is set. */
static bool find_layout(struct calls *c)
{
    struct strata_report report = {.size = sizeof report};
    PMPI_Comm_size(MPI_COMM_WORLD, &c->ranks);
    const bool attached = strata_barrier(MPI_COMM_WORLD) == MPI_SUCCESS &&
                          strata_comm_report(MPI_COMM_WORLD, &report) == MPI_SUCCESS &&
                          report.nodes > 0;
    int most[2] = {report.node_ranks, attached ? 0 : 1};
    PMPI_Allreduce(MPI_IN_PLACE, most, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    c->nodes = report.nodes;
    c->largest = most[0];
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
                       struct calls *c, const struct strata_tuned *old,
                       const struct tool_tuned *tuned)
{
    struct tool_written *w = &c->written;
    *w = w->fresh[0] ? tool_written_open(request->out) : *w;
    if (w->file) {
        tool_table_write(old, &c->table, tuned, w->file);
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
                 struct calls *c, struct strata_tuned *old)
{
    int code = find_cells(command, request, c);
    code = code == TOOL_OK ? read_old(command, request->out, old) : code;
    if (code == TOOL_OK) { /* nobody measures for a file that cannot be written */
        c->written = tool_written_open(request->out);
        code =
            tool_written_can(&c->written) ? TOOL_OK : tool_written_complain(command, request->out);
    }
    return code;
}

/* Rank 0 alone. Returns an exit code. */
static int finish(const struct tool_command *command, const struct tool_calls_request *request,
                  struct calls *c, const struct strata_tuned *old, const struct tool_tuned *tuned)
{
    const int code = write_table(command, request, c, old, tuned);
    if (c->skipped > 0) {
        tool_complain(command, "%d case%s left out: blocks of more than 64 MiB together",
                      c->skipped, c->skipped == 1 ? " is" : "s are");
    }
    return code;
}

static int tune(const struct tool_command *command, const struct tool_calls_request *request,
                struct calls *c)
{
    struct strata_tuned old = {.count = 0};
    struct tool_tuned tuned = {.hosts = ""};
    int code = c->at.rank == 0 ? begin(command, request, c, &old) : TOOL_OK;
    PMPI_Bcast(&code, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (code != TOOL_OK) {
        return code;
    }
    PMPI_Bcast(&c->count, 1, MPI_INT, 0, MPI_COMM_WORLD);
    PMPI_Bcast(c->cell, c->count * (int)sizeof *c->cell, MPI_BYTE, 0, MPI_COMM_WORLD);
    drop_long(c);
    const int error = tune_cells(c, 60 * request->minutes);
    tool_places_name(&c->at, tuned.hosts, sizeof tuned.hosts, tuned.mpi, sizeof tuned.mpi);
    snprintf(tuned.command, sizeof tuned.command,
             "strata tune calls --minutes %g, %d ranks on %d nodes", request->minutes, c->ranks,
             c->nodes);
    if (c->at.rank == 0) { /* what was timed before an error counts, too */
        code = finish(command, request, c, &old, &tuned);
    }
    if (c->at.rank == 0 && error != MPI_SUCCESS) {
        tool_complain(command, "MPI refused a call: error %d", error);
        code = TOOL_FAILED;
    }
    PMPI_Bcast(&code, 1, MPI_INT, 0, MPI_COMM_WORLD);
    strata_tuned_free(&old);
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
        code = tune(command, request, &c);
    } else if (c.at.rank == 0) {
        tool_complain(command, "MPI_COMM_WORLD is not attached; `strata info` says why");
    }
    MPI_Finalize();
    free(c.table.row);
    return code;
}
