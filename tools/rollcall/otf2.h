/* The calls of a job as an archive in the Open Trace Format 2. */
#ifndef STRATA_TOOLS_ROLLCALL_OTF2_H
#define STRATA_TOOLS_ROLLCALL_OTF2_H

#include "tools/rollcall/rollcall.h"

enum { ROLL_OTF2_ABSENT = -2, ROLL_OTF2_FAILED = -1 };

/* Writes the calls that are still there into FOLDER/traces.otf2 and files beside it. Returns how
 * many calls were left out because another one of their rank, by another thread, overlaps them; or
 * ROLL_OTF2_FAILED, where stderr has what is wrong; or ROLL_OTF2_ABSENT, where the command was
 * built without the library. */
int roll_otf2(const struct roll_job *job, const char *folder);

#endif
