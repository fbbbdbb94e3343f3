/* Choices that were timed: the table that `strata tune calls` writes, or people. */
#ifndef STRATA_HIER_TUNED_H
#define STRATA_HIER_TUNED_H

#include "core/base/found_file.h"
#include "hier/choice.h"

/* How a call's blocks are long, as far as its ranks agree: about alike; some far longer than the
 * mean; or most of them empty, so that a rank has bytes with few others. */
enum strata_tuned_blocks { STRATA_EVEN, STRATA_UNEVEN, STRATA_SPARSE, STRATA_TUNED_BLOCKS };

/* A line, "alltoallv 4x16x2 1K uneven = sloav:radix=4 1.2e-05 1.4e-05 2.1e-05 launches=2". */
struct strata_tuned_row {
    enum strata_collective collective;
    int nodes, ranks; /* nodes, and ranks of the largest of them */
    int threads;      /* of a team that a call of a rank opens, with the caller; 0: any number */
    double bytes;     /* of a block or vector, as costs count them; 0 of a barrier */
    enum strata_tuned_blocks blocks;
    struct strata_choice choice;
    /* of a call: by the choice, as costs choose, by MPI's own; 0: the line has none */
    double seconds, untuned, native;
    int launches; /* that agreed on the choice; 1 where the line does not say */
};

struct strata_tuned {
    struct strata_tuned_row *row; /* as they stand in the file */
    int count;
    char path[STRATA_FOUND_PATH]; /* of the file; "": there is none */
};

/* Reads a table from the `size` bytes of a file. Each of host, date, mpi and command must stand
 * there once, no row twice, and the last line must be `end`. If anything is wrong, there are no
 * rows, and message says what, with the line. strata_tuned_free frees them. */
int strata_tuned_parse(const char *text, size_t size, struct strata_tuned *tuned,
                       struct strata_diagnostic *message);
void strata_tuned_free(struct strata_tuned *tuned);

/* Finds the table. `text` is that of STRATA_TUNED: a file; auto, which takes the user's file or
 * else the site's; or none. tuned->path is empty where there is none, or where the file is wrong;
 * only then is a message left, with its name. */
int strata_tuned_find(const char *text, struct strata_tuned *tuned,
                      struct strata_diagnostic *message);

/* The row of the table that another one stands for: all that comes before `=` is the same; NULL:
 * there is none. */
struct strata_tuned_row *strata_tuned_like(const struct strata_tuned *tuned,
                                           const struct strata_tuned_row *row);

/* "uneven"; "" of even blocks. */
const char *strata_tuned_blocks_name(enum strata_tuned_blocks blocks);
/* Sets by which bytes and blocks calls of the row's collective are looked up whose mean and longest
 * blocks are so long, and whose ranks have bytes with so many others of `ranks` at most. */
void strata_tuned_describe(double mean, size_t longest, int degree, int ranks,
                           struct strata_tuned_row *row);

/* Rows that serve a communicator on these nodes, in the form in which they travel. Of each
 * collective and kind of blocks those of the layout that is nearest, the first in the file of
 * several, whose nodes, ranks of a node and threads differ by a factor of two at most. One node and
 * one thread stand for themselves alone. Of layouts that are as near those with threads come first.
 */
struct strata_tuned_near {
    double bytes;
    int collective, blocks;
    int algorithm; /* by its number in the registry; -1: as costs choose */
    int parameter[STRATA_PARAMETERS];
};
enum { STRATA_TUNED_NEAR = 1024 };
struct strata_tuned_layout {
    const struct strata_topology *topology;
    int threads; /* of the rank whose calls have the most in their teams */
};
/* Returns their number, at most `most`. */
int strata_tuned_near(const struct strata_tuned *tuned, const struct strata_tuned_layout *at,
                      struct strata_tuned_near *near, int most);
/* The collectives, as bits 1 << enum strata_collective, with rows of uneven blocks. */
unsigned strata_tuned_uneven(const struct strata_tuned_near *near, int count);

/* The choice for a problem, by weight STRATA_TIMED: that of the nearest size of such blocks, which
 * differs by a factor of four at most. Returns false where there is none. */
bool strata_tuned_choice(const struct strata_tuned_near *near, int count,
                         const struct strata_problem *problem, struct strata_choice *choice);

#endif
