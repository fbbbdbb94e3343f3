/* The first call on each communicator in which ranks disagree: about the collective, its root, its
 * operator, its datatype or its size. MPI does not look for that, and the program may go on. */
#include <stdlib.h>
#include <string.h>

#include "tools/command/words.h"
#include "tools/rollcall/rollcall.h"

/* What all ranks of a call must give alike, as text; NULL: it is not known, or need not be. */
typedef const char *field(const struct roll_call *call, char *text);

static const char *collective_of(const struct roll_call *call, char *text)
{
    return roll_collective(call, text);
}

static const char *root_of(const struct roll_call *call, char *text)
{
    if (call->root < 0) {
        return NULL;
    }
    snprintf(text, ROLL_TEXT, "root %d", call->root);
    return text;
}

static const char *operator_of(const struct roll_call *call, char *text)
{
    (void)text;
    return strata_record_operator_name(call->op);
}

/* Whether all ranks give one number of elements. */
static bool is_even(const struct roll_call *call)
{
    return call->kind < STRATA_BARRIER && !strata_collective_info[call->kind].varying &&
           call->count > 0;
}

/* Where nothing is combined, a datatype may be made of others. */
static const char *type_of(const struct roll_call *call, char *text)
{
    (void)text;
    return is_even(call) ? strata_record_type_name(call->type) : NULL;
}

static const char *size_of(const struct roll_call *call, char *text)
{
    if (!is_even(call) || !call->bytes) {
        return NULL;
    }
    snprintf(text, ROLL_TEXT, "%llu B", (unsigned long long)call->count * call->bytes);
    return text;
}

static const struct {
    const char *name;
    field *of;
} fields[] = {{"collectives", collective_of},
              {"roots", root_of},
              {"operators", operator_of},
              {"datatypes", type_of},
              {"sizes", size_of}};
enum { FIELDS = sizeof fields / sizeof *fields };

static int by_call(const void *a, const void *b)
{
    const struct roll_made *p = a, *q = b;
    const struct strata_record_communicator *c = p->call->communicator, *d = q->call->communicator;
    if (c->identity != d->identity) {
        return c->identity < d->identity ? -1 : 1;
    }
    if (c->turn != d->turn) {
        return c->turn < d->turn ? -1 : 1;
    }
    if (p->call->order != q->call->order) {
        return p->call->order < q->call->order ? -1 : 1;
    }
    return p->rank - q->rank;
}

/* Appends those of a rank's calls that all ranks of a communicator must make. */
static void collect(struct roll_made *places, int *count, int rank, const struct roll_call *calls,
                    int made)
{
    for (int k = 0; k < made; k++) {
        const struct roll_call *call = &calls[k];
        if (call->communicator->ranks > 0 && !call->communicator->inter &&
            call->communicator->turn > 0 && call->kind != STRATA_RECORD_WAIT &&
            !roll_is_message(call) && call->number >= call->communicator->since) {
            places[(*count)++] = (struct roll_made){call, rank};
        }
    }
}

struct roll_made *roll_collect(const struct roll_job *job, bool longest, int *count)
{
    int most = 0;
    for (int i = 0; i < job->count; i++) {
        most += job->ranks[i].count + job->ranks[i].longest_count;
    }
    struct roll_made *places = malloc((size_t)most * sizeof *places + 1);
    *count = 0;
    for (int i = 0; places && i < job->count; i++) {
        const struct roll_rank *rank = &job->ranks[i];
        collect(places, count, i, rank->calls, rank->count);
        collect(places, count, i, rank->longest, longest ? rank->longest_count : 0);
    }
    if (places) {
        qsort(places, (size_t)*count, sizeof *places, by_call);
    }
    return places;
}

/* Prints the ranks that give this text, and where the first of them does. */
static void print_group(const struct roll_job *job, const struct roll_made *places, int count,
                        field *of, const char *value, const char *comma)
{
    bool chosen[job->count];
    char text[ROLL_TEXT];
    const struct roll_made *first = places;
    memset(chosen, 0, sizeof chosen);
    for (int i = count - 1; i >= 0; i--) {
        const char *here = of(places[i].call, text);
        if (here && strcmp(here, value) == 0) {
            chosen[places[i].rank] = true;
            first = &places[i];
        }
    }
    printf("%s%s on ", comma, value);
    roll_print_ranks(job, chosen);
    printf(" at %s", roll_site(job->ranks[first->rank].record, first->call->site, text));
}

/* Whether an earlier rank of the call gave the same. */
static bool is_said(const struct roll_made *places, int index, field *of, const char *value)
{
    char text[ROLL_TEXT];
    bool said = false;
    for (int i = 0; i < index; i++) {
        const char *here = of(places[i].call, text);
        said = said || (here && strcmp(here, value) == 0);
    }
    return said;
}

/* Whether the ranks of the call give different texts. */
static bool differ(const struct roll_made *places, int count, field *of)
{
    char text[ROLL_TEXT], other[ROLL_TEXT];
    const char *first = NULL;
    bool different = false;
    for (int i = 0; i < count && !different; i++) {
        const char *value = of(places[i].call, first ? other : text);
        different = first && value && strcmp(first, value) != 0;
        first = first ? first : value;
    }
    return different;
}

static void say(const struct roll_job *job, const struct roll_made *places, int count, int f,
                const char *prefix)
{
    char text[ROLL_TEXT], call[ROLL_TEXT];
    const char *comma = "";
    int named = 0; /* MPI_Finalize has no number in words */
    while (named + 1 < count && places[named].call->kind == STRATA_RECORD_FINALIZE) {
        named++;
    }
    roll_call_text(places[named].call, call);
    call[strcspn(call, ",")] = '\0';
    printf("%swrong: in %s the %s differ: ", prefix, call, fields[f].name);
    for (int i = 0; i < count; i++) {
        const char *value = fields[f].of(places[i].call, text);
        if (value && !is_said(places, i, fields[f].of, value)) {
            print_group(job, places, count, fields[f].of, value, comma);
            comma = ", ";
        }
    }
    printf("\n");
}

/* Says in what the ranks of one call differ first. */
static int judge(const struct roll_job *job, const struct roll_made *places, int count,
                 const char *prefix)
{
    int f = 0;
    while (f < FIELDS && !differ(places, count, fields[f].of)) {
        f++;
    }
    if (f < FIELDS) {
        say(job, places, count, f, prefix);
    }
    return f < FIELDS;
}

int roll_end_of_call(const struct roll_made *made, int first, int count)
{
    const struct roll_call *call = made[first].call;
    int end = first + 1;
    while (end < count && made[end].call->order == call->order &&
           roll_same_communicator(made[end].call->communicator, call->communicator)) {
        end++;
    }
    return end;
}

int roll_disagreements(const struct roll_job *job, const char *prefix)
{
    int count, said = 0;
    struct roll_made *places = roll_collect(job, false, &count);
    const struct strata_record_communicator *done = NULL; /* later calls on it say nothing new */
    for (int i = 0, end; i < count; i = end) {
        const struct strata_record_communicator *c = places[i].call->communicator;
        end = roll_end_of_call(places, i, count);
        if (!(done && roll_same_communicator(done, c)) && judge(job, places + i, end - i, prefix)) {
            done = c;
            said++;
        }
    }
    free(places);
    return said;
}
