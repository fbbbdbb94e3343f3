/* Machine descriptions in files: measured by `strata tune machine`, or written by people. */
#ifndef STRATA_CORE_COST_MACHINE_FILE_H
#define STRATA_CORE_COST_MACHINE_FILE_H

#include "core/base/found_file.h"
#include "core/cost/machine.h"

/* The description that a file gives. */
struct strata_machine_found {
    struct strata_machine machine;
    char path[STRATA_FOUND_PATH]; /* of the file; "": there is none */
};

/* Reads a description from the `size` bytes of a file. Each of host, date, mpi and command must
 * stand there once, `machine` must name a known description before the first parameter, and the
 * last line must be `end`. A parameter that is not given is that of the known description. If
 * anything is wrong, *machine stays as it was, and message says what, with the line. */
int strata_machine_file_parse(const char *text, size_t size, struct strata_machine *machine,
                              struct strata_diagnostic *message);

/* Finds the description for communicators over several nodes. `text` is that of STRATA_MACHINE: it
 * names a file, or is auto, which takes the user's file or else the site's. found->path is empty
 * where there is none, or where the file is wrong; only then is a message left, with its name. What
 * the text adds behind a colon is not read here. */
int strata_machine_find(const char *text, struct strata_machine_found *found,
                        struct strata_diagnostic *message);

/* Reads STRATA_MACHINE as strata_machine_parse does, and the file that it names. */
int strata_machine_read(const char *text, struct strata_machine *machine,
                        struct strata_diagnostic *message);

#endif
