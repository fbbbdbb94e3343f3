/* What the events of an archive refer to: a host is a node of the system tree, a rank a location,
 * each kind of call a region. */
#include <stdlib.h>
#include <string.h>

#include "tools/rollcall/otf2_writer.h"

enum { LOCATIONS_GROUP = 0, FIRST_GROUP = 1 };

OTF2_StringRef roll_otf2_text(struct roll_otf2_writer *w, const char *text)
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

/* Regions are numbered as they come. */
OTF2_RegionRef roll_otf2_region(struct roll_otf2_writer *w, const struct roll_call *call)
{
    char text[ROLL_TEXT];
    const OTF2_StringRef name =
        roll_otf2_text(w, call->kind == STRATA_RECORD_WAIT ? "wait" : roll_collective(call, text));
    uint32_t i = 0;
    while (i < w->nregions && w->regions[i] != name) {
        i++;
    }
    if (i == w->nregions && i < ROLL_OTF2_REGIONS) {
        w->regions[w->nregions++] = name;
    }
    return i;
}

/* All members are ranks of the job. */
static bool lists_members(const struct strata_record *record,
                          const struct strata_record_communicator *c)
{
    bool listed = c->ranks > 0 && c->turn > 0 && !c->inter && roll_lists_members(c);
    for (uint32_t i = 0; listed && i < c->ranks; i++) {
        const int32_t member = record->member[c->members + i];
        listed = member >= 0 && member < record->ranks;
    }
    return listed;
}

int roll_otf2_communicator_of(const struct roll_otf2_writer *w,
                              const struct strata_record_communicator *c)
{
    int i = w->known - 1;
    while (i >= 0 && !roll_same_communicator(&w->communicators[i].row, c)) {
        i--;
    }
    return i;
}

static bool add_communicator(struct roll_otf2_writer *w, const struct strata_record_communicator *c,
                             const struct strata_record *record)
{
    struct roll_otf2_communicator *grown =
        realloc(w->communicators, ((size_t)w->known + 1) * sizeof *grown);
    if (grown) {
        w->communicators = grown;
        grown[w->known++] = (struct roll_otf2_communicator){*c, record};
    }
    return grown;
}

bool roll_otf2_find_communicators(struct roll_otf2_writer *w)
{
    bool good = true;
    for (int i = 0; good && i < w->job->count; i++) {
        const struct strata_record *record = w->job->ranks[i].record;
        for (int row = 1; good && row < STRATA_RECORD_COMMUNICATORS; row++) {
            const struct strata_record_communicator c = record->communicator[row];
            if (lists_members(record, &c) && roll_otf2_communicator_of(w, &c) < 0) {
                good = add_communicator(w, &c, record);
            }
        }
    }
    return good;
}

/* The members of a communicator are places in the first group, which holds all ranks. */
static bool define_group(struct roll_otf2_writer *w, int at)
{
    const struct strata_record_communicator *c = &w->communicators[at].row;
    const int32_t *member = w->communicators[at].record->member + c->members;
    uint64_t *members = malloc(c->ranks * sizeof *members);
    char name[STRATA_RECORD_NAME + 32];
    for (uint32_t i = 0; members && i < c->ranks; i++) {
        members[i] = (uint64_t)member[i];
    }
    if (members) {
        snprintf(name, sizeof name, "%.*s", STRATA_RECORD_NAME,
                 c->name[0] ? c->name : "communicator");
        OTF2_GlobalDefWriter_WriteGroup(w->definitions, (OTF2_GroupRef)(FIRST_GROUP + at),
                                        roll_otf2_text(w, ""), OTF2_GROUP_TYPE_COMM_GROUP,
                                        OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, c->ranks, members);
        OTF2_GlobalDefWriter_WriteComm(w->definitions, (OTF2_CommRef)at, roll_otf2_text(w, name),
                                       (OTF2_GroupRef)(FIRST_GROUP + at), OTF2_UNDEFINED_COMM,
                                       OTF2_COMM_FLAG_NONE);
    }
    free(members);
    return members;
}

static bool define_communicators(struct roll_otf2_writer *w)
{
    const uint64_t ranks = (uint64_t)w->job->ranks[0].record->ranks;
    uint64_t *all = malloc(ranks * sizeof *all);
    bool good = all;
    for (uint64_t i = 0; good && i < ranks; i++) {
        all[i] = i;
    }
    if (good) {
        OTF2_GlobalDefWriter_WriteGroup(w->definitions, LOCATIONS_GROUP, roll_otf2_text(w, "ranks"),
                                        OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                        OTF2_GROUP_FLAG_NONE, (uint32_t)ranks, all);
    }
    free(all);
    for (int i = 0; good && i < w->known; i++) {
        good = define_group(w, i);
    }
    return good;
}

/* A location for each rank of the job. */
static void define_location(struct roll_otf2_writer *w, int i)
{
    const struct roll_rank *rank = &w->job->ranks[i];
    const uint64_t number = (uint64_t)rank->record->rank;
    char name[32];
    snprintf(name, sizeof name, "rank %d", rank->record->rank);
    OTF2_GlobalDefWriter_WriteLocationGroup(
        w->definitions, (OTF2_LocationGroupRef)number, roll_otf2_text(w, name),
        OTF2_LOCATION_GROUP_TYPE_PROCESS, (OTF2_SystemTreeNodeRef)(1 + rank->host),
        OTF2_UNDEFINED_LOCATION_GROUP);
    OTF2_GlobalDefWriter_WriteLocation(w->definitions, number, roll_otf2_text(w, name),
                                       OTF2_LOCATION_TYPE_CPU_THREAD, w->events[i],
                                       (OTF2_LocationGroupRef)number);
}

static void define_first(struct roll_otf2_writer *w, OTF2_TimeStamp length)
{
    static const struct {
        const char *name;
        OTF2_Type type;
    } attributes[ROLL_OTF2_ATTRIBUTES] = {
        [ROLL_OTF2_SITE] = {"site", OTF2_TYPE_STRING},
        [ROLL_OTF2_SERVED] = {"served by", OTF2_TYPE_STRING},
        [ROLL_OTF2_NUMBER] = {"call of the communicator", OTF2_TYPE_UINT64}};
    const OTF2_StringRef nothing = roll_otf2_text(w, "");
    OTF2_GlobalDefWriter_WriteClockProperties(w->definitions, 1000000000, 0, length,
                                              (uint64_t)(w->span.begin * 1e9));
    for (OTF2_AttributeRef i = 0; i < ROLL_OTF2_ATTRIBUTES; i++) {
        OTF2_GlobalDefWriter_WriteAttribute(
            w->definitions, i, roll_otf2_text(w, attributes[i].name), nothing, attributes[i].type);
    }
    OTF2_GlobalDefWriter_WriteSystemTreeNode(
        w->definitions, 0, roll_otf2_text(w, w->job->ranks[0].record->program),
        roll_otf2_text(w, "job"), OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    for (int i = 0, hosts = 0; i < w->job->count; i++) {
        if (w->job->ranks[i].host == hosts) {
            hosts++;
            OTF2_GlobalDefWriter_WriteSystemTreeNode(
                w->definitions, (OTF2_SystemTreeNodeRef)hosts,
                roll_otf2_text(w, w->job->ranks[i].record->host), roll_otf2_text(w, "host"), 0);
        }
    }
}

static void define_regions(struct roll_otf2_writer *w)
{
    const OTF2_StringRef nothing = roll_otf2_text(w, "");
    for (uint32_t i = 0; i < w->nregions; i++) {
        OTF2_GlobalDefWriter_WriteRegion(w->definitions, i, w->regions[i], w->regions[i], nothing,
                                         OTF2_REGION_ROLE_COLL_OTHER, OTF2_PARADIGM_MPI,
                                         OTF2_REGION_FLAG_NONE, nothing, 0, 0);
    }
}

bool roll_otf2_define(struct roll_otf2_writer *w, OTF2_TimeStamp length)
{
    define_first(w, length);
    for (int i = 0; i < w->job->count; i++) {
        define_location(w, i);
    }
    const bool good = define_communicators(w);
    define_regions(w);
    return good;
}
