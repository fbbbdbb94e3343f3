/* The judges of the study of recent papers. */
#ifndef STRATA_TOOLS_STUDY_PAPERS_RECENT_JUDGES_H
#define STRATA_TOOLS_STUDY_PAPERS_RECENT_JUDGES_H

#include "tools/study/study.h"

/* Rounds and bytes on circulant graphs, by a formula. */
study_judge study_recent_formula;
/* The most that Bine trees save in any draw of groups must be the claim's number of percent, within
 * 5. */
study_judge study_recent_most;
/* From shorter to longer blocks the radix of the fastest method must not fall, and be greater in
 * the end. The study names methods, "NAME:radix=R", in the order of their
 * radix. */
study_judge study_recent_radix;
/* Some library's choice must take as many times as the claim's number, of the time of the best
 * library's choice. */
study_judge study_recent_defaults;

#endif
