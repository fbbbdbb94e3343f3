/* What writes an archive of OTF2: events (otf2.c), and the definitions that they refer to. */
#ifndef STRATA_TOOLS_ROLLCALL_OTF2_WRITER_H
#define STRATA_TOOLS_ROLLCALL_OTF2_WRITER_H

#include <otf2/otf2.h>

#include "tools/rollcall/rollcall.h"

enum { ROLL_OTF2_SITE, ROLL_OTF2_SERVED, ROLL_OTF2_NUMBER, ROLL_OTF2_ATTRIBUTES };
enum {
    ROLL_OTF2_REGIONS = 2 * 3 * STRATA_RECORD_KINDS
}; /* with a prefix, and begun or described */

/* A communicator whose members are known, as it was when it was found: its job may go on. */
struct roll_otf2_communicator {
    struct strata_record_communicator row;
    const struct strata_record *record; /* of a rank that has it */
};

struct roll_otf2_writer {
    const struct roll_job *job;
    OTF2_Archive *archive;
    OTF2_GlobalDefWriter *definitions;
    OTF2_AttributeList *attributes;
    char **strings; /* numbered from 0 */
    uint32_t count, room;
    OTF2_StringRef regions[ROLL_OTF2_REGIONS]; /* their names, numbered from 0 */
    uint32_t nregions;
    struct roll_otf2_communicator *communicators; /* numbered from 0 */
    int known;
    uint64_t *events, *at; /* of each rank of the job, and of the one whose events are written */
    OTF2_TimeStamp now;    /* of its last event */
    struct roll_span span;
    int left_out;
};

/* The number of a text, which is defined where it is new. */
OTF2_StringRef roll_otf2_text(struct roll_otf2_writer *w, const char *text);
/* The number of a communicator; -1: its members are not known. */
int roll_otf2_communicator_of(const struct roll_otf2_writer *w,
                              const struct strata_record_communicator *c);
/* The number of a call's region, which is defined by roll_otf2_define. */
OTF2_RegionRef roll_otf2_region(struct roll_otf2_writer *w, const struct roll_call *call);
/* Finds all communicators whose members are known, each once. Returns false where there is no
 * memory. */
bool roll_otf2_find_communicators(struct roll_otf2_writer *w);
/* Behind the events: defines all that they refer to. The job lasted `length` nanoseconds. */
bool roll_otf2_define(struct roll_otf2_writer *w, OTF2_TimeStamp length);

#endif
