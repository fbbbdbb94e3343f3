/* A study is one row of the table in studies.c, written in one file. It runs points, draws pictures
 * of their results, and judges the claims of a paper by them. docs/studies.md shows how to add
 * one. */
#ifndef STRATA_TOOLS_STUDY_STUDY_H
#define STRATA_TOOLS_STUDY_STUDY_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/study/report/answer.h"
#include "tools/study/table/table.h"

/* The user's request. */
struct study_request {
    const struct study *study;
    bool quick, force, dry;
    int jobs;               /* simulated points that run at once; 0: as many as processors */
    double limit;           /* seconds that one point may take */
    const char *output;     /* the folder of the results */
    const char *program;    /* the strata command that runs points */
    char *own_path;         /* the path of this program */
    const char *values[16]; /* of the study's own options, in their order; NULL: not given */
    char *words;            /* of the program behind "--"; NULL: none */
    char *command;          /* the whole command line, for the record */
};

/* How a point's output is read. STUDY_CLOCK reads none, and gives a row with the seconds that the
 * program took. STUDY_PATTERN gives a row with the number in the first group of the last match of
 * an extended regular expression, STUDY_KEY one with the number of a key of JSON. */
enum study_format { STUDY_CSV, STUDY_JSON, STUDY_CLOCK, STUDY_PATTERN, STUDY_KEY };

/* A point: a command that gives one or more rows. */
struct study_point {
    char *name;    /* unique in the study */
    char **words;  /* the command, NULL at its end; no shell reads it */
    char *labels;  /* "figure=6a;ranks=512": columns that the output does not have */
    double weight; /* its time, relative to the other points' */
    bool timed;    /* uses real clocks, so it runs alone */
    enum study_format format;
    const char *time; /* the expression or the key, in the request's memory */
    double unit;      /* seconds of its unit */
};

struct study_points {
    const struct study_request *request;
    struct study_point *points;
    int count;
    const char *refusal; /* why the study has no points; NULL: it has */
    bool wrong_use;      /* the refusal blames a wrong option */
};

/* The common properties of the points of one kind. */
struct study_kind {
    const char *labels;
    double weight;
    bool timed;
    enum study_format format;
    const char *time;
    double unit;
};

/* An option of one study. */
struct study_option {
    const char *name, *value, *help; /* "--app", "NAME", a sentence */
    const char *preset;              /* NULL: none */
};

/* A selection of a table's values: the rows that match `where` ("figure=6a;bytes<=8"), the column x
 * along the axis, the column that tells series apart, the column y of the values. */
struct study_axes {
    const char *where, *x, *series, *y;
};

enum study_drawing {
    STUDY_LINES,  /* values over x, a line for each series */
    STUDY_DOTS,   /* values over words, a mark with its spread for each series */
    STUDY_LEAST,  /* over x and series: the least time of all methods, and whose it is */
    STUDY_RATIO,  /* the reference's value divided by each other value, with a line at 1 */
    STUDY_HEAT,   /* over x and series: the reference's value divided by the value of `method` */
    STUDY_WINNERS /* over x and series: the fastest method, and the gain of `method` */
};

/* A value that the paper prints, in the unit of the picture's column. */
struct study_printed {
    const char *series;
    double x, y;
};

struct study_picture {
    const char *name, *title; /* the name of its files; its heading */
    enum study_drawing drawing;
    struct study_axes axes;
    const char *x_title, *y_title; /* without units of time, which ticks have */
    const char *key_title;         /* the title of the legend; may be NULL */
    bool linear_x, linear_y;
    /* RATIO: a series; HEAT: a value of the column method; WINNERS: the methods that take part,
     * separated by semicolons, NULL: all */
    const char *reference;
    const char *method; /* of HEAT and WINNERS */
    const char *each;   /* draw a picture for each value of this column; may be NULL */
    const struct study_printed *printed; /* ended by a row without a series; may be NULL */
    const char *caption; /* what it shows and how it was made, in a sentence or two */
};

struct study_claim;

/* The judgement of a claim by our points. */
struct study_finding {
    const struct study *study;
    int points, agreeing;
    int even; /* points at which the spreads of both methods overlap; they are not in `points` */
    const char *lacks; /* the points that the claim needs and were not run; NULL: it is judged */
    bool agrees;
    char ours[160]; /* our result in figures */
    char *details;  /* a line for each point that disagrees; NULL: none */
};

/* Adds a line to the finding's details. */
void study_finding_tell(struct study_finding *finding, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

typedef void study_judge(const struct study_claim *claim, const struct study_table *table,
                         struct study_finding *finding);

struct study_claim {
    const char *picture; /* the picture that shows the claim */
    const char *place;   /* "Figure 6 (a), section V-C" */
    /* The paper's claim, short and in our words. Figures and their source are taken over, sentences
     * are not. */
    const char *sentence;
    const char *number; /* the paper's figure, in short */
    study_judge *judge;
    struct study_axes axes;
    const char *left, *right; /* two series */
    int sign;                 /* of a trend: -1 falls, 0 stays, 1 rises */
    const char *note;         /* a known difference of our setting; may be NULL */
};

/* The rows without which a claim is not judged, "figure=5a;ranks>=512". */
struct study_need {
    const char *sentence; /* of the claim */
    const char *where;
};

/* The least share of agreeing points, in percent. */
enum { STUDY_SHARE = 80 };

/* The left series must lie below the right one at that share of the points or more. */
study_judge study_judge_below;
/* Over x the left series, or the right one divided by the left where there is one, must rise, fall
 * or stay. The sign is the sign of the slope of a least-squares line through the logarithms; below
 * 0.1 the series stays. */
study_judge study_judge_trend;
/* The left method must win a share of the cells over the axes x and series. The share is the figure
 * that `number` begins with, within 10 percentage points; without a figure it is at least 80 %.
 * `right` names the methods that take part, "ring;sparbit"; NULL: all. */
study_judge study_judge_share;

/* A value of a column, and its name for people. */
struct study_name {
    const char *value, *name;
};

struct study {
    const char *name, *title; /* its name on the command line; its title on the page */
    const char *paper;        /* its authors, its title, its place */
    const char *shows;        /* the study, explained to a reader who does not know it */
    /* Answers the study's question by its results; NULL: the claims do. */
    void (*answer)(const struct study *study, const struct study_table *table,
                   struct study_answer *answer);
    const char *left_out; /* which parts of the paper are missing, and why; may be NULL */
    const char *columns;  /* the columns of its CSV; the first is "point" */
    const char *evidence; /* columns that explain a disagreement: "messages_between,..." */
    const struct study_option *options; /* ended by a row without a name; may be NULL */
    void (*points)(struct study_points *points);
    const struct study_picture *pictures; /* ended by a row without a name */
    const struct study_claim *claims;     /* ended by a row without a picture; may be NULL */
    const struct study_need *needs;       /* ended by a row without a sentence; may be NULL */
    const struct study_name *names;       /* ended by a row without a value; may be NULL */
};

/* All studies, ended by NULL. */
extern const struct study *const study_rows[];

/* The index of a value in the study's names, which also selects its colour; -1: none. */
int study_name_index(const struct study *study, const char *value);
const char *study_name_of(const struct study *study, const char *value);

#endif
