/* The list of studies. A new study is a file that defines study_NAME, and a row here. */
#include "tools/study/study.h"

#define STUDIES(ROW)                                                                               \
    ROW(sloavx)                                                                                    \
    ROW(nodes)                                                                                     \
    ROW(sparbit)                                                                                   \
    ROW(torus) ROW(alltoall) ROW(split) ROW(recent) ROW(libraries) ROW(opponents) ROW(model)

#define DECLARE(name) extern const struct study study_##name;
STUDIES(DECLARE)

#define ADDRESS(name) &study_##name,
const struct study *const study_rows[] = {STUDIES(ADDRESS) NULL};
