/* Splits virtual ranks with random colours and keys, and compares the groups with a plain sort. */
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "internode/split/values.h"
#include "tools/split/split_trial.h"

enum { TEXT = 256 };

struct crowd {
    const struct split_trial *trial;
    struct strata_chain_links *groups;
};

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static int32_t colour_of(const struct split_trial *t, int rank)
{
    uint64_t drawn = mix(t->seed * 2 + (uint64_t)rank * 0x9e3779b97f4a7c15u);
    return t->groups < 0 ? 0 : t->groups == 0 ? rank : (int32_t)(drawn % (uint64_t)t->groups);
}

static int32_t key_of(const struct split_trial *t, int rank)
{
    return t->keys ? (int32_t)(mix(t->seed * 2 + 1 + (uint64_t)rank * 0x9e3779b97f4a7c15u) >> 33)
                   : 0;
}

/* Writes a number in `size` digits. Longer text begins with the same letters in every name, as real
 * names do. */
static void write_text(int32_t colour, int size, char *text)
{
    memset(text, 'n', (size_t)size);
    for (int i = size - 1; i >= 0 && i >= size - 10; i--, colour /= 10) {
        text[i] = (char)('0' + colour % 10);
    }
}

static int split_one(struct strata_station *station, void *context)
{
    const struct crowd *crowd = context;
    const struct split_trial *t = crowd->trial;
    const int rank = station->address, last = t->ranks - 1;
    const struct strata_chain_links chain = {t->ranks, rank, rank, rank - 1,
                                             rank < last ? rank + 1 : -1};
    int32_t colour = colour_of(t, rank), key = key_of(t, rank);
    char text[TEXT];
    struct strata_split_input input = t->choice;
    input.colour = (struct strata_field){.enabled = t->groups >= 0,
                                         .bytes = &colour,
                                         .size = sizeof colour,
                                         .compare = strata_order_int32,
                                         .hash = strata_hash_any,
                                         .integer = STRATA_INT32};
    input.key = (struct strata_field){.enabled = t->keys,
                                      .bytes = &key,
                                      .size = sizeof key,
                                      .compare = strata_order_int32,
                                      .integer = STRATA_INT32};
    if (t->text > 0) {
        write_text(colour, t->text, text);
        input.colour.bytes = text;
        input.colour.size = (size_t)t->text;
        input.colour.compare = strata_order_bytes;
        input.colour.integer = STRATA_NO_INTEGER;
    }
    return strata_split_run(station, &chain, &input, &crowd->groups[rank], NULL);
}

struct sorted {
    int32_t colour, key, rank;
};

static int compare(const void *a, const void *b)
{
    const struct sorted *x = a, *y = b;
    int order = (x->colour > y->colour) - (x->colour < y->colour);
    order = order ? order : (x->key > y->key) - (x->key < y->key);
    return order ? order : (x->rank > y->rank) - (x->rank < y->rank);
}

/* Whether the ranks from `first` to before `end` form one group in this order. */
static bool right_group(const struct strata_chain_links *groups, const struct sorted *all,
                        int first, int end)
{
    for (int i = first; i < end; i++) {
        const struct strata_chain_links *g = &groups[all[i].rank];
        if (g->size != end - first || g->rank != i - first ||
            g->left != (i > first ? all[i - 1].rank : STRATA_NOBODY) ||
            g->right != (i + 1 < end ? all[i + 1].rank : STRATA_NOBODY)) {
            return false;
        }
    }
    return true;
}

static int judge(const struct crowd *crowd, struct strata_diagnostic *message)
{
    const struct split_trial *t = crowd->trial;
    struct sorted *all = strata_allocate((size_t)t->ranks, sizeof *all);
    bool right = true;
    if (!all) {
        return strata_fail(message, STRATA_ERR_MEMORY, "out of memory");
    }
    for (int i = 0; i < t->ranks; i++) {
        all[i] = (struct sorted){colour_of(t, i), key_of(t, i), i};
    }
    qsort(all, (size_t)t->ranks, sizeof *all, compare);
    for (int first = 0, end = 0; right && first < t->ranks; first = end) {
        while (end < t->ranks && all[end].colour == all[first].colour) {
            end++;
        }
        right = right_group(crowd->groups, all, first, end);
    }
    strata_release(all);
    return right ? STRATA_OK : strata_fail(message, STRATA_ERR_PLAN, "a rank's place is wrong");
}

static void add_up(const struct split_trial *t, const struct strata_usage *usage,
                   const double *seconds, struct split_figures *f)
{
    *f = (struct split_figures){0};
    for (int i = 0; i < t->ranks; i++) {
        const struct strata_usage *u = &usage[i];
        f->seconds = seconds[i] > f->seconds ? seconds[i] : f->seconds;
        f->rounds = u->rounds > f->rounds ? u->rounds : f->rounds;
        f->messages = u->messages > f->messages ? u->messages : f->messages;
        f->bytes = u->bytes > f->bytes ? u->bytes : f->bytes;
        f->memory = u->peak > f->memory ? u->peak : f->memory;
        f->messages_all += u->messages;
        f->bytes_all += u->bytes;
    }
}

static int run_in(const struct split_trial *t, struct crowd *crowd, struct strata_usage *usage,
                  double *seconds, int *status, struct strata_diagnostic *message)
{
    const struct strata_virtual_stations run = {.ranks = t->ranks,
                                                .rendezvous = t->rendezvous,
                                                .seed = t->seed,
                                                .failing_rank = -1,
                                                .body = split_one,
                                                .context = crowd,
                                                .clock = t->clock,
                                                .status = status,
                                                .usage = usage,
                                                .seconds = seconds};
    int error = strata_virtual_stations_run(&run, message);
    for (int i = 0; !error && i < t->ranks; i++) {
        if (status[i]) {
            error = strata_fail(message, status[i], "rank %d: %s", i, strata_error_text(status[i]));
        }
    }
    return error ? error : judge(crowd, message);
}

int split_trial_run(const struct split_trial *t, struct split_figures *figures,
                    struct strata_diagnostic *message)
{
    size_t ranks = (size_t)t->ranks;
    struct crowd crowd = {t, strata_allocate(ranks, sizeof *crowd.groups)};
    struct strata_usage *usage = strata_allocate(ranks, sizeof *usage);
    double *seconds = strata_allocate(ranks, sizeof *seconds);
    int *status = strata_allocate(ranks, sizeof *status);
    int error = crowd.groups && usage && seconds && status
                    ? run_in(t, &crowd, usage, seconds, status, message)
                    : strata_fail(message, STRATA_ERR_MEMORY, "no memory for %d ranks", t->ranks);
    if (!error) {
        add_up(t, usage, seconds, figures);
    }
    strata_release(status);
    strata_release(seconds);
    strata_release(usage);
    strata_release(crowd.groups);
    return error;
}
