/* Plans as text: `strata plan` prints them, and tests parse them back. print(parse(print(p))) is
 * print(p). Everything after '#' on a line is a comment for people (the items of a set); blanks and
 * empty lines mean nothing.
 *
 *   plan alltoallv sloav:radix=2 rank 3 of 13
 *   limits threshold 4096 slice 4096 passes 1
 *   exchange lanes 1 flat items 22 messages 4          # or staged, with "lends" behind
 *   phase "round 1 of 4"
 *     recv_blocks rank 2 lane 0 set <0..6*2 + 1 of 13>        # 6 items: 1 3 5 7 9 11
 *     send_blocks rank 4 lane 0 set <0..6*2 + 1 of 13> workshare
 *     wait 0
 *
 * After these three lines every line is a step: its word, then its fields
 * (core/plan/step_kinds.h).
 *   "TEXT"            label of a phase; \" and \\ stand for " and \
 *   TIMES             of a repeat, or `passes`
 *   rank R            peer of a message
 *   member M, all     member of the node
 *   arrived, released, done    signal
 *   lane L
 *   set BOX BOX ... [step S]   S is added to the items in each iteration of the repeat around
 *   lengths, data     of a lane message: the part that it carries, where it is not whole
 *   OPEN [direct]     of a wait: how many (direct) messages may stay open
 *   workshare         several threads may share the copying
 *
 * BOX is  < DIM + DIM + ... [below LIMIT] [down] [from ORIGIN] of SPACE >  with the numbers of
 * core/plan/set.h; without `below` the limit is SPACE, without `from` the origin is 0. A DIM is
 *   START..LAST%EXTENT*STRIDE     coordinates START to LAST = START+length-1, modulo EXTENT
 * where %EXTENT is left out when nothing wraps, *STRIDE when it is 1, and ..LAST when it is START.
 * An empty dimension has LAST = START-1. */
#ifndef STRATA_CORE_TEXT_PLAN_TEXT_H
#define STRATA_CORE_TEXT_PLAN_TEXT_H

#include <stdio.h>

#include "core/plan/plan.h"

/* Writes the plan to file, one step on each line. Returns STRATA_OK, or STRATA_ERR_MEMORY if the
 * file (ferror) does not take all of it. */
int strata_plan_print(const struct strata_plan *plan, FILE *file);

/* Reads what strata_plan_print wrote. The topology is borrowed and must fit the text's rank count.
 * Errors: STRATA_ERR_SYNTAX (message names the line and what was expected), STRATA_ERR_MEMORY. */
int strata_plan_parse(const char *text, const struct strata_topology *topology,
                      struct strata_plan **plan, struct strata_diagnostic *message);

#endif
