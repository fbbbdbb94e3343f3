/* The calls of a job as a timeline, in the trace format of Chrome, which Perfetto reads, too. A
 * host is a process there, and a rank a thread. A call that does not block is an asynchronous
 * event, for it may overlap others. Times are microseconds since the first call that is known. */
#include <string.h>

#include "core/base/json_text.h"
#include "tools/rollcall/rollcall.h"

struct roll_span roll_span_of(const struct roll_job *job)
{
    struct roll_span s = {.begin = 0, .end = 0};
    for (int i = 0; i < job->count; i++) {
        const struct roll_rank *rank = &job->ranks[i];
        const double begin = rank->count > 0 ? rank->calls[0].begin : s.begin;
        s.begin = s.begin <= 0 || (begin > 0 && begin < s.begin) ? begin : s.begin;
        s.end = rank->active > s.end ? rank->active : s.end;
    }
    s.end += job->ended ? 0 : job->still;
    return s;
}

/* Begins an event behind others. */
static void put_event(FILE *file, const char *phase, const struct roll_rank *rank, const char *name)
{
    fprintf(file, ",\n{\"ph\": \"%s\", \"pid\": %d, \"tid\": %d, ", phase, rank->host,
            rank->record->rank);
    strata_json_text(file, "name", name);
}

static void put_time(FILE *file, const struct roll_span *span, double at)
{
    fprintf(file, ", \"ts\": %.3f", (at - span->begin) * 1e6);
}

static void put_names(FILE *file, const struct roll_job *job)
{
    int hosts = 0;
    for (int i = 0; i < job->count; i++) {
        const struct roll_rank *rank = &job->ranks[i];
        char name[32];
        if (rank->host == hosts) {
            hosts++;
            put_event(file, "M", rank, "process_name");
            fprintf(file, ", \"args\": {");
            strata_json_text(file, "name", rank->record->host);
            fprintf(file, "}}");
        }
        snprintf(name, sizeof name, "rank %d", rank->record->rank);
        put_event(file, "M", rank, "thread_name");
        fprintf(file, ", \"args\": {");
        strata_json_text(file, "name", name);
        fprintf(file, "}}");
    }
}

static void put_arguments(FILE *file, const struct roll_rank *rank, const struct roll_call *call)
{
    char text[ROLL_TEXT];
    fprintf(file, ", \"args\": {");
    strata_json_text(file, "call", roll_call_text(roll_awaited(call), text));
    fprintf(file, ", ");
    strata_json_text(file, "site", roll_site(rank->record, call->site, text));
    if (roll_awaited(call)->served) {
        fprintf(file, ", ");
        strata_json_text(file, "served by", roll_awaited(call)->served);
    }
    fprintf(file, ", \"ended\": %s}", call->end > 0 ? "true" : "false");
}

static void put_call(FILE *file, const struct roll_span *span, const struct roll_rank *rank,
                     const struct roll_call *call)
{
    const bool overlaps =
        call->form == STRATA_RECORD_NONBLOCKING || call->form == STRATA_RECORD_STARTED;
    const double end = call->end > 0             ? call->end
                       : span->end > call->begin ? span->end
                                                 : call->begin;
    char name[ROLL_TEXT];
    if (call->kind == STRATA_RECORD_WAIT) {
        snprintf(name, sizeof name, "wait");
    } else {
        roll_collective(call, name);
    }
    put_event(file, overlaps ? "b" : "X", rank, name);
    put_time(file, span, call->begin);
    if (overlaps) {
        fprintf(file, ", \"cat\": \"nonblocking\", \"id\": \"%d.%llu\"", rank->record->rank,
                (unsigned long long)call->number);
    } else {
        fprintf(file, ", \"dur\": %.3f", (end - call->begin) * 1e6);
    }
    put_arguments(file, rank, call);
    fprintf(file, "}");
    if (overlaps) {
        put_event(file, "e", rank, name);
        put_time(file, span, end);
        fprintf(file, ", \"cat\": \"nonblocking\", \"id\": \"%d.%llu\"}", rank->record->rank,
                (unsigned long long)call->number);
    }
}

int roll_timeline(const struct roll_job *job, FILE *file)
{
    const struct roll_span span = roll_span_of(job);
    char clocks[ROLL_TEXT];
    fprintf(file, "{\"displayTimeUnit\": \"ns\", \"otherData\": {");
    strata_json_text(file, "program", job->ranks[0].record->program);
    if (roll_agreement_text(job, clocks)[0]) {
        fprintf(file, ", ");
        strata_json_text(file, "clocks", clocks);
    }
    fprintf(file, "}, \"traceEvents\": [\n{\"ph\": \"M\", \"pid\": 0, "
                  "\"name\": \"process_labels\", \"args\": {\"labels\": \"strata\"}}");
    put_names(file, job);
    for (int i = 0; i < job->count; i++) {
        for (int k = 0; k < job->ranks[i].count; k++) {
            put_call(file, &span, &job->ranks[i], &job->ranks[i].calls[k]);
        }
    }
    fprintf(file, "\n]}\n");
    return job->count;
}
