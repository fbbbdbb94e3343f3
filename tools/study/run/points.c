/* Builds the list of points of a study. */
#define _GNU_SOURCE
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/study/run/points.h"

#include "tools/study/table/memory.h"

/* Splits text at spaces; '...' keeps a word together. */
static char **split_words(const char *text)
{
    int count = 0;
    char **words = NULL;
    while (*(text += strspn(text, " "))) {
        bool quoted = *text == '\'';
        text += quoted;
        size_t length = strcspn(text, quoted ? "'" : " ");
        words = study_grow(words, (size_t)count + 2, sizeof *words);
        words[count++] = study_copy(text, length);
        words[count] = NULL;
        text += length + (text[length] != '\0');
    }
    return words;
}

void study_add(struct study_points *points, const struct study_kind *kind, const char *name,
               const char *format, ...)
{
    va_list arguments;
    char *command = NULL;
    va_start(arguments, format);
    int length = vasprintf(&command, format, arguments);
    va_end(arguments);
    points->points = study_grow(points->points, (size_t)points->count + 1, sizeof *points->points);
    points->points[points->count++] =
        (struct study_point){.name = study_copy(name, strlen(name)),
                             .words = split_words(length < 0 ? "" : command),
                             .labels = study_copy(kind->labels, strlen(kind->labels)),
                             .weight = kind->weight > 0 ? kind->weight : 1,
                             .timed = kind->timed,
                             .format = kind->format,
                             .time = kind->time,
                             .unit = kind->unit};
    free(command);
}

/* The generator is Knuth's MMIX. */
unsigned study_draw(unsigned long long *state, int below)
{
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)((*state >> 33) % (unsigned)below);
}

void study_points_order(struct study_points *points)
{
    for (int i = 1; i < points->count; i++) {
        struct study_point point = points->points[i];
        int at = i;
        for (; at > 0 && points->points[at - 1].weight > point.weight; at--) {
            points->points[at] = points->points[at - 1];
        }
        points->points[at] = point;
    }
}

void study_points_fini(struct study_points *points)
{
    for (int i = 0; i < points->count; i++) {
        struct study_point *point = &points->points[i];
        for (int w = 0; point->words && point->words[w]; w++) {
            free(point->words[w]);
        }
        free(point->words);
        free(point->name);
        free(point->labels);
    }
    free(points->points);
    *points = (struct study_points){0};
}

char *study_words_join(char *const *words)
{
    char *text = study_copy("", 0);
    for (int i = 0; words && words[i]; i++) {
        const char *quote = strpbrk(words[i], " ;()&|*\"$<>") ? "'" : "";
        char *longer = study_text("%s%s%s%s%s", text, i ? " " : "", quote, words[i], quote);
        free(text);
        text = longer;
    }
    return text;
}

const char *study_value(const struct study_request *request, const char *option)
{
    const struct study_option *options = request->study->options;
    if (request->words && strcmp(option, "--app") == 0) {
        return request->words;
    }
    for (int i = 0; options && options[i].name; i++) {
        if (strcmp(options[i].name, option) == 0) {
            return request->values[i] ? request->values[i] : options[i].preset;
        }
    }
    return NULL;
}

int study_number(const struct study_request *request, const char *option, int least, int most)
{
    char *end;
    long value = strtol(study_value(request, option), &end, 10);
    return *end || value < least || value > most ? 0 : (int)value;
}

int study_number_take(const char **list)
{
    char *end;
    if (!**list) {
        return 0;
    }
    const long value = strtol(*list, &end, 10);
    const bool number = end > *list && (!*end || *end == ',') && value > 0 && value <= INT_MAX;
    *list = number ? end + (*end == ',') : end + strlen(end);
    return number ? (int)value : -1;
}

bool study_list_has(const char *list, char mark, const char *word)
{
    const size_t length = strlen(word);
    const char *at = list;
    while (at && !(strncmp(at, word, length) == 0 && (at[length] == mark || !at[length]))) {
        at = strchr(at, mark);
        at += at != NULL;
    }
    return !list || at;
}
