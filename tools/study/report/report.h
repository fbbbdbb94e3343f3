/* The page that a study writes, and what it needs. */
#ifndef STRATA_TOOLS_STUDY_REPORT_REPORT_H
#define STRATA_TOOLS_STUDY_REPORT_REPORT_H

#include "tools/study/run/points.h"

/* The pictures of a study, each value of a column `each` with one of its own. */
struct study_pictures {
    struct study_picture *pictures;
    int count;
    char **texts; /* that they own */
    int ntexts;
};
void study_pictures_expand(struct study_pictures *all, const struct study *study,
                           const struct study_table *table);
void study_pictures_fini(struct study_pictures *all);

/* A study's results, judged. */
struct study_report {
    const struct study *study;
    const char *folder;
    const struct study_store *store;
    struct study_pictures pictures;
    struct study_finding *findings; /* as the claims */
    int claims, agreeing, judged;
    bool drawn; /* there are pictures */
};

/* Draws, judges and writes DIR/report.html for the results of one folder. Returns an exit code. */
int study_report_write(const char *folder);
/* Holds the points against the claims. */
void study_report_judge(struct study_report *report);
void study_report_fini(struct study_report *report);

/* picture.c: writes NAME-PICTURE.gp into the folder and lets gnuplot draw from it. False: nothing to draw
 * or gnuplot failed. */
bool study_picture_draw(const struct study *study, const struct study_picture *picture,
                        const struct study_table *table, const char *folder);
/* Is gnuplot there? */
bool study_picture_can(void);
char *study_picture_path(const struct study *study, const struct study_picture *picture,
                         const char *folder, const char *ending);

/* html.c: parts of the page, all well-formed XML. */
void study_html_text(FILE *file, const char *text);
void study_html_head(FILE *file, const char *title);
void study_html_foot(FILE *file);
/* The picture itself, its names made unlike those of other pictures. False: there is none. */
bool study_html_picture(FILE *file, const char *path, const char *prefix);

/* page.c: one study. */
void study_page_write(FILE *file, const struct study_report *report);

#endif
