/* The methods and the judges of the study of the Sparbit paper. */
#ifndef STRATA_TOOLS_STUDY_PAPERS_SPARBIT_JUDGES_H
#define STRATA_TOOLS_STUDY_PAPERS_SPARBIT_JUDGES_H

#include "tools/study/study.h"

#define SPARBIT   "sparbit:blocks=apart"
#define BRUCK     "bruck:radix=2"
#define DOUBLING  "recursive_doubling"
#define RING      "ring"
#define NEIGHBOUR "neighbor_exchange"

#define LINEAR      RING ";" NEIGHBOUR
#define LOGARITHMIC BRUCK ";" DOUBLING

/* With the cyclic mapping Sparbit must win fewer cells of the cluster `left`, and gain less where
 * it wins. */
study_judge study_sparbit_drop, study_sparbit_gains;
/* The cluster `left` must lose more with the cyclic mapping than `right`. */
study_judge study_sparbit_topology;
/* Of the cells that the methods in `right` win, `left` must win the paper's share without them,
 * within 10 points of percent. */
study_judge study_sparbit_area;
/* Sparbit must win between the sizes that the logarithmic and the linear methods win. */
study_judge study_sparbit_verge;
/* The map of hosts: Sparbit must win the paper's share of the cells that measurements tell apart,
 * within 10 points of percent. */
study_judge study_sparbit_timed;
/* Tables I and II, on hosts. `left` of sets is the mapping; with `right` only cells count in which
 * Sparbit has the best greatest time. */
study_judge study_sparbit_sets, study_sparbit_times;

#endif
