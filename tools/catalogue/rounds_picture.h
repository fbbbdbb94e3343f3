/* A small picture of a plan's rounds, drawn from the plans of all ranks. */
#ifndef STRATA_TOOLS_CATALOGUE_ROUNDS_PICTURE_H
#define STRATA_TOOLS_CATALOGUE_ROUNDS_PICTURE_H

#include <stdio.h>

#include "tools/catalogue/rounds.h"

/* Ranks side by side, rounds downwards, an arrow for each message; wide ones carry more. SVG. */
void tool_picture_write(const struct tool_rounds *rounds, const struct strata_topology *topology,
                        FILE *file);

#endif
