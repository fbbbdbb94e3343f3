/* Draws pictures with gnuplot. Each has a script that holds its data and stays beside it: `gnuplot
 * NAME.gp` in the folder draws the picture again. */
#define _GNU_SOURCE
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tools/study/report/picture.h"

#include "tools/study/report/contest.h"
#include "tools/study/report/least.h"
#include "tools/study/report/report.h"
#include "tools/study/run/child.h"
#include "tools/study/run/machine.h"
#include "tools/study/run/script.h"
#include "tools/study/table/files.h"
#include "tools/study/table/memory.h"

char *study_picture_path(const struct study *study, const struct study_picture *picture,
                         const char *folder, const char *ending)
{
    return study_text("%s/%s-%s.%s", folder, study->name, picture->name, ending);
}

bool study_picture_can(void)
{
    char *line = study_first_line((const char *[]){"gnuplot", "--version", NULL});
    bool can = *line != '\0';
    free(line);
    return can;
}

/* Ratios have no spread. */
static void drop_spread(struct study_grid *grid)
{
    const size_t size = (size_t)(grid->points * grid->lines) * sizeof *grid->value;
    memcpy(grid->least, grid->value, size);
    memcpy(grid->greatest, grid->value, size);
}

/* RATIO: replaces every value by the reference's value divided by it. */
static void divide_reference(struct study_grid *grid, const char *reference)
{
    int line = study_grid_line(grid, reference);
    for (int i = 0; i < grid->points; i++) {
        double above = study_grid_value(grid, i, line);
        for (int j = 0; j < grid->lines; j++) {
            if (strncmp(grid->series[j], STUDY_PRINTED, strlen(STUDY_PRINTED)) == 0) {
                continue; /* the paper's are ratios already */
            }
            grid->value[i * grid->lines + j] = above / grid->value[i * grid->lines + j];
        }
    }
    drop_spread(grid);
}

/* HEAT: divides the reference's values by the method's, place by place. */
static void build_heat(struct study_grid *grid, const struct study *study,
                       const struct study_picture *picture, const struct study_table *table)
{
    struct study_grid above;
    struct study_axes axes = picture->axes;
    const char *more = axes.where ? axes.where : "", *mark = *more ? ";" : "";
    char *left = study_text("%s%smethod=%s", more, mark, picture->method);
    char *right = study_text("%s%smethod=%s", more, mark, picture->reference);
    axes.where = left;
    study_grid_build(grid, table, study, &axes);
    axes.where = right;
    study_grid_build(&above, table, study, &axes);
    for (int i = 0; i < grid->points * grid->lines; i++) {
        int point = i / grid->lines, line = study_grid_line(&above, grid->series[i % grid->lines]);
        int at = above.points - 1;
        while (at >= 0 && strcmp(above.x[at], grid->x[point]) != 0) {
            at--;
        }
        grid->value[i] = study_grid_value(&above, at, line) / grid->value[i];
    }
    drop_spread(grid);
    study_grid_fini(&above);
    free(left);
    free(right);
}

static void build_values(struct study_grid *grid, const struct study *study,
                         const struct study_picture *picture, const struct study_table *table)
{
    if (picture->drawing == STUDY_HEAT) {
        build_heat(grid, study, picture, table);
        return;
    }
    study_grid_build_printed(grid, table, study, &picture->axes, picture->printed);
    if (picture->drawing == STUDY_RATIO) {
        divide_reference(grid, picture->reference);
    } else if (picture->drawing == STUDY_DOTS) {
        study_grid_order_words(grid);
    }
}

static void write_script(FILE *file, const struct study *study, const struct study_picture *picture,
                         const struct study_table *table, const struct study_grid *grid)
{
    if (picture->drawing == STUDY_WINNERS) {
        study_winners_write(file, study, picture, table);
    } else if (picture->drawing == STUDY_LEAST) {
        study_least_write(file, study, picture, table);
    } else {
        study_script_write(file, study, picture, grid);
    }
}

static bool has_values(const struct study_grid *grid)
{
    for (int i = 0; i < grid->points * grid->lines; i++) {
        if (!isnan(grid->value[i])) {
            return true;
        }
    }
    return false;
}

/* Runs gnuplot in the folder, where the script writes its pictures. */
static bool run_gnuplot(const char *folder, const char *script)
{
    const struct timespec pause = {.tv_nsec = 5000000};
    struct study_child child;
    int status = -1;
    if (!study_child_start(&child,
                           (const char *[]){"env", "-C", folder, "gnuplot", script, NULL})) {
        return false;
    }
    for (int i = 0; i < 6000 && !study_child_ended(&child, &status); i++) {
        nanosleep(&pause, NULL);
    }
    char *said = study_descriptor_read(child.err);
    if (status != 0) {
        fprintf(stderr, "strata: gnuplot failed on %s/%s: %s\n", folder, script, said ? said : "");
    }
    free(said);
    study_child_stop(&child);
    return status == 0;
}

/* Removes earlier files of the picture, which show other points. */
static void remove_drawn(const struct study *study, const struct study_picture *picture,
                         const char *folder)
{
    static const char *const endings[] = {"gp", "svg", "png", "pdf"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        char *path = study_picture_path(study, picture, folder, endings[i]);
        unlink(path);
        free(path);
    }
}

bool study_picture_draw(const struct study *study, const struct study_picture *picture,
                        const struct study_table *table, const char *folder)
{
    struct study_grid grid;
    bool drawn = false;
    remove_drawn(study, picture, folder);
    build_values(&grid, study, picture, table);
    if (has_values(&grid)) {
        char *text = NULL, *path = study_picture_path(study, picture, folder, "gp");
        size_t size = 0;
        FILE *script = open_memstream(&text, &size);
        write_script(script, study, picture, table, &grid);
        fclose(script);
        drawn = study_file_replace(path, text, size) && run_gnuplot(folder, strrchr(path, '/') + 1);
        free(text);
        free(path);
    }
    study_grid_fini(&grid);
    return drawn;
}
