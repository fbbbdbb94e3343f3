/* The texts of settings that are read only when they are needed. */
#ifndef STRATA_HIER_SETTING_TEXTS_H
#define STRATA_HIER_SETTING_TEXTS_H

#include "core/base/error.h"

/* Looks at the value of a setting, for struct strata_config_reader. STRATA_ERR_SYNTAX: it is the
 * text of an algorithm, topology, torus, machine or list of sizes, and is wrong; message says why.
 * ranks: of MPI_COMM_WORLD, for which a topology must be; 0: no topology is looked at. */
int strata_setting_text_check(const char *variable, const char *text, int ranks,
                              struct strata_diagnostic *message);

#endif
