/* Calls and ranks in words. */
#include <string.h>

#include "tools/command/words.h"
#include "tools/rollcall/rollcall.h"

bool roll_same_communicator(const struct strata_record_communicator *a,
                            const struct strata_record_communicator *b)
{
    return a->identity == b->identity && a->turn == b->turn && a->ranks == b->ranks;
}

uint32_t roll_row_of(const struct strata_record *record, const struct strata_record_communicator *c)
{
    for (uint32_t i = 1; i < record->communicators && i < STRATA_RECORD_COMMUNICATORS; i++) {
        if (roll_same_communicator(&record->communicator[i], c)) {
            return i;
        }
    }
    return 0;
}

bool roll_lists_members(const struct strata_record_communicator *c)
{
    return c->members < STRATA_RECORD_MEMBERS && c->ranks <= STRATA_RECORD_MEMBERS - c->members;
}

/* "MPI_COMM_WORLD", "communicator 2 of 3 ranks". */
static const char *name_of(const struct strata_record_communicator *c, char *text, size_t size)
{
    if (c->name[0]) {
        snprintf(text, size, "%.*s", STRATA_RECORD_NAME, c->name);
    } else if (c->turn > 0) {
        snprintf(text, size, "communicator %llu of %u ranks", (unsigned long long)c->turn,
                 c->ranks);
    } else if (c->ranks > 0) { /* on which no collective was called, so it has no turn */
        snprintf(text, size, "a communicator of %u ranks", c->ranks);
    } else {
        snprintf(text, size, "a communicator");
    }
    return text;
}

static void append(char *text, const char *format, const char *word)
{
    const size_t length = strlen(text);
    snprintf(text + length, ROLL_TEXT - length, format, word);
}

/* What a call of alltoallv moves is many numbers, of which ranks at one place have others. */
static void append_size(const struct roll_call *call, char *text)
{
    char size[32];
    const bool message = roll_is_message(call) && call->type && !roll_sends_and_receives(call);
    const bool sized = message || (call->kind < STRATA_BARRIER && !strata_record_lists(call->kind));
    if (sized && call->bytes) {
        append(text, " of %s", tool_bytes((double)call->count * call->bytes, size, sizeof size));
    } else if (sized) {
        snprintf(size, sizeof size, "%llu", (unsigned long long)call->count);
        append(text, " of %s elements", size);
    }
}

const char *roll_collective(const struct roll_call *call, char *text)
{
    snprintf(text, ROLL_TEXT, "%s%s%s%s", call->own ? "strata_" : "",
             call->form == STRATA_RECORD_NONBLOCKING ? "i" : "",
             strata_record_kind_name(call->kind),
             call->form == STRATA_RECORD_DESCRIBED ? "_init" : "");
    return text;
}

const struct roll_call *roll_awaited(const struct roll_call *call)
{
    return call->kind == STRATA_RECORD_WAIT && call->awaited ? call->awaited : call;
}

const char *roll_signature(const struct roll_call *call, char *text)
{
    const char *type = strata_record_type_name(call->type);
    const char *op = strata_record_operator_name(call->op);
    char root[32], name[ROLL_TEXT];
    text[0] = '\0';
    append(text, "%s", roll_collective(call, name));
    append_size(call, text);
    append(text, type ? ", %s" : "", type ? type : "");
    append(text, op ? ", %s" : "", op ? op : "");
    if (call->root >= 0) {
        snprintf(root, sizeof root, "%d", call->root);
        append(text, ", root %s", root);
    }
    return text;
}

/* " from rank 2, tag 7". Where MPI_COMM_WORLD's number is not known, it is the communicator's. */
static void append_end(const struct roll_end *end, const char *word, char *text)
{
    char number[32];
    append(text, ", %s ", word);
    if (end->rank == STRATA_RECORD_ANYBODY) {
        append(text, "%s", "any rank");
    } else {
        snprintf(number, sizeof number, "%d", end->world < 0 ? end->rank : end->world);
        append(text, end->world < 0 ? "its rank %s" : "rank %s", number);
    }
    snprintf(number, sizeof number, "tag %d", end->tag);
    append(text, ", %s", end->tag < 0 ? "any tag" : number);
}

static const char *message_text(const struct roll_call *call, char *text)
{
    const bool sends = call->kind >= STRATA_RECORD_SEND;
    char signature[ROLL_TEXT], name[STRATA_RECORD_NAME + 1];
    snprintf(text, ROLL_TEXT, "%.300s", roll_signature(call, signature));
    if (call->other.rank != STRATA_RECORD_NOBODY) {
        append_end(&call->other, sends ? "to" : "from", text);
    }
    if (call->to.rank != STRATA_RECORD_NOBODY) {
        append_end(&call->to, "to", text);
    }
    append(text, ", on %s", name_of(call->communicator, name, sizeof name));
    return text;
}

const char *roll_call_text(const struct roll_call *call, char *text)
{
    char signature[ROLL_TEXT], name[STRATA_RECORD_NAME + 1];
    if (call->kind == STRATA_RECORD_FINALIZE) {
        snprintf(text, ROLL_TEXT, "MPI_Finalize");
    } else if (roll_is_message(call)) {
        message_text(call, text);
    } else {
        snprintf(text, ROLL_TEXT, "%s %llu of %s, %.300s",
                 call->form == STRATA_RECORD_STARTED ? "start" : "call",
                 (unsigned long long)call->order, name_of(call->communicator, name, sizeof name),
                 roll_signature(call, signature));
    }
    return text;
}

/* "in call 3 of ...", "in a wait for call 3 of ..., at solver.c:311 (solve), begun" */
static void append_call(const struct roll_rank *rank, const struct roll_call *call, char *text)
{
    const struct roll_call *awaited = roll_awaited(call);
    char what[ROLL_TEXT], site[ROLL_TEXT];
    append(text, "%s", call->kind == STRATA_RECORD_WAIT ? "a wait for " : "");
    append(text, "%s", call == rank->open && rank->any ? "any of several, the first of them " : "");
    append(text, "%s", roll_call_text(awaited, what));
    append(text, ", at %s", roll_site(rank->record, call->site, site));
    if (awaited != call) {
        append(text, ", begun at %s", roll_site(rank->record, awaited->site, site));
    }
    append(text, awaited->served ? ", by %s" : "", awaited->served ? awaited->served : "");
}

const char *roll_place(const struct roll_rank *rank, char *text)
{
    static const char *const does[] = {"", "gone ", "stopped ", "sleeping ", "running ", "", ""};
    const struct roll_call *last = rank->count ? &rank->calls[rank->count - 1] : NULL;
    const struct roll_call *call = rank->open ? rank->open : last;
    text[0] = '\0';
    if (rank->state == ROLL_ENDED) {
        append(text, "%s", last ? "ended well, behind " : "ended well");
    } else if (!rank->open) {
        append(text, "%soutside collectives, ", does[rank->state]);
        append(text, "%s", last ? "behind " : "before its first call");
    } else {
        append(text, "%s", rank->state <= ROLL_STOPPED ? does[rank->state] : "");
        append(text, "%s", "in ");
        append(text, "%s", rank->tests ? "a loop of tests of " : "");
    }
    if (call) {
        append_call(rank, call, text);
    }
    if (rank->begun && rank->begun == call && !rank->open) {
        append(text, "%s", ", not completed");
    } else if (call && rank->begun && rank->begun != roll_awaited(call)) {
        append(text, "%s", "; begun and not completed: ");
        append_call(rank, rank->begun, text);
    }
    return text;
}

static void print_range(int first, int last, const char *comma)
{
    if (first == last) {
        printf("%s%d", comma, first);
    } else {
        printf("%s%d-%d", comma, first, last);
    }
}

/* " on host1, host2", or " on 5 hosts", of a job that has more than one. */
static void print_hosts(const struct roll_job *job, const bool *chosen)
{
    enum { NAMED = 3 };
    const char *names[NAMED];
    bool seen[job->hosts];
    int hosts = 0;
    memset(seen, 0, sizeof seen);
    for (int i = 0; i < job->count; i++) {
        const struct roll_rank *rank = &job->ranks[i];
        if (chosen[i] && !seen[rank->host]) {
            seen[rank->host] = true;
            names[hosts++ % NAMED] = rank->record->host;
        }
    }
    for (int k = 0; hosts <= NAMED && k < hosts; k++) {
        printf("%s%s", k ? ", " : " on ", names[k]);
    }
    if (hosts > NAMED) {
        printf(" on %d hosts", hosts);
    }
}

void roll_print_ranks(const struct roll_job *job, const bool *chosen)
{
    int many = 0;
    for (int i = 0; i < job->count; i++) {
        many += chosen[i];
    }
    printf("rank%s ", tool_plural(many));
    const char *comma = "";
    for (int i = 0; i < job->count; i++) {
        int last = i;
        while (chosen[i] && last + 1 < job->count && chosen[last + 1] &&
               job->ranks[last + 1].record->rank == job->ranks[last].record->rank + 1) {
            last++;
        }
        if (chosen[i]) {
            print_range(job->ranks[i].record->rank, job->ranks[last].record->rank, comma);
            comma = ", ";
            i = last;
        }
    }
    if (job->hosts > 1) {
        print_hosts(job, chosen);
    }
}
