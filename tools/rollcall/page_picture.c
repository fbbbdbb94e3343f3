/* The picture of a page as SVG: calls below each other, and below each call a row for each rank,
 * with what it waited and what it moved. Rows share the call's own scale of time. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/command/html_text.h"
#include "tools/command/picture.h"
#include "tools/command/words.h"
#include "tools/rollcall/page.h"

static const char style[] =
    "<style>\n" TOOL_PICTURE_LIGHT "  .part { font: bold 14px sans-serif; }\n"
    "  .call, .last { font-weight: bold; }\n"
    "  .came { stroke: #24292f; stroke-width: 1.5; stroke-dasharray: 3 3; }\n"
    "  @media (prefers-color-scheme: dark) {\n" TOOL_PICTURE_DARK "    .came { stroke: #e6edf3; }\n"
    "  }\n"
    "</style>\n";

enum { MOST_CALLS = 5, MOST_RANKS = 12, MOST_LETTERS = 130 };
enum { MARGIN = 16, WIDTH = 900, LABEL = 150, TIMES = 176, ROW = 18, BAR = 12 };
enum { TITLE = 98, PART = 44, HEAD = 46, AXIS = 30 };
enum { LEFT = MARGIN + LABEL, RIGHT = WIDTH - MARGIN - TIMES };

/* Text may come from a file that is broken. */
static void put_text(FILE *file, const char *class, int x, int y, const char *text)
{
    char clean[MOST_LETTERS + 1];
    size_t length = strlen(text);
    length = length > MOST_LETTERS ? MOST_LETTERS : length;
    for (size_t i = 0; i < length; i++) {
        clean[i] = text[i] < ' ' || text[i] > '~' ? '?' : text[i];
    }
    clean[length] = '\0';
    fprintf(file, "<text class=\"%s\" x=\"%d\" y=\"%d\">", class, x, y);
    tool_html_text(file, clean);
    fprintf(file, "</text>\n");
}

static int by_waited(const void *a, const void *b)
{
    const struct roll_whole *x = a, *y = b;
    return (x->waited < y->waited) - (x->waited > y->waited);
}

static int by_moved(const void *a, const void *b)
{
    const struct roll_whole *x = a, *y = b;
    return (x->moved < y->moved) - (x->moved > y->moved);
}

/* The ranks of a call that have a row. */
static int rows_of(const struct roll_whole *call)
{
    return call->count < MOST_RANKS ? call->count : MOST_RANKS;
}

static double wait_of(const struct roll_whole *call, int i)
{
    struct roll_stay stay;
    const bool stood = roll_stay_of(call->made[i].call, call->came, &stay);
    return stood ? stay.until - stay.begin : 0;
}

/* Of many ranks these have a row: the one that others waited for, and those that waited longest. */
static void choose_rows(const struct roll_whole *call, bool *chosen)
{
    memset(chosen, 0, (size_t)call->count * sizeof *chosen);
    if (call->cause) {
        chosen[call->cause - call->made] = true;
    }
    for (int rows = call->cause ? 1 : 0; rows < rows_of(call); rows++) {
        int most = -1;
        for (int i = 0; i < call->count; i++) {
            most = !chosen[i] && (most < 0 || wait_of(call, i) > wait_of(call, most)) ? i : most;
        }
        chosen[most] = true;
    }
}

static double x_of(const struct roll_whole *call, double at)
{
    const double part = (at - call->begin) / (call->end - call->begin);
    return LEFT + (RIGHT - LEFT) * (part < 0 ? 0 : part > 1 ? 1 : part);
}

static void draw_bar(const struct roll_whole *call, const char *class, double from, double to,
                     int y, FILE *file)
{
    if (to > from) {
        fprintf(file, "<rect class=\"%s\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>\n",
                class, x_of(call, from), y, fmax(x_of(call, to) - x_of(call, from), 1), BAR);
    }
}

static void draw_row(const struct roll_page *page, const struct roll_whole *call, int i, int y,
                     FILE *file)
{
    const struct strata_record *record = page->job->ranks[call->made[i].rank].record;
    char label[ROLL_TEXT], time[32];
    struct roll_stay stay;
    snprintf(label, sizeof label, "rank %d%s%.12s", record->rank,
             page->job->hosts > 1 ? " on " : "", page->job->hosts > 1 ? record->host : "");
    put_text(file, &call->made[i] == call->cause ? "last" : "", MARGIN, y + 10, label);
    fprintf(file, "<rect class=\"lane\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n", LEFT, y,
            RIGHT - LEFT, BAR);
    if (!roll_stay_of(call->made[i].call, call->came, &stay)) {
        return;
    }
    draw_bar(call, "waited", stay.begin, stay.until, y, file);
    draw_bar(call, "moved", stay.until, stay.end, y, file);
    put_text(file, "number", RIGHT + 88, y + 10,
             tool_seconds(stay.until - stay.begin, time, sizeof time));
    put_text(file, "number", WIDTH - MARGIN, y + 10,
             tool_seconds(stay.end - stay.until, time, sizeof time));
}

/* Below the rows: 0, the middle and the end. */
static void draw_axis(const struct roll_whole *call, int y, FILE *file)
{
    char time[32];
    const double length = call->end - call->begin;
    for (int i = 0; i <= 2; i++) {
        put_text(file,
                 i == 2   ? "small number"
                 : i == 1 ? "small middle"
                          : "small",
                 LEFT + (RIGHT - LEFT) * i / 2, y + 10,
                 i == 0 ? "0" : tool_seconds(length * i / 2, time, sizeof time));
    }
    if (call->count > MOST_RANKS) {
        snprintf(time, sizeof time, "%d of %d ranks", MOST_RANKS, call->count);
        put_text(file, "small", MARGIN, y + 10, time);
    }
}

static void put_head(const struct roll_page *page, const struct roll_whole *call, int y, FILE *file)
{
    const struct roll_rank *rank = &page->job->ranks[call->made->rank];
    const double began = roll_seconds(&rank->clock, rank->record->stamps[1].ticks);
    char text[ROLL_TEXT], waited[32], after[32];
    put_text(file, "call", MARGIN, y + 12, roll_call_text(call->made->call, text));
    put_text(file, "small", MARGIN, y + 28, roll_cause_text(page->job, call, text));
    snprintf(text, sizeof text, "%s after MPI_Init; waited %s in all",
             tool_seconds(fmax(call->begin - began, 0), after, sizeof after),
             tool_seconds(call->waited, waited, sizeof waited));
    put_text(file, "small number", WIDTH - MARGIN, y + 12, text);
}

static int height_of(const struct roll_whole *call)
{
    return HEAD + ROW * rows_of(call) + AXIS;
}

static void draw_call(const struct roll_page *page, const struct roll_whole *call, int y,
                      FILE *file)
{
    bool chosen[call->count];
    const double came = x_of(call, call->came);
    put_head(page, call, y, file);
    y += HEAD - 8;
    choose_rows(call, chosen);
    for (int i = 0, row = 0; i < call->count; i++) {
        if (chosen[i]) {
            draw_row(page, call, i, y + ROW * row++, file);
        }
    }
    fprintf(file, "<path class=\"came\" d=\"M%.1f %dv%d\"/>\n", came, y - 3, ROW * rows_of(call));
    draw_axis(call, y + ROW * rows_of(call) - 2, file);
}

static void draw_legend(int y, FILE *file)
{
    fprintf(file, "<rect class=\"waited\" x=\"%d\" y=\"%d\" width=\"12\" height=\"12\"/>\n", MARGIN,
            y);
    put_text(file, "small", MARGIN + 18, y + 10, "waited for the last one or the root");
    fprintf(file, "<rect class=\"moved\" x=\"%d\" y=\"%d\" width=\"12\" height=\"12\"/>\n",
            MARGIN + 230, y);
    put_text(file, "small", MARGIN + 248, y + 10, "moved data, or had no core");
    fprintf(file, "<path class=\"came\" d=\"M%d %dv12\"/>\n", MARGIN + 420, y);
    put_text(file, "small", MARGIN + 430, y + 10, "it came");
    put_text(file, "small number", RIGHT + 88, y + 10, "waited");
    put_text(file, "small number", WIDTH - MARGIN, y + 10, "moved");
}

static void put_title(const struct roll_page *page, FILE *file)
{
    const struct strata_record *first = page->job->ranks[0].record;
    const char *slash = strrchr(first->program, '/');
    char text[ROLL_TEXT], waited[32], moved[32];
    snprintf(text, sizeof text, "%.80s on %d rank%s", slash ? slash + 1 : first->program,
             first->ranks, tool_plural(first->ranks));
    put_text(file, "head", MARGIN, MARGIN + 14, text);
    snprintf(text, sizeof text,
             "%d calls that all of their ranks made: ranks waited %s in all; once all had come, "
             "calls took %s",
             page->count, tool_seconds(page->waited, waited, sizeof waited),
             tool_seconds(page->moved, moved, sizeof moved));
    put_text(file, "small", MARGIN, MARGIN + 34, text);
    put_text(file, "small", MARGIN, MARGIN + 50, roll_agreement_text(page->job, text));
    draw_legend(MARGIN + 60, file);
}

/* The parts of the page: the first calls in an order. */
static const struct {
    const char *title;
    int (*order)(const void *, const void *);
} parts[] = {{"The calls in which ranks waited longest", by_waited},
             {"The calls that took longest once all had come", by_moved}};
enum { PARTS = sizeof parts / sizeof *parts };

static int shown(const struct roll_page *page)
{
    return page->count < MOST_CALLS ? page->count : MOST_CALLS;
}

static void draw_part(const struct roll_page *page, int part, int *y, FILE *file)
{
    fprintf(file, "<path class=\"line\" d=\"M%d %dH%d\"/>\n", MARGIN, *y, WIDTH - MARGIN);
    put_text(file, "part", MARGIN, *y + 24, parts[part].title);
    *y += PART;
    for (int i = 0; i < shown(page); i++) {
        draw_call(page, &page->calls[i], *y, file);
        *y += height_of(&page->calls[i]);
    }
}

static void sort(const struct roll_page *page, int part)
{
    qsort(page->calls, (size_t)page->count, sizeof *page->calls, parts[part].order);
}

void roll_page_draw(const struct roll_page *page, FILE *file)
{
    int height = TITLE, y = TITLE;
    for (int part = 0; part < PARTS; part++) {
        sort(page, part);
        height += PART;
        for (int i = 0; i < shown(page); i++) {
            height += height_of(&page->calls[i]);
        }
    }
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
            "height=\"%d\" role=\"img\">\n%s<rect class=\"ground\" width=\"%d\" height=\"%d\"/>\n",
            WIDTH, height, WIDTH, height, style, WIDTH, height);
    put_title(page, file);
    for (int part = 0; part < PARTS; part++) {
        sort(page, part);
        draw_part(page, part, &y, file);
    }
    fprintf(file, "</svg>\n");
}
