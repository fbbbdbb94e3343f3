/* What a study is: one row of the table in studies.c, written in one file. A study has points
 * that are run, pictures that are drawn from their results, and claims of a paper that the
 * results are held against. docs/studies.md adds one. */
#ifndef STRATA_TOOLS_STUDY_STUDY_H
#define STRATA_TOOLS_STUDY_STUDY_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/study/table/table.h"

/* What the user asked for. */
struct study_request {
    const struct study *study;
    bool quick, force, dry;
    int jobs;              /* simulated points at a time; 0: as many as processors */
    double limit;          /* seconds that a point may take */
    const char *output;    /* folder */
    const char *program;   /* the strata command that runs points */
    char *own_path;        /* of this program */
    const char *values[8]; /* of the study's own options, in their order; NULL: not given */
    char *command;         /* the whole command line, for the record */
};

/* How the output of a point is read; of a program that may print anything, by the clock: a row of
 * one column, its seconds. */
enum study_format { STUDY_CSV, STUDY_JSON, STUDY_CLOCK };

/* One point: a command that gives one or more rows. */
struct study_point {
    char *name;    /* unique in the study */
    char **words;  /* the command, NULL at its end; no shell reads it */
    char *labels;  /* "figure=6a;ranks=512": columns that the output does not have */
    double weight; /* how long it takes, against the others */
    bool timed;    /* on real clocks: alone on the machine */
    enum study_format format;
};

struct study_points {
    const struct study_request *request;
    struct study_point *points;
    int count;
    const char *refusal; /* why there can be no points; NULL: all is well */
    bool wrong_use;      /* ... because an option is wrong */
};

/* What all points of one kind have in common. */
struct study_kind {
    const char *labels;
    double weight;
    bool timed;
    enum study_format format;
};

/* An option of one study alone. */
struct study_option {
    const char *name, *value, *help; /* "--app", "NAME", a sentence */
    const char *preset;
};

/* Which values of a table are meant: rows that match `where` ("figure=6a;bytes<=8"), the column
 * along the axis, the column that tells the lines apart, the column of values. */
struct study_axes {
    const char *where, *x, *series, *y;
};

enum study_drawing {
    STUDY_LINES,  /* values over x, one line for each series */
    STUDY_RATIO,  /* the reference's value divided by each other one's, with a line at 1 */
    STUDY_HEAT,   /* over x and series: value of the reference divided by that of `method` */
    STUDY_WINNERS /* over x and series: which method takes least, with the gain of `method` */
};

struct study_picture {
    const char *name, *title; /* name of its files; heading */
    enum study_drawing drawing;
    struct study_axes axes;
    const char *x_title, *y_title;
    const char *key_title; /* of the legend; may be NULL */
    double scale;          /* of values before they are drawn; 0: 1 */
    bool linear_x, linear_y;
    const char *reference; /* RATIO: a series; HEAT: a value of the column method */
    const char *method;    /* HEAT, WINNERS */
    const char *each;      /* a picture for each value of this column; may be NULL */
    const char *caption;   /* what is seen and how it was made, in a sentence or two */
};

struct study_claim;

/* What our points say about a claim. */
struct study_finding {
    const struct study *study;
    int points, agreeing;
    bool agrees;
    char ours[160]; /* in figures */
    char *details;  /* a line for each point that disagrees; NULL: none */
};

typedef void study_judge(const struct study_claim *claim, const struct study_table *table,
                         struct study_finding *finding);

struct study_claim {
    const char *picture; /* the picture that shows it */
    const char *place;   /* "Figure 6 (a), section V-C" */
    /* What the paper says, in our words and short. Figures carry over, with their source; its
     * sentences do not. */
    const char *sentence;
    const char *number; /* its figure, in short */
    study_judge *judge;
    struct study_axes axes;
    const char *left, *right; /* series */
    int sign;                 /* of a trend: -1 falls, 0 stays, 1 rises */
    const char *note;         /* what is known to be different here; may be NULL */
};

/* At 80 % of the points or more the left series lies below the right one. */
study_judge study_judge_below;
/* With x the left series (divided by the right one, where there is one) rises, falls or stays:
 * the sign of the slope of a least-squares line through the logarithms; below 0.1 it stays. */
study_judge study_judge_trend;
/* Over the axes x and series: of the cells, the left method wins the share that `number` begins
 * with, within 10 points of percent, or 80 % where it begins with no figure; `right` names those
 * that take part, "ring;sparbit", or all. */
study_judge study_judge_share;

/* How a value of a column is shown to people. */
struct study_name {
    const char *value, *name;
};

struct study {
    const char *name, *title; /* of the command line; of the page */
    const char *paper;        /* authors, title, where */
    const char *shows;        /* what the study is, for a reader who knows nothing of it */
    const char *left_out;     /* of the paper, and why; may be NULL */
    const char *columns;      /* of its CSV, the first is "point" */
    const char *evidence;     /* columns that explain a disagreement: "messages_between,..." */
    const struct study_option *options; /* ended by a row without a name; may be NULL */
    void (*points)(struct study_points *points);
    const struct study_picture *pictures; /* ended by a row without a name */
    const struct study_claim *claims;     /* ended by a row without a picture; may be NULL */
    const struct study_name *names;       /* ended by a row without a value; may be NULL */
};

/* The studies, ended by NULL. */
extern const struct study *const study_rows[];

/* The name for people of a value: its place in the table chooses its colour too. -1: not there. */
int study_name_index(const struct study *study, const char *value);
const char *study_name_of(const struct study *study, const char *value);

#endif
