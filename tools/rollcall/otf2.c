/* Writes the calls of a job as an archive in the Open Trace Format 2: a call is a stay in its
 * region, and a blocking collective also an event of its communicator. A call that does not block
 * is a moment where it begins; its wait is a region. */
#include "tools/rollcall/otf2.h"

#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include "tools/rollcall/otf2_writer.h"

static OTF2_FlushType may_flush(void *self, OTF2_FileType type, OTF2_LocationRef location,
                                void *caller, bool last)
{
    (void)self, (void)type, (void)location, (void)caller, (void)last;
    return OTF2_FLUSH;
}

static OTF2_TimeStamp time_of(const struct roll_otf2_writer *w, double at)
{
    return at > w->span.begin ? (OTF2_TimeStamp)((at - w->span.begin) * 1e9) : 0;
}

static OTF2_CollectiveOp operation_of(const struct roll_call *call)
{
    static const OTF2_CollectiveOp all[] = {
        [STRATA_ALLTOALL] = OTF2_COLLECTIVE_OP_ALLTOALL,
        [STRATA_ALLTOALLV] = OTF2_COLLECTIVE_OP_ALLTOALLV,
        [STRATA_ALLTOALLW] = OTF2_COLLECTIVE_OP_ALLTOALLW,
        [STRATA_ALLGATHER] = OTF2_COLLECTIVE_OP_ALLGATHER,
        [STRATA_ALLGATHERV] = OTF2_COLLECTIVE_OP_ALLGATHERV,
        [STRATA_BCAST] = OTF2_COLLECTIVE_OP_BCAST,
        [STRATA_GATHER] = OTF2_COLLECTIVE_OP_GATHER,
        [STRATA_GATHERV] = OTF2_COLLECTIVE_OP_GATHERV,
        [STRATA_SCATTER] = OTF2_COLLECTIVE_OP_SCATTER,
        [STRATA_SCATTERV] = OTF2_COLLECTIVE_OP_SCATTERV,
        [STRATA_REDUCE] = OTF2_COLLECTIVE_OP_REDUCE,
        [STRATA_ALLREDUCE] = OTF2_COLLECTIVE_OP_ALLREDUCE,
        [STRATA_REDUCE_SCATTER] = OTF2_COLLECTIVE_OP_REDUCE_SCATTER,
        [STRATA_REDUCE_SCATTER_BLOCK] = OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK,
        [STRATA_SCAN] = OTF2_COLLECTIVE_OP_SCAN,
        [STRATA_EXSCAN] = OTF2_COLLECTIVE_OP_EXSCAN,
        [STRATA_BARRIER] = OTF2_COLLECTIVE_OP_BARRIER,
    };
    return all[call->kind];
}

/* The number of its communicator; -1: it is no blocking collective, or one whose members are not
 * known. */
static int communicator_of(const struct roll_otf2_writer *w, const struct roll_call *call)
{
    const bool blocks =
        call->kind < STRATA_COLLECTIVE_COUNT && call->form == STRATA_RECORD_BLOCKING;
    return blocks ? roll_otf2_communicator_of(w, call->communicator) : -1;
}

/* The moment of a call that returns at once, or its end. */
static double end_of(const struct roll_otf2_writer *w, const struct roll_call *call)
{
    const bool returns =
        call->form == STRATA_RECORD_NONBLOCKING || call->form == STRATA_RECORD_STARTED;
    return returns ? call->begin : call->end > 0 ? call->end : w->span.end;
}

/* Times of a location do not go back, though those of threads or of a broken file may. */
static OTF2_TimeStamp next_time(struct roll_otf2_writer *w, double at)
{
    const OTF2_TimeStamp time = time_of(w, at);
    w->now = time > w->now ? time : w->now;
    *w->at += 1;
    return w->now;
}

/* A call whose region has begun. */
struct open {
    const struct roll_call *call;
    int communicator;
};

static struct open put_enter(struct roll_otf2_writer *w, OTF2_EvtWriter *events,
                             const struct roll_rank *rank, const struct roll_call *call)
{
    const struct open open = {call, communicator_of(w, call)};
    char site[ROLL_TEXT];
    OTF2_AttributeList_AddStringRef(w->attributes, ROLL_OTF2_SITE,
                                    roll_otf2_text(w, roll_site(rank->record, call->site, site)));
    if (call->served) {
        OTF2_AttributeList_AddStringRef(w->attributes, ROLL_OTF2_SERVED,
                                        roll_otf2_text(w, call->served));
    }
    OTF2_AttributeList_AddUint64(w->attributes, ROLL_OTF2_NUMBER,
                                 roll_is_message(call) ? 0 : call->order);
    OTF2_EvtWriter_Enter(events, w->attributes, next_time(w, call->begin),
                         roll_otf2_region(w, call));
    if (open.communicator >= 0) {
        OTF2_EvtWriter_MpiCollectiveBegin(events, NULL, next_time(w, call->begin));
    }
    return open;
}

static void put_leave(struct roll_otf2_writer *w, OTF2_EvtWriter *events, const struct open *open)
{
    const struct roll_call *call = open->call;
    const double end = end_of(w, call);
    if (open->communicator >= 0) {
        const uint64_t bytes = call->count * call->bytes;
        OTF2_EvtWriter_MpiCollectiveEnd(
            events, NULL, next_time(w, end), operation_of(call), (OTF2_CommRef)open->communicator,
            call->root >= 0 ? (uint32_t)call->root : OTF2_UNDEFINED_UINT32, bytes, bytes);
    }
    OTF2_EvtWriter_Leave(events, NULL, next_time(w, end), roll_otf2_region(w, call));
}

/* Regions must nest. Those of a rank's threads may overlap otherwise: then the later one is left
 * out. */
static void put_calls(struct roll_otf2_writer *w, OTF2_EvtWriter *events,
                      const struct roll_rank *rank)
{
    enum { DEEP = 64 };
    struct open open[DEEP];
    int depth = 0;
    for (int k = 0; k <= rank->count; k++) {
        const struct roll_call *call = k < rank->count ? &rank->calls[k] : NULL;
        while (depth > 0 && (!call || end_of(w, open[depth - 1].call) <= call->begin)) {
            put_leave(w, events, &open[--depth]);
        }
        const struct roll_call *outer = depth > 0 ? open[depth - 1].call : NULL;
        if (call && depth < DEEP &&
            (!outer || (end_of(w, call) <= end_of(w, outer) && call->begin >= outer->begin))) {
            open[depth++] = put_enter(w, events, rank, call);
        } else {
            w->left_out += call != NULL;
        }
    }
}

static bool put_rank(struct roll_otf2_writer *w, int i)
{
    const struct roll_rank *rank = &w->job->ranks[i];
    OTF2_EvtWriter *events = OTF2_Archive_GetEvtWriter(w->archive, (uint64_t)rank->record->rank);
    w->at = &w->events[i];
    w->now = 0;
    if (!events) {
        return false;
    }
    put_calls(w, events, rank);
    return OTF2_Archive_CloseEvtWriter(w->archive, events) == OTF2_SUCCESS;
}

/* Each location has definitions of its own, of which these need none. */
static bool close_locals(const struct roll_otf2_writer *w)
{
    bool good = OTF2_Archive_OpenDefFiles(w->archive) == OTF2_SUCCESS;
    for (int i = 0; good && i < w->job->count; i++) {
        OTF2_DefWriter *local =
            OTF2_Archive_GetDefWriter(w->archive, (uint64_t)w->job->ranks[i].record->rank);
        good = local && OTF2_Archive_CloseDefWriter(w->archive, local) == OTF2_SUCCESS;
    }
    return good && OTF2_Archive_CloseDefFiles(w->archive) == OTF2_SUCCESS;
}

static bool put_all(struct roll_otf2_writer *w)
{
    bool good = OTF2_Archive_OpenEvtFiles(w->archive) == OTF2_SUCCESS;
    w->definitions = good ? OTF2_Archive_GetGlobalDefWriter(w->archive) : NULL;
    w->attributes = OTF2_AttributeList_New();
    w->events = calloc((size_t)w->job->count, sizeof *w->events);
    good = w->definitions && w->attributes && w->events && roll_otf2_find_communicators(w);
    for (int i = 0; good && i < w->job->count; i++) {
        good = put_rank(w, i);
    }
    good = good && roll_otf2_define(w, time_of(w, w->span.end) + 1);
    return good && OTF2_Archive_CloseEvtFiles(w->archive) == OTF2_SUCCESS && close_locals(w);
}

/* Whether the library has met an error, which it also says where its result is not looked at. */
static bool failed;
/* NOLINTNEXTLINE(readability-function-size): the parameters are the library's */
static OTF2_ErrorCode note_error(void *self, const char *file, uint64_t line, const char *function,
                                 OTF2_ErrorCode code, const char *format, va_list arguments)
{
    (void)self, (void)file, (void)line, (void)function, (void)format, (void)arguments;
    if (!failed) {
        fprintf(stderr, "strata: OTF2: %s\n", OTF2_Error_GetDescription(code));
    }
    failed = true;
    return code;
}

static OTF2_Archive *open_archive(const char *folder)
{
    static const char *const parts[] = {"traces", "traces.otf2", "traces.def"};
    for (int i = 0; i < 3; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", folder, parts[i]);
        failed = access(path, F_OK) == 0;
        if (failed) { /* the library would write over it */
            fprintf(stderr, "strata: OTF2: %s is there already\n", path);
            return NULL;
        }
    }
    OTF2_Error_RegisterCallback(note_error, NULL);
    return OTF2_Archive_Open(folder, "traces", OTF2_FILEMODE_WRITE, OTF2_CHUNK_SIZE_MIN,
                             OTF2_CHUNK_SIZE_MIN, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
}

int roll_otf2(const struct roll_job *job, const char *folder)
{
    static const OTF2_FlushCallbacks flush = {.otf2_pre_flush = may_flush};
    struct roll_otf2_writer w = {.job = job};
    w.archive = open_archive(folder);
    if (!w.archive) {
        return ROLL_OTF2_FAILED;
    }
    w.span = roll_span_of(job);
    OTF2_Archive_SetFlushCallbacks(w.archive, &flush, NULL);
    OTF2_Archive_SetSerialCollectiveCallbacks(w.archive);
    OTF2_Archive_SetCreator(w.archive, "strata rollcall");
    bool good = put_all(&w);
    if (w.attributes) {
        OTF2_AttributeList_Delete(w.attributes);
    }
    good = OTF2_Archive_Close(w.archive) == OTF2_SUCCESS && good && !failed;
    for (uint32_t i = 0; i < w.count; i++) {
        free(w.strings[i]);
    }
    free(w.strings);
    free(w.communicators);
    free(w.events);
    return good ? w.left_out : ROLL_OTF2_FAILED;
}
