/* Choices that were timed: the table that `strata tune calls` writes, or people. */
#ifndef STRATA_HIER_TUNED_H
#define STRATA_HIER_TUNED_H

#include "core/base/found_file.h"
#include "hier/choice.h"

/* A line, "allreduce 4x16 1K = dpml:leaders=2 1.2e-05 1.4e-05 2.1e-05". */
struct strata_tuned_row {
    enum strata_collective collective;
    int nodes, ranks; /* nodes, and ranks of the largest of them */
    double bytes;     /* of a block or vector, as costs count them; 0 of a barrier */
    struct strata_choice choice;
    /* of a call: by the choice, as costs choose, by MPI's own; 0: the line has none */
    double seconds, untuned, native;
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

/* The row of the table that another one stands for: of the same collective, nodes, ranks and
 * bytes; NULL: there is none. */
struct strata_tuned_row *strata_tuned_like(const struct strata_tuned *tuned,
                                           const struct strata_tuned_row *row);

/* Rows that serve a communicator on these nodes, in the form in which they travel. Of each
 * collective those of the layout that is nearest, the first in the file of several, whose nodes and
 * ranks of a node differ by a factor of two at most; one node stands for itself alone. */
struct strata_tuned_near {
    double bytes;
    int collective, algorithm; /* by its number in the registry; -1: as costs choose */
    int parameter[STRATA_PARAMETERS];
};
enum { STRATA_TUNED_NEAR = 1024 };
/* Returns their number, at most `most`. */
int strata_tuned_near(const struct strata_tuned *tuned, const struct strata_topology *topology,
                      struct strata_tuned_near *near, int most);

/* The choice for a problem, by weight STRATA_TIMED: that of the nearest size, which differs by a
 * factor of four at most. Returns false where there is none. */
bool strata_tuned_choice(const struct strata_tuned_near *near, int count,
                         const struct strata_problem *problem, struct strata_choice *choice);

#endif
