#include "core/text/box_text.h"

#include <inttypes.h>

#define ITEMS_WIDTH 60 /* printed items stop after about so many characters */

static void print_dim(const struct strata_dim *d, FILE *file)
{
    fprintf(file, "%" PRId32, d->start);
    if (d->length != 1) {
        fprintf(file, "..%" PRId64, (int64_t)d->start + d->length - 1);
    }
    if (d->extent) {
        fprintf(file, "%%%" PRId32, d->extent);
    }
    if (d->stride != 1) {
        fprintf(file, "*%" PRId32, d->stride);
    }
}

void strata_box_print(const struct strata_box *box, FILE *file)
{
    for (int d = 0; d < box->ndims; d++) {
        fputs(d == 0 ? "<" : " + ", file);
        if (d == 0 && box->store != STRATA_ITEMS) {
            fprintf(file, "%s ", strata_store_word((enum strata_store)box->store));
        }
        print_dim(&box->dim[d], file);
    }
    if (box->limit != box->space) {
        fprintf(file, " below %" PRId32, box->limit);
    }
    if (box->down) {
        fputs(" down", file);
    }
    if (box->origin != 0) {
        fprintf(file, " from %" PRId32, box->origin);
    }
    fprintf(file, " of %" PRId32 ">", box->space);
}

void strata_set_print_items(struct strata_set set, FILE *file)
{
    struct strata_set_iterator it;
    struct strata_run run;
    int width = 0;
    int32_t store = STRATA_ITEMS;
    strata_set_begin(&it, set);
    while (strata_set_next(&it, &run)) {
        if (width > ITEMS_WIDTH) {
            fputs(" ...", file);
            return;
        }
        if (run.store != store && run.store != STRATA_ITEMS) {
            width += fprintf(file, " %s", strata_store_word((enum strata_store)run.store));
            store = run.store;
        }
        width += fprintf(file, " %" PRId32, run.first);
        if (run.count > 1) {
            width += fprintf(file, run.count == 2 ? " %" PRId32 : "-%" PRId32,
                             run.first + run.count - 1);
        }
    }
}

static int32_t read_int32(struct strata_reader *r, int32_t least)
{
    return (int32_t)strata_reader_number(r, least, INT32_MAX);
}

static struct strata_dim read_dim(struct strata_reader *r)
{
    struct strata_dim dim = {.start = read_int32(r, 0), .length = 1, .stride = 1};
    if (strata_reader_accept(r, "..")) {
        int64_t before = (int64_t)dim.start - 1;
        dim.length = (int32_t)(strata_reader_number(r, before, before + INT32_MAX) - before);
    }
    if (strata_reader_accept(r, "%")) {
        dim.extent = read_int32(r, 1);
    }
    if (strata_reader_accept(r, "*")) {
        dim.stride = read_int32(r, 1);
    }
    return dim;
}

static int16_t read_store(struct strata_reader *r)
{
    for (int store = STRATA_ITEMS + 1; store < STRATA_STORE_COUNT; store++) {
        if (strata_reader_accept(r, strata_store_word((enum strata_store)store))) {
            return (int16_t)store;
        }
    }
    return STRATA_ITEMS;
}

struct strata_box strata_box_read(struct strata_reader *r)
{
    struct strata_box box = {.store = read_store(r)};
    do {
        box.dim[box.ndims++] = read_dim(r);
    } while (box.ndims < STRATA_BOX_DIMS && strata_reader_accept(r, "+"));
    int32_t limit = strata_reader_accept(r, "below") ? read_int32(r, 0) : -1;
    box.down = strata_reader_accept(r, "down");
    box.origin = strata_reader_accept(r, "from") ? read_int32(r, 0) : 0;
    strata_reader_expect(r, "of");
    box.space = read_int32(r, 1);
    box.limit = limit < 0 ? box.space : limit;
    strata_reader_expect(r, ">");
    return box;
}
