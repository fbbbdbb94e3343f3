/* Writes a map of winners. Each cell has the colour of the fastest method. Cells of the picture's
 * own method are grey: the more the method gains over the second best, the darker. */
#include <string.h>

#include "tools/study/report/contest.h"
#include "tools/study/run/script.h"

/* A map with more cells has no room for figures. */
enum { LABELLED_COLUMNS = 14, LABELLED_ROWS = 14 };

static void put_box(FILE *file, const struct study_contest_cell *cell, const char *value)
{
    fprintf(file, "%d %d %g %g %g %g %s\n", cell->point, cell->line, cell->point - 0.5,
            cell->point + 0.5, cell->line - 0.5, cell->line + 0.5, value);
}

static void put_cells(FILE *file, const struct study *study, const struct study_picture *picture,
                      const struct study_contest *contest)
{
    fputs("$others << END\n", file);
    for (int i = 0; i < contest->count; i++) {
        const struct study_contest_cell *cell = &contest->cells[i];
        if (strcmp(cell->winner, picture->method) != 0 && !cell->even) {
            char colour[16];
            snprintf(colour, sizeof colour, "0x%s",
                     study_script_colour(study_name_index(study, cell->winner)) + 1);
            put_box(file, cell, colour);
        }
    }
    fputs("END\n$own << END\n", file);
    for (int i = 0; i < contest->count; i++) {
        const struct study_contest_cell *cell = &contest->cells[i];
        if (strcmp(cell->winner, picture->method) == 0 && !cell->even) {
            char gain[32];
            snprintf(gain, sizeof gain, "%.4g", study_contest_gain(cell));
            put_box(file, cell, gain);
        }
    }
    fputs("END\n$even << END\n", file);
    for (int i = 0; i < contest->count; i++) {
        if (contest->cells[i].even) {
            put_box(file, &contest->cells[i], "0");
        }
    }
    fputs("END\n", file);
}

/* Puts a coloured box for each other method that wins somewhere. */
static void put_legend(FILE *file, const struct study *study, const struct study_picture *picture,
                       const struct study_contest *contest)
{
    for (int i = 0; study->names && study->names[i].value; i++) {
        const char *method = study->names[i].value;
        if (study_contest_count(contest, method).won > 0 && strcmp(method, picture->method) != 0) {
            fprintf(file, ", \\\n  NaN with points pt 5 ps 2.2 lc rgb \"%s\" title ",
                    study_script_colour(i));
            study_script_quote(file, study->names[i].name);
        }
    }
}

void study_winners_write(FILE *file, const struct study *study, const struct study_picture *picture,
                         const struct study_table *table)
{
    struct study_contest contest;
    study_contest_build(&contest, table, study, &picture->axes, picture->reference);
    const struct study_grid *grid = &contest.grid;
    struct study_contest_share own = study_contest_count(&contest, picture->method);
    study_script_head(file, study, picture);
    put_cells(file, study, picture, &contest);
    study_script_places(file, picture, grid);
    fprintf(file,
            "set palette defined (0 \"#dcdcdc\", 1 \"#808080\")\nset cbrange [0:%g]\n"
            "set cblabel \"%s: gain over the second (%%)\"\nunset grid\n"
            "set key outside top center horizontal\n",
            own.most > 10 ? own.most : 10, study_name_of(study, picture->method));
    fputs("plot $others using 1:2:3:4:5:6:7 with boxxyerror fs solid 1 border lc rgb \"#ffffff\" "
          "lc rgb variable notitle",
          file);
    if (own.won > 0) {
        fputs(", \\\n  $own using 1:2:3:4:5:6:7 with boxxyerror fs solid 1 lc palette notitle",
              file);
    }
    if (own.won > 0 && grid->points <= LABELLED_COLUMNS && grid->lines <= LABELLED_ROWS) {
        fputs(", \\\n  $own using 1:2:(sprintf(\"%.0f\", $7)) with labels font \",10\" "
              "textcolor rgb \"#000000\" notitle",
              file);
    }
    put_legend(file, study, picture, &contest);
    if (own.even > 0) {
        fputs(", \\\n  $even using 1:2:(\"=\") with labels title \"= not told apart\"", file);
    }
    putc('\n', file);
    study_script_foot(file, study, picture);
    study_contest_fini(&contest);
}
