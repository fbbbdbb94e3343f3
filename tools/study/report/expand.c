/* Expands a picture into one for each value of a column. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "tools/study/report/report.h"
#include "tools/study/table/fields.h"
#include "tools/study/table/memory.h"

static bool is_known(const struct study_pictures *all, int from, const char *where)
{
    for (int i = from; i < all->count; i++) {
        if (strcmp(all->pictures[i].axes.where, where) == 0) {
            return true;
        }
    }
    return false;
}

/* Gives the text to the list, which releases it. */
static const char *keep(struct study_pictures *all, char *text)
{
    all->texts = study_grow(all->texts, (size_t)all->ntexts + 1, sizeof *all->texts);
    all->texts[all->ntexts++] = text;
    return text;
}

static struct study_picture *add(struct study_pictures *all, const struct study_picture *picture)
{
    all->pictures = study_grow(all->pictures, (size_t)all->count + 1, sizeof *all->pictures);
    all->pictures[all->count] = *picture;
    return &all->pictures[all->count++];
}

/* Turns a value into a part of a file's name: one hyphen for all that is no letter or digit. */
static char *plain(const char *value)
{
    char *text = study_text("%s", value), *to = text;
    for (const char *at = value; *at; at++) {
        bool kept = isalnum((unsigned char)*at);
        if (kept || to == text || to[-1] != '-') {
            *to++ = *at;
            to[-1] = kept ? *at : '-';
        }
    }
    *to = '\0';
    return text;
}

static void add_each(struct study_pictures *all, const struct study_picture *picture,
                     const struct study_table *table)
{
    int from = all->count;
    for (int row = 0; row < table->rows; row++) {
        const char *value = study_table_cell(table, row, picture->each);
        const char *where = picture->axes.where ? picture->axes.where : "";
        char *mine = study_text("%s%s%s=%s", where, *where ? ";" : "", picture->each, value);
        if (study_table_matches(table, row, where) && !is_known(all, from, mine)) {
            struct study_picture *copy = add(all, picture);
            char *ending = plain(value);
            copy->name = keep(all, study_text("%s-%s", picture->name, ending));
            copy->title = keep(all, study_text("%s: %s", picture->title, value));
            copy->axes.where = keep(all, study_text("%s", mine));
            free(ending);
        }
        free(mine);
    }
}

void study_pictures_expand(struct study_pictures *all, const struct study *study,
                           const struct study_table *table)
{
    *all = (struct study_pictures){0};
    for (const struct study_picture *picture = study->pictures; picture->name; picture++) {
        int before = all->count;
        if (picture->each) {
            add_each(all, picture, table);
        }
        if (all->count == before) {
            add(all, picture);
        }
    }
}

void study_pictures_fini(struct study_pictures *all)
{
    study_fields_release(all->texts, all->ntexts);
    free(all->pictures);
    *all = (struct study_pictures){0};
}
