/* Writes a map of the least times: the darker a cell, the shorter its time. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/command/words.h"
#include "tools/study/report/grid.h"
#include "tools/study/report/least.h"
#include "tools/study/run/script.h"
#include "tools/study/table/memory.h"

/* The least time of each place, and the number of its method. */
struct least {
    struct study_grid grid; /* its axes, and the least values */
    int *method;
};

static int find_point(const struct study_grid *grid, const char *x)
{
    int i = grid->points - 1;
    while (i >= 0 && strcmp(grid->x[i], x) != 0) {
        i--;
    }
    return i;
}

/* Takes a method's times where they are less. */
static void take_method(struct least *least, int method, const struct study_grid *of)
{
    for (int i = 0; i < of->points * of->lines; i++) {
        int point = find_point(&least->grid, of->x[i / of->lines]);
        int line = study_grid_line(&least->grid, of->series[i % of->lines]);
        int at = point * least->grid.lines + line;
        if (of->value[i] > 0 && (least->method[at] < 0 || of->value[i] < least->grid.value[at])) {
            least->grid.value[at] = of->value[i];
            least->method[at] = method;
        }
    }
}

static void build(struct least *least, const struct study *study,
                  const struct study_picture *picture, const struct study_table *table)
{
    const char *where = picture->axes.where ? picture->axes.where : "";
    study_grid_build(&least->grid, table, study, &picture->axes);
    const int places = least->grid.points * least->grid.lines;
    least->method = study_allocate((size_t)places, sizeof *least->method);
    for (int i = 0; i < places; i++) {
        least->method[i] = -1;
    }
    for (int m = 0; study->names[m].value; m++) {
        struct study_grid of;
        struct study_axes axes = picture->axes;
        char *mine = study_text("%s%smethod=%s", where, *where ? ";" : "", study->names[m].value);
        axes.where = mine;
        study_grid_build(&of, table, study, &axes);
        take_method(least, m, &of);
        study_grid_fini(&of);
        free(mine);
    }
}

static void put_cells(FILE *file, const struct study *study, const struct least *least)
{
    const struct study_grid *grid = &least->grid;
    fputs("$data << END\n", file);
    for (int i = 0; i < grid->points * grid->lines; i++) {
        char time[32];
        if (least->method[i] >= 0) {
            tool_seconds(grid->value[i], time, sizeof time);
            fprintf(file, "%d %d %.6g \"%s\" \"%s\"\n", i / grid->lines, i % grid->lines,
                    log10(grid->value[i]), time, study->names[least->method[i]].value);
        }
    }
    fputs("END\n", file);
}

void study_least_write(FILE *file, const struct study *study, const struct study_picture *picture,
                       const struct study_table *table)
{
    struct least least;
    build(&least, study, picture, table);
    study_script_head(file, study, picture);
    put_cells(file, study, &least);
    study_script_places(file, picture, &least.grid);
    fputs("set palette defined (0 \"#56B4E9\", 0.5 \"#BFE3F7\", 1 \"#F7F7F7\")\nunset colorbox\n"
          "unset grid\nunset key\n"
          "plot $data using 1:2:(0.5):(0.5):3 with boxxyerror fs solid 1 border lc rgb "
          "\"#ffffff\" lc palette, \\\n"
          "  $data using 1:2:(sprintf(\"%s\\n%s\", strcol(4), strcol(5))) with labels font \",10\" "
          "textcolor rgb \"#000000\"\n",
          file);
    study_script_foot(file, study, picture);
    study_grid_fini(&least.grid);
    free(least.method);
}
