/* Prints the runner's progress on standard error. */
#include <stdio.h>

#include "tools/study/run/progress.h"

#include "core/base/clock.h"
#include "tools/study/run/run.h"

static const char *clock_text(double seconds, char *text, size_t size)
{
    int whole = seconds > 0 ? (int)(seconds + 0.5) : 0;
    snprintf(text, size, "%d:%02d", whole / 60, whole % 60);
    return text;
}

/* Prints the time passed and the time left, which it estimates from the weights of finished
 * points. */
static void print_rest(const struct study_run *run)
{
    char passed[32], rest[32];
    double seconds = strata_seconds() - run->began;
    fprintf(stderr, ", %s passed", clock_text(seconds, passed, sizeof passed));
    if (run->weight_done > 0 && run->left > 0) {
        double left = seconds * run->weight_left / run->weight_done;
        fprintf(stderr, ", about %s left", clock_text(left, rest, sizeof rest));
    }
}

void study_progress_show(const struct study_run *run)
{
    if (!run->terminal || run->left == 0) {
        return;
    }
    fprintf(stderr, "\r\033[K%d of %d points", run->points->count - run->left, run->points->count);
    print_rest(run);
    for (int i = 0, shown = 0; i < STUDY_MOST_JOBS && shown < 3; i++) {
        if (run->jobs[i].point) {
            fprintf(stderr, "%s%s", shown++ ? ", " : "; now ", run->jobs[i].point->name);
        }
    }
    fflush(stderr);
}

void study_progress_point(const struct study_run *run, const struct study_point *point,
                          double seconds)
{
    fprintf(stderr, "  %-28s %6.1f s   %d of %d", point->name, seconds,
            run->points->count - run->left, run->points->count);
    if (!run->terminal) {
        print_rest(run);
    }
    fprintf(stderr, "\n");
}

void study_progress_clear(const struct study_run *run)
{
    if (run->terminal) {
        fprintf(stderr, "\r\033[K");
        fflush(stderr);
    }
}
