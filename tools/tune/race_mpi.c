/* What costs choose and MPI's own stay in the race to its end, and are beaten only in batches of
 * their own: the fastest of many is the fastest by chance, too. */
#include "tools/tune/race.h"

#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "include/strata.h"

#include "core/base/clock.h"
#include "hier/registry.h"
#include "tools/tune/tune.h"

enum { MOST_CALLS = 1 << 16 };
/* Batches in which all race, those that are left, and those that are then left; where the time is
 * short, at least so many. */
static const struct {
    int most, least;
} rounds[] = {{3, 1}, {5, 3}, {RACE_LAST, 7}};
enum { ROUNDS = sizeof rounds / sizeof *rounds };
static const int left[] = {8, 3}; /* besides the first ones */
/* What is not faster by so much is not worth another bit in a sum. */
static const double WORTH = 1.02;
/* No race waits for who takes so many times as long as the fastest. */
static const double HOPELESS = 4;

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
    if (r->racers == RACE_MOST) {
        return;
    }
    *one = (struct racer){.samples = 0};
    snprintf(one->name, sizeof one->name, "%s%s", r->racers < RACE_FIRST_OTHER ? "" : prefer,
             choice);
    time_batch(r, one, 1);
    one->median = time_batch(r, one, 1);
    find_served(served, sizeof served);
    if (r->racers < RACE_FIRST_OTHER) {
        r->racers++;
        return;
    }
    snprintf(one->name, sizeof one->name, "%s%s", prefer, served);
    if (is_of(served, choice) && !races(r, one->name, RACE_FIRST_OTHER)) {
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

static void enter_earlier(struct race *r)
{
    const int at = r->racers;
    if (strcmp(r->earlier, "native") == 0) {
        r->kept = r->native_may ? RACE_NATIVE : 0;
    } else if (r->earlier[0]) {
        enter(r, r->earlier);
        r->kept = r->racers > at ? at : 0;
    }
    r->firsts = r->racers;
}

static void enter_all(struct race *r, enum strata_collective collective)
{
    const struct strata_algorithm *row;
    r->racers = 0;
    enter_first(r);
    enter_earlier(r);
    for (int i = 0; (row = strata_registry_at(i)); i++) {
        if (row->collectives >> collective & 1 && row->level != STRATA_MPI && !row->once) {
            enter(r, row->name);
        }
    }
}

static double median_of(const double *samples, int count)
{
    double sorted[RACE_LAST];
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

/* Leaves so many besides the first ones, the fastest first, and no hopeless one. */
static void drop(struct race *r, int most)
{
    const double least = fastest(r);
    if (r->kept >= RACE_FIRST_OTHER && r->racer[r->kept].median > HOPELESS * least) {
        r->firsts = RACE_FIRST_OTHER;
        r->kept = 0;
    }
    qsort(r->racer + r->firsts, (size_t)(r->racers - r->firsts), sizeof *r->racer, by_median);
    while (r->racers > r->firsts &&
           (r->racers > r->firsts + most || r->racer[r->racers - 1].median > HOPELESS * least)) {
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
    for (int i = r->firsts, own = r->racers; i < own && i < r->firsts + 2; i++) {
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
    double ratio[RACE_LAST];
    for (int i = 0; i < count; i++) {
        ratio[i] = slow->sample[i] / fast->sample[i];
    }
    (void)tool_spread_of(ratio, count);
    return ratio[below(count)];
}

static bool wins(const struct race *r, const struct racer *one)
{
    const struct racer *untuned = &r->racer[RACE_UNTUNED];
    return one->median < untuned->median && surely(untuned, one) > WORTH;
}

const struct racer *race_winner(const struct race *r)
{
    const struct racer *winner = &r->racer[RACE_UNTUNED];
    for (int i = r->native_may ? RACE_NATIVE : RACE_FIRST_OTHER; i < r->racers; i++) {
        const struct racer *one = &r->racer[i];
        winner = one->median < winner->median && wins(r, one) ? one : winner;
    }
    return winner;
}

const struct racer *race_kept(const struct race *r)
{
    return r->kept > 0 && wins(r, &r->racer[r->kept]) ? &r->racer[r->kept] : NULL;
}

void race_run(struct race *r, enum strata_collective collective)
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
