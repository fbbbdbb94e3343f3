/* The parser of plan_text.h: a table with a row for each field, in the order of step_kinds.h. */
#include <string.h>

#include "core/base/memory.h"
#include "core/plan/builder.h"
#include "core/text/box_text.h"
#include "core/text/plan_text.h"

#define MOST_WORK ((int64_t)1 << 28)

struct parser {
    struct strata_reader reader;
    struct strata_builder builder;
    struct strata_box *boxes; /* boxes of the set that is being read */
    int nboxes, capacity;
    /* What all repeats around a step multiply, by depth, and the work of the steps so far. */
    int64_t times[STRATA_REPEAT_DEPTH + 1];
    int64_t work;
};

static int32_t read_int32(struct strata_reader *r, int32_t least)
{
    return (int32_t)strata_reader_number(r, least, INT32_MAX);
}

static void add_box(struct parser *p, struct strata_box box)
{
    if (p->nboxes == p->capacity) {
        int capacity = 2 * p->capacity + 4;
        void *boxes = strata_reallocate(p->boxes, (size_t)capacity, sizeof *p->boxes);
        if (!boxes) {
            strata_reader_fail(&p->reader, STRATA_ERR_MEMORY, strata_error_text(STRATA_ERR_MEMORY));
            return;
        }
        p->boxes = boxes;
        p->capacity = capacity;
    }
    p->boxes[p->nboxes++] = box;
}

typedef void read_field(struct parser *p, struct strata_step *step);

static void read_NONE(struct parser *p, struct strata_step *step)
{
    (void)p, (void)step;
}

static void read_LABEL(struct parser *p, struct strata_step *step)
{
    char text[STRATA_LABEL_SIZE] = "";
    strata_reader_quoted(&p->reader, text, sizeof text);
    step->label = strata_build_label(&p->builder, text);
}

static void read_TIMES(struct parser *p, struct strata_step *step)
{
    step->count = strata_reader_accept(&p->reader, "passes") ? 0 : read_int32(&p->reader, 1);
}

static void read_PEER(struct parser *p, struct strata_step *step)
{
    strata_reader_expect(&p->reader, "rank");
    step->peer = read_int32(&p->reader, 0);
}

static void read_MEMBER(struct parser *p, struct strata_step *step)
{
    strata_reader_expect(&p->reader, "member");
    step->peer = read_int32(&p->reader, 0);
}

static void read_MEMBERS(struct parser *p, struct strata_step *step)
{
    static const char *const words[] = {"member", "all"};
    bool all = strata_reader_choose(&p->reader, words, 0, 2, "whom to await") == 1;
    step->peer = all ? STRATA_ALL_MEMBERS : read_int32(&p->reader, 0);
}

static void read_SIGNAL(struct parser *p, struct strata_step *step)
{
    step->count = strata_reader_choose(&p->reader, strata_signal_word, STRATA_SIGNAL_ARRIVED,
                                       STRATA_SIGNALS, "a signal");
}

static void read_LANE(struct parser *p, struct strata_step *step)
{
    if (p->builder.plan->exchange.lanes > 0) {
        strata_reader_expect(&p->reader, "lane");
        step->lane = read_int32(&p->reader, 0);
    }
}

/* Reads the boxes that follow, at least `least` of them. Returns the set's index. */
static int read_boxes(struct parser *p, int least)
{
    p->nboxes = 0;
    if (least > 0) {
        strata_reader_expect(&p->reader, "<");
        add_box(p, strata_box_read(&p->reader));
    }
    while (strata_reader_accept(&p->reader, "<")) {
        add_box(p, strata_box_read(&p->reader));
    }
    return p->reader.error == STRATA_OK ? strata_build_set_of(&p->builder, p->boxes, p->nboxes)
                                        : -1;
}

static void read_set(struct parser *p, struct strata_step *step, int least)
{
    strata_reader_expect(&p->reader, "set");
    step->set = read_boxes(p, least);
    if (strata_reader_accept(&p->reader, "step")) {
        step->set_step = read_int32(&p->reader, INT32_MIN);
    }
}

static void read_RANKS(struct parser *p, struct strata_step *step)
{
    read_set(p, step, 1);
}

static void read_BLOCKS(struct parser *p, struct strata_step *step)
{
    read_set(p, step, 0);
}

static void read_FROM(struct parser *p, struct strata_step *step)
{
    strata_reader_expect(&p->reader, "from");
    step->from = read_boxes(p, 0);
}

static void read_HOW(struct parser *p, struct strata_step *step)
{
    for (int how = STRATA_AS_FITS + 1; how < STRATA_HOWS; how++) {
        if (strata_reader_accept(&p->reader, strata_how_word[how])) {
            step->how = (uint8_t)how;
            return;
        }
    }
}

static void read_OPEN(struct parser *p, struct strata_step *step)
{
    step->count = read_int32(&p->reader, 0);
}

static void read_DIRECT(struct parser *p, struct strata_step *step)
{
    step->direct = strata_reader_accept(&p->reader, "direct");
}

static void read_WORKSHARE(struct parser *p, struct strata_step *step)
{
    step->workshare = strata_reader_accept(&p->reader, "workshare");
}

static read_field *const reading[] = {
#define STRATA_STEP_FIELD_READ(id, reason) [STRATA_HAS_##id] = read_##id,
    STRATA_STEP_FIELD_TABLE(STRATA_STEP_FIELD_READ)
#undef STRATA_STEP_FIELD_READ
};

/* Reports an error of the builder. The mistake is in the line just read. */
static void report_builder(struct parser *p)
{
    int error = p->builder.error == STRATA_ERR_PLAN ? STRATA_ERR_SYNTAX : p->builder.error;
    if (error != STRATA_OK) {
        strata_reader_fail(&p->reader, error, p->builder.reason);
    }
}

/* The product, or MOST_WORK where it is above. */
static int64_t multiply(int64_t a, int64_t b)
{
    return a > 0 && b > MOST_WORK / a ? MOST_WORK : a * b;
}

/* The most blocks that the boxes just read hold. */
static int64_t blocks_read(const struct parser *p)
{
    int64_t blocks = 0;
    for (int i = 0; i < p->nboxes; i++) {
        int64_t box = 1;
        for (int d = 0; d < p->boxes[i].ndims; d++) {
            box = multiply(box, p->boxes[i].dim[d].length);
        }
        blocks = blocks + box < MOST_WORK ? blocks + box : MOST_WORK;
    }
    return blocks;
}

/* Bounds the time of everything that walks the plan, whatever a few words of text ask for. Returns
 * false where it is above the bound. */
static bool count_work(struct parser *p, const struct strata_step *step)
{
    const int depth = p->builder.open; /* of a repeat, that of its end */
    const bool ends = step->op == STRATA_STEP_END;
    if (step->op == STRATA_STEP_REPEAT && depth < STRATA_REPEAT_DEPTH) {
        int count = step->count > 0 ? step->count : p->builder.plan->limits.passes;
        p->times[depth + 1] = multiply(p->times[depth], count);
    }
    int64_t work = multiply(p->times[depth], ends ? 1 : 1 + blocks_read(p));
    p->work = p->work + work < MOST_WORK ? p->work + work : MOST_WORK;
    return p->work < MOST_WORK;
}

static void read_step(struct parser *p)
{
    const char *words[STRATA_STEP_COUNT];
    for (int op = 0; op < STRATA_STEP_COUNT; op++) {
        words[op] = strata_step_word((enum strata_op)op);
    }
    struct strata_step step = {.set = -1};
    p->nboxes = 0;
    step.op = (uint8_t)strata_reader_choose(&p->reader, words, 0, STRATA_STEP_COUNT, "a step");
    for (int i = 0; i < STRATA_STEP_FIELDS; i++) {
        reading[strata_step_kind[step.op].field[i]](p, &step);
    }
    if (!strata_reader_line_over(&p->reader)) {
        strata_reader_expected(&p->reader, "the end of the line");
    }
    if (p->reader.error == STRATA_OK && !count_work(p, &step)) {
        strata_reader_fail(&p->reader, STRATA_ERR_SYNTAX,
                           "the plan has more than 2^28 steps and blocks, with its repeats");
    }
    if (p->reader.error == STRATA_OK) {
        strata_build_step(&p->builder, step);
    }
    report_builder(p);
    strata_reader_end_line(&p->reader);
}

/* Reads the first line. It initialises the builder in any case. */
static void read_plan_line(struct parser *p, const struct strata_topology *topology)
{
    struct strata_reader *r = &p->reader;
    const char *collectives[STRATA_COLLECTIVE_COUNT];
    char name[sizeof p->builder.plan->name] = "none";
    for (int c = 0; c < STRATA_COLLECTIVE_COUNT; c++) {
        collectives[c] = strata_collective_name((enum strata_collective)c);
    }
    strata_reader_find_line(r);
    strata_reader_expect(r, "plan");
    int collective =
        strata_reader_choose(r, collectives, 0, STRATA_COLLECTIVE_COUNT, "a collective");
    strata_reader_token(r, name, sizeof name, "a plan's name");
    strata_reader_expect(r, "rank");
    int rank = (int)strata_reader_number(r, 0, topology->ranks - 1);
    strata_reader_expect(r, "of");
    strata_reader_number(r, topology->ranks, topology->ranks);
    strata_builder_init(&p->builder, (enum strata_collective)collective, name, rank, topology);
    report_builder(p);
    strata_reader_end_line(r);
}

static void read_limits_line(struct parser *p)
{
    struct strata_reader *r = &p->reader;
    struct strata_limits limits;
    strata_reader_find_line(r);
    strata_reader_expect(r, "limits");
    strata_reader_expect(r, "threshold");
    limits.threshold = strata_reader_size(r);
    strata_reader_expect(r, "slice");
    limits.slice = strata_reader_size(r);
    strata_reader_expect(r, "passes");
    limits.passes = read_int32(r, 1);
    if (r->error == STRATA_OK) {
        strata_build_limits(&p->builder, limits);
    }
    report_builder(p);
    strata_reader_end_line(r);
}

static void read_exchange_line(struct parser *p)
{
    static const char *const words[] = {"flat", "staged"};
    struct strata_reader *r = &p->reader;
    struct strata_exchange exchange;
    strata_reader_find_line(r);
    strata_reader_expect(r, "exchange");
    strata_reader_expect(r, "lanes");
    exchange.lanes = read_int32(r, 0);
    exchange.staged = strata_reader_choose(r, words, 0, 2, "how items come") == 1;
    strata_reader_expect(r, "items");
    exchange.lane_items = strata_reader_number(r, 0, INT64_MAX);
    strata_reader_expect(r, "messages");
    exchange.lane_messages = strata_reader_number(r, 0, INT64_MAX);
    exchange.exposes = strata_reader_accept(r, "lends");
    if (r->error == STRATA_OK) {
        strata_build_exchange(&p->builder, exchange);
    }
    strata_reader_end_line(r);
}

/* Reads the line that only plans over blocks have. */
static void read_blocks_line(struct parser *p)
{
    struct strata_reader *r = &p->reader;
    struct strata_blocks blocks = {0};
    if (r->error != STRATA_OK || !strata_reader_find_line(r) ||
        !strata_reader_accept(r, "blocks")) {
        return;
    }
    blocks.count = read_int32(r, 1);
    strata_reader_expect(r, "root");
    int root =
        (int)strata_reader_number(r, 0, p->builder.plan ? p->builder.plan->topology->ranks - 1 : 0);
    strata_reader_expect(r, "work");
    blocks.work = read_int32(r, 0);
    strata_reader_expect(r, "first");
    blocks.work_first = read_int32(r, 0);
    blocks.work_alike = strata_reader_accept(r, "alike");
    blocks.slot = strata_reader_accept(r, "slot") ? read_int32(r, 1) : 0;
    blocks.ring = strata_reader_accept(r, "small")    ? STRATA_SMALL_RING
                  : strata_reader_accept(r, "middle") ? STRATA_MIDDLE_RING
                                                      : STRATA_LARGE_RING;
    blocks.shared = strata_reader_accept(r, "shared");
    blocks.exposes = strata_reader_accept(r, "lends_input") ? STRATA_EXPOSES_INPUT : 0;
    blocks.exposes |= strata_reader_accept(r, "lends_work") ? STRATA_EXPOSES_WORK : 0;
    blocks.by_position = strata_reader_accept(r, "by_position");
    blocks.keeps_input = strata_reader_accept(r, "keeps_input");
    blocks.once = strata_reader_accept(r, "once");
    bool ordered = strata_reader_accept(r, "ordered");
    bool left_fold = strata_reader_accept(r, "left_fold");
    if (r->error == STRATA_OK) {
        p->builder.plan->root = root;
        p->builder.plan->keeps_order = ordered;
        p->builder.plan->left_fold = left_fold;
        strata_build_blocks(&p->builder, blocks);
    }
    report_builder(p);
    strata_reader_end_line(r);
}

int strata_plan_parse(const char *text, const struct strata_topology *topology,
                      struct strata_plan **plan, struct strata_diagnostic *message)
{
    struct parser p = {.times = {1}};
    struct strata_plan *built = NULL;
    strata_reader_begin(&p.reader, text, message);
    read_plan_line(&p, topology);
    read_limits_line(&p);
    read_exchange_line(&p);
    read_blocks_line(&p);
    while (p.reader.error == STRATA_OK && strata_reader_find_line(&p.reader)) {
        read_step(&p);
    }
    strata_builder_finish(&p.builder, &built);
    report_builder(&p);
    strata_release(p.boxes);
    if (p.reader.error != STRATA_OK) {
        strata_plan_destroy(built);
        return p.reader.error;
    }
    *plan = built;
    return STRATA_OK;
}
