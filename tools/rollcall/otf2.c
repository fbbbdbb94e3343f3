/* Writes the calls of a job as an archive in the Open Trace Format 2: a host is a node of the
 * system tree, a rank a location, each kind of call a region, and a blocking collective also an
 * event of its communicator. A call that does not block is a moment where it begins; its wait is a
 * region. */
#include "tools/rollcall/otf2.h"

#include <otf2/otf2.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SITE, SERVED, NUMBER, ATTRIBUTES };
enum { REGIONS = 2 * 3 * STRATA_RECORD_KINDS }; /* with a prefix, and begun or described */
enum { LOCATIONS_GROUP = 0, FIRST_GROUP = 1 };

struct writer {
    const struct roll_job *job;
    OTF2_Archive *archive;
    OTF2_GlobalDefWriter *definitions;
    OTF2_AttributeList *attributes;
    char **strings; /* numbered from 0 */
    uint32_t count, room;
    OTF2_StringRef regions[REGIONS]; /* their names, numbered from 0 */
    uint32_t nregions;
    const struct strata_record_communicator **communicators; /* of which members are known */
    int *owners;                                             /* a rank that has the row */
    int known;
    uint64_t *events, *at; /* of each rank of the job, and of the one whose events are written */
    double begin, end;
    int left_out;
};

static OTF2_FlushType may_flush(void *self, OTF2_FileType type, OTF2_LocationRef location,
                                void *caller, bool last)
{
    (void)self, (void)type, (void)location, (void)caller, (void)last;
    return OTF2_FLUSH;
}

/* The number of a text, which is defined where it is new. */
static OTF2_StringRef text_of(struct writer *w, const char *text)
{
    for (uint32_t i = 0; i < w->count; i++) {
        if (strcmp(w->strings[i], text) == 0) {
            return i;
        }
    }
    if (w->count == w->room) {
        const uint32_t room = w->room ? 2 * w->room : 64;
        char **grown = realloc(w->strings, room * sizeof *grown);
        if (!grown) {
            return OTF2_UNDEFINED_STRING;
        }
        w->strings = grown;
        w->room = room;
    }
    w->strings[w->count] = strdup(text);
    if (!w->strings[w->count]) {
        return OTF2_UNDEFINED_STRING;
    }
    OTF2_GlobalDefWriter_WriteString(w->definitions, w->count, text);
    return w->count++;
}

static OTF2_TimeStamp time_of(const struct writer *w, double at)
{
    return at > w->begin ? (OTF2_TimeStamp)((at - w->begin) * 1e9) : 0;
}

/* From the first call to the last time that is known, at which calls end that last. */
static void find_span(struct writer *w)
{
    for (int i = 0; i < w->job->count; i++) {
        const struct roll_rank *rank = &w->job->ranks[i];
        const double begin = rank->count > 0 ? rank->calls[0].begin : 0;
        w->begin = begin > 0 && (w->begin <= 0 || begin < w->begin) ? begin : w->begin;
        w->end = rank->active > w->end ? rank->active : w->end;
    }
    w->end += w->job->ended ? 0 : w->job->still;
}

static bool lists_members(const struct strata_record_communicator *c)
{
    return c->ranks > 0 && c->turn > 0 && !c->inter && c->members < STRATA_RECORD_MEMBERS &&
           c->ranks <= STRATA_RECORD_MEMBERS - c->members;
}

static int communicator_of(const struct writer *w, const struct strata_record_communicator *c)
{
    int i = w->known - 1;
    while (i >= 0 && !roll_same_communicator(w->communicators[i], c)) {
        i--;
    }
    return i;
}

static bool add_communicator(struct writer *w, const struct strata_record_communicator *c, int rank)
{
    const size_t more = (size_t)w->known + 1;
    const struct strata_record_communicator **rows =
        realloc((void *)w->communicators, more * sizeof *rows);
    w->communicators = rows ? rows : w->communicators;
    int *owners = realloc(w->owners, more * sizeof *owners);
    w->owners = owners ? owners : w->owners;
    if (rows && owners) {
        rows[w->known] = c;
        owners[w->known++] = rank;
    }
    return rows && owners;
}

/* The members of a communicator are places in the first group, which holds all ranks. */
static bool define_group(struct writer *w, int at)
{
    const struct strata_record_communicator *c = w->communicators[at];
    const int32_t *member = w->job->ranks[w->owners[at]].record->member + c->members;
    uint64_t *members = malloc(c->ranks * sizeof *members);
    char name[STRATA_RECORD_NAME + 32];
    for (uint32_t i = 0; members && i < c->ranks; i++) {
        members[i] = (uint64_t)member[i];
    }
    if (members) {
        snprintf(name, sizeof name, "%.*s", STRATA_RECORD_NAME,
                 c->name[0] ? c->name : "communicator");
        OTF2_GlobalDefWriter_WriteGroup(w->definitions, (OTF2_GroupRef)(FIRST_GROUP + at),
                                        text_of(w, ""), OTF2_GROUP_TYPE_COMM_GROUP,
                                        OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, c->ranks, members);
        OTF2_GlobalDefWriter_WriteComm(w->definitions, (OTF2_CommRef)at, text_of(w, name),
                                       (OTF2_GroupRef)(FIRST_GROUP + at), OTF2_UNDEFINED_COMM,
                                       OTF2_COMM_FLAG_NONE);
    }
    free(members);
    return members;
}

/* Finds all communicators whose members are known, each once. */
static bool find_communicators(struct writer *w)
{
    bool good = true;
    for (int i = 0; good && i < w->job->count; i++) {
        for (int row = 1; good && row < STRATA_RECORD_COMMUNICATORS; row++) {
            const struct strata_record_communicator *c =
                &w->job->ranks[i].record->communicator[row];
            if (lists_members(c) && communicator_of(w, c) < 0) {
                good = add_communicator(w, c, i);
            }
        }
    }
    return good;
}

static bool define_communicators(struct writer *w)
{
    const uint64_t ranks = (uint64_t)w->job->ranks[0].record->ranks;
    uint64_t *all = malloc(ranks * sizeof *all);
    bool good = all;
    for (uint64_t i = 0; good && i < ranks; i++) {
        all[i] = i;
    }
    if (good) {
        OTF2_GlobalDefWriter_WriteGroup(w->definitions, LOCATIONS_GROUP, text_of(w, "ranks"),
                                        OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                        OTF2_GROUP_FLAG_NONE, (uint32_t)ranks, all);
    }
    free(all);
    for (int i = 0; good && i < w->known; i++) {
        good = define_group(w, i);
    }
    return good;
}

/* Regions are numbered as they come. */
static OTF2_RegionRef region_of(struct writer *w, const struct roll_call *call)
{
    char text[ROLL_TEXT];
    const OTF2_StringRef name =
        text_of(w, call->kind == STRATA_RECORD_WAIT ? "wait" : roll_collective(call, text));
    uint32_t i = 0;
    while (i < w->nregions && w->regions[i] != name) {
        i++;
    }
    if (i == w->nregions && i < REGIONS) {
        w->regions[w->nregions++] = name;
    }
    return i;
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

static bool is_collective(const struct writer *w, const struct roll_call *call)
{
    return call->kind < STRATA_COLLECTIVE_COUNT && call->form == STRATA_RECORD_BLOCKING &&
           communicator_of(w, call->communicator) >= 0;
}

/* The moment of a call that returns at once, or its end. */
static double end_of(const struct writer *w, const struct roll_call *call)
{
    const bool returns =
        call->form == STRATA_RECORD_NONBLOCKING || call->form == STRATA_RECORD_STARTED;
    return returns ? call->begin : call->end > 0 ? call->end : w->end;
}

static void put_enter(struct writer *w, OTF2_EvtWriter *events, const struct roll_rank *rank,
                      const struct roll_call *call)
{
    const OTF2_TimeStamp at = time_of(w, call->begin);
    char site[ROLL_TEXT];
    OTF2_AttributeList_AddStringRef(w->attributes, SITE,
                                    text_of(w, roll_site(rank->record, call->site, site)));
    if (call->served) {
        OTF2_AttributeList_AddStringRef(w->attributes, SERVED, text_of(w, call->served));
    }
    OTF2_AttributeList_AddUint64(w->attributes, NUMBER, roll_is_message(call) ? 0 : call->order);
    OTF2_EvtWriter_Enter(events, w->attributes, at, region_of(w, call));
    *w->at += 1;
    if (is_collective(w, call)) {
        OTF2_EvtWriter_MpiCollectiveBegin(events, NULL, at);
        *w->at += 1;
    }
}

static void put_leave(struct writer *w, OTF2_EvtWriter *events, const struct roll_call *call)
{
    const OTF2_TimeStamp at = time_of(w, end_of(w, call));
    if (is_collective(w, call)) {
        const uint64_t bytes = call->count * call->bytes;
        OTF2_EvtWriter_MpiCollectiveEnd(
            events, NULL, at, operation_of(call),
            (OTF2_CommRef)communicator_of(w, call->communicator),
            call->root >= 0 ? (uint32_t)call->root : OTF2_UNDEFINED_UINT32, bytes, bytes);
        *w->at += 1;
    }
    OTF2_EvtWriter_Leave(events, NULL, at, region_of(w, call));
    *w->at += 1;
}

/* Regions must nest. Those of a rank's threads may overlap otherwise: then the later one is left
 * out. */
static void put_calls(struct writer *w, OTF2_EvtWriter *events, const struct roll_rank *rank)
{
    enum { DEEP = 64 };
    const struct roll_call *open[DEEP];
    int depth = 0;
    for (int k = 0; k <= rank->count; k++) {
        const struct roll_call *call = k < rank->count ? &rank->calls[k] : NULL;
        while (depth > 0 && (!call || end_of(w, open[depth - 1]) <= call->begin)) {
            put_leave(w, events, open[--depth]);
        }
        if (call && depth < DEEP &&
            (depth == 0 || (end_of(w, call) <= end_of(w, open[depth - 1]) &&
                            call->begin >= open[depth - 1]->begin))) {
            put_enter(w, events, rank, call);
            open[depth++] = call;
        } else {
            w->left_out += call != NULL;
        }
    }
}

static bool put_rank(struct writer *w, int i)
{
    const struct roll_rank *rank = &w->job->ranks[i];
    OTF2_EvtWriter *events = OTF2_Archive_GetEvtWriter(w->archive, (uint64_t)rank->record->rank);
    w->at = &w->events[i];
    if (!events) {
        return false;
    }
    put_calls(w, events, rank);
    return OTF2_Archive_CloseEvtWriter(w->archive, events) == OTF2_SUCCESS;
}

/* A location for each rank of the job. */
static void define_location(struct writer *w, int i)
{
    const struct roll_rank *rank = &w->job->ranks[i];
    const uint64_t number = (uint64_t)rank->record->rank;
    char name[32];
    snprintf(name, sizeof name, "rank %d", rank->record->rank);
    OTF2_GlobalDefWriter_WriteLocationGroup(w->definitions, (OTF2_LocationGroupRef)number,
                                            text_of(w, name), OTF2_LOCATION_GROUP_TYPE_PROCESS,
                                            (OTF2_SystemTreeNodeRef)(1 + rank->host),
                                            OTF2_UNDEFINED_LOCATION_GROUP);
    OTF2_GlobalDefWriter_WriteLocation(w->definitions, number, text_of(w, name),
                                       OTF2_LOCATION_TYPE_CPU_THREAD, w->events[i],
                                       (OTF2_LocationGroupRef)number);
}

static void define_first(struct writer *w)
{
    static const struct {
        const char *name;
        OTF2_Type type;
    } attributes[ATTRIBUTES] = {[SITE] = {"site", OTF2_TYPE_STRING},
                                [SERVED] = {"served by", OTF2_TYPE_STRING},
                                [NUMBER] = {"call of the communicator", OTF2_TYPE_UINT64}};
    const OTF2_StringRef nothing = text_of(w, "");
    OTF2_GlobalDefWriter_WriteClockProperties(w->definitions, 1000000000, 0, time_of(w, w->end) + 1,
                                              (uint64_t)(w->begin * 1e9));
    for (OTF2_AttributeRef i = 0; i < ATTRIBUTES; i++) {
        OTF2_GlobalDefWriter_WriteAttribute(w->definitions, i, text_of(w, attributes[i].name),
                                            nothing, attributes[i].type);
    }
    OTF2_GlobalDefWriter_WriteSystemTreeNode(w->definitions, 0,
                                             text_of(w, w->job->ranks[0].record->program),
                                             text_of(w, "job"), OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    for (int i = 0, hosts = 0; i < w->job->count; i++) {
        if (w->job->ranks[i].host == hosts) {
            hosts++;
            OTF2_GlobalDefWriter_WriteSystemTreeNode(w->definitions, (OTF2_SystemTreeNodeRef)hosts,
                                                     text_of(w, w->job->ranks[i].record->host),
                                                     text_of(w, "host"), 0);
        }
    }
}

static void define_regions(struct writer *w)
{
    const OTF2_StringRef nothing = text_of(w, "");
    for (uint32_t i = 0; i < w->nregions; i++) {
        OTF2_GlobalDefWriter_WriteRegion(w->definitions, i, w->regions[i], w->regions[i], nothing,
                                         OTF2_REGION_ROLE_COLL_OTHER, OTF2_PARADIGM_MPI,
                                         OTF2_REGION_FLAG_NONE, nothing, 0, 0);
    }
}

/* Each location has definitions of its own, of which these need none. */
static bool close_locals(const struct writer *w)
{
    bool good = OTF2_Archive_OpenDefFiles(w->archive) == OTF2_SUCCESS;
    for (int i = 0; good && i < w->job->count; i++) {
        OTF2_DefWriter *local =
            OTF2_Archive_GetDefWriter(w->archive, (uint64_t)w->job->ranks[i].record->rank);
        good = local && OTF2_Archive_CloseDefWriter(w->archive, local) == OTF2_SUCCESS;
    }
    return good && OTF2_Archive_CloseDefFiles(w->archive) == OTF2_SUCCESS;
}

static bool put_all(struct writer *w)
{
    bool good = OTF2_Archive_OpenEvtFiles(w->archive) == OTF2_SUCCESS;
    w->definitions = good ? OTF2_Archive_GetGlobalDefWriter(w->archive) : NULL;
    w->attributes = OTF2_AttributeList_New();
    if (!w->definitions || !w->attributes) {
        return false;
    }
    w->events = calloc((size_t)w->job->count, sizeof *w->events);
    define_first(w);
    good = w->events && find_communicators(w);
    for (int i = 0; good && i < w->job->count; i++) {
        good = put_rank(w, i);
    }
    for (int i = 0; good && i < w->job->count; i++) {
        define_location(w, i);
    }
    good = good && define_communicators(w);
    define_regions(w);
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
    char path[4096];
    snprintf(path, sizeof path, "%s/traces", folder);
    failed = access(path, F_OK) == 0;
    if (failed) { /* the library would write over it */
        fprintf(stderr, "strata: OTF2: %s is there already\n", path);
        return NULL;
    }
    OTF2_Error_RegisterCallback(note_error, NULL);
    return OTF2_Archive_Open(folder, "traces", OTF2_FILEMODE_WRITE, 1024 * 1024, 4 * 1024 * 1024,
                             OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
}

int roll_otf2(const struct roll_job *job, const char *folder)
{
    static const OTF2_FlushCallbacks flush = {.otf2_pre_flush = may_flush};
    struct writer w = {.job = job};
    w.archive = open_archive(folder);
    if (!w.archive) {
        return ROLL_OTF2_FAILED;
    }
    find_span(&w);
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
    free((void *)w.communicators);
    free(w.owners);
    free(w.events);
    return good ? w.left_out : ROLL_OTF2_FAILED;
}
