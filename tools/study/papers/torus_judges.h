/* The judges of the study of tori. */
#ifndef STRATA_TOOLS_STUDY_PAPERS_TORUS_JUDGES_H
#define STRATA_TOOLS_STUDY_PAPERS_TORUS_JUDGES_H

#include "tools/study/study.h"

/* Counts of plans, by a formula of the paper; its table 1 too, for each collective. */
study_judge study_torus_formula;
/* At every length the old algorithm may take at most N = 3 times as long as the new one. */
study_judge study_torus_limit;

#endif
