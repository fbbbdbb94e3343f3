/* Rank 0 leads: it alone decides on the next case and its number of batches. */
#include "bench/strata_bench/lead.h"

#include <mpi.h>

#include "bench/strata_bench/table.h"

enum order { OPEN, BATCH, CLOSE, END };

/* Google Benchmark's callbacks take no argument of ours. */
static struct {
    struct measurement *measurement;
    const struct cases *cases;
} led;

static void tell(enum order order, int index)
{
    int words[] = {order, index};
    PMPI_Bcast(words, 2, MPI_INT, 0, MPI_COMM_WORLD);
}

static const char *name(int index)
{
    return led.cases->list[index].name;
}

static const char *lead_open(int index)
{
    tell(OPEN, index);
    const char *error = measurement_open(led.measurement, &led.cases->list[index]);
    if (error && !led.measurement->options->report) {
        table_error(led.measurement, error);
    }
    return error;
}

static double lead_batch(void)
{
    tell(BATCH, 0);
    return measurement_batch(led.measurement);
}

static const struct bench_result *lead_close(void)
{
    static struct bench_result result;
    struct measurement *m = led.measurement;
    tell(CLOSE, 0);
    const char *error = measurement_close(m);
    if (!m->options->report && error) {
        table_error(m, error);
    } else if (!m->options->report) {
        table_row(m);
    }
    result = (struct bench_result){m->text, error, m->counters, m->ncounters};
    return &result;
}

size_t lead(struct measurement *m, const struct cases *cases)
{
    const struct bench_suite suite = {.cases = cases->count,
                                      .batches = m->options->batches,
                                      .name = name,
                                      .open = lead_open,
                                      .batch = lead_batch,
                                      .close = lead_close};
    led.measurement = m;
    led.cases = cases;
    size_t count = bench_run(&suite, m->options->report);
    tell(END, 0);
    return count;
}

void follow(struct measurement *m, const struct cases *cases)
{
    for (;;) {
        int words[2];
        PMPI_Bcast(words, 2, MPI_INT, 0, MPI_COMM_WORLD);
        switch ((enum order)words[0]) {
        case OPEN:
            measurement_open(m, &cases->list[words[1]]);
            break;
        case BATCH:
            measurement_batch(m);
            break;
        case CLOSE:
            measurement_close(m);
            break;
        case END:
            return;
        }
    }
}
