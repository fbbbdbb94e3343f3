/* A small picture of a plan's rounds, drawn from the plans of all ranks. */
#ifndef STRATA_TOOLS_CATALOGUE_ROUNDS_PICTURE_H
#define STRATA_TOOLS_CATALOGUE_ROUNDS_PICTURE_H

#include <stdio.h>

#include "tools/catalogue/rounds.h"

/* Draws ranks side by side, rounds downwards, and an arrow for each message, as SVG. The arrow is
 * wider the more the message carries. */
void tool_picture_write(const struct tool_rounds *rounds, const struct strata_topology *topology,
                        FILE *file);

#endif
