/* Boxes as text, in the syntax of plan_text.h. Private to core. */
#ifndef STRATA_CORE_TEXT_BOX_TEXT_H
#define STRATA_CORE_TEXT_BOX_TEXT_H

#include <stdio.h>

#include "core/plan/set.h"
#include "core/text/text_reader.h"

void strata_box_print(const struct strata_box *box, FILE *file);
/* Reads a box. It checks only that there are numbers; strata_box_valid says whether they fit. */
struct strata_box strata_box_read(struct strata_reader *r);

/* Prints the items for people, each after a blank: " 1 3 5-8". A long list is cut short with
 * "...". */
void strata_set_print_items(struct strata_set set, FILE *file);

#endif
