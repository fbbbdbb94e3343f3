/* The pictures of a study. A picture with a column `each` becomes one picture for each value. */
#ifndef STRATA_TOOLS_STUDY_REPORT_EXPAND_H
#define STRATA_TOOLS_STUDY_REPORT_EXPAND_H

#include "tools/study/study.h"

struct study_pictures {
    struct study_picture *pictures;
    int count;
    char **texts; /* the memory of the pictures' texts */
    int ntexts;
};
void study_pictures_expand(struct study_pictures *all, const struct study *study,
                           const struct study_table *table);
void study_pictures_fini(struct study_pictures *all);

#endif
