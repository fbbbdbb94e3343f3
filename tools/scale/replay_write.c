/* Writes plans as SimGrid's time-independent traces, node by node, so that memory holds the plans
 * of only one node.
 *
 * One file has the traces of all ranks. With a file for each rank smpirun would keep all files
 * open, and a process may not open that many. */
#include <stdlib.h>

#include "core/base/memory.h"
#include "sim/trace/trace.h"
#include "tools/command/words.h"
#include "tools/scale/replay.h"

struct writing {
    FILE *file;
    const struct tool_plan_case *c;
    const struct tool_platform *platform;
    struct tool_trace_totals *totals;
    bool again;
    int rank;
};

static void count(struct writing *w, const struct strata_event *e)
{
    const int *node_of = w->c->topology->node_of;
    struct tool_trace_totals *t = w->totals;
    t->actions++;
    if (e->kind == STRATA_EVENT_SEND) {
        bool near = node_of[e->peer] == node_of[w->rank];
        *(near ? &t->messages_node : &t->messages) += 1;
        *(near ? &t->bytes_node : &t->bytes) += e->bytes;
    }
    t->signals += e->kind == STRATA_EVENT_SIGNAL;
    t->copied += e->kind == STRATA_EVENT_COPY ? e->bytes : 0;
}

static void write_work(const struct writing *w, double seconds)
{
    if (seconds > 0) {
        fprintf(w->file, "%d sleep %.9g\n", w->rank, seconds);
    }
}

/* Writes one event. Only signals are messages of 0 bytes, which cost no processor time
 * (replay_run.c); other messages have at least 1 byte. A signal is received with 1 byte, because
 * SimGrid would first look for the message of a receive of 0 bytes. */
static int write_event(void *self, const struct strata_event *e)
{
    struct writing *w = self;
    const struct tool_platform *p = w->platform;
    int r = w->rank;
    double bytes = e->bytes < 1 ? 1 : e->bytes;
    count(w, e);
    switch (e->kind) {
    case STRATA_EVENT_RECV:
        fprintf(w->file, "%d irecv %d %d %.0f\n", r, e->peer, e->tag, bytes);
        break;
    case STRATA_EVENT_SEND:
        fprintf(w->file, "%d isend %d %d %.0f\n", r, e->peer, e->tag, bytes);
        break;
    case STRATA_EVENT_WAIT_RECV:
        fprintf(w->file, "%d wait %d %d %d\n", r, e->peer, r, e->tag);
        break;
    case STRATA_EVENT_WAIT_SEND:
        fprintf(w->file, "%d wait %d %d %d\n", r, r, e->peer, e->tag);
        break;
    case STRATA_EVENT_SIGNAL:
        fprintf(w->file, "%d send %d %d 0\n", r, e->peer, e->tag);
        break;
    case STRATA_EVENT_AWAIT:
        fprintf(w->file, "%d irecv %d %d 1\n", r, e->peer, e->tag);
        break;
    case STRATA_EVENT_SEEN:
        fprintf(w->file, "%d wait %d %d %d\n", r, e->peer, r, e->tag);
        write_work(w, e->pieces * p->flag);
        break;
    case STRATA_EVENT_COPY:
        write_work(w, e->bytes * p->copy + e->pieces * p->copy_block);
        break;
    case STRATA_EVENT_COMBINE: /* a program that runs in the simulator is not charged either */
        break;
    }
    return STRATA_OK;
}

/* The members of one node, their plans, and their signals. */
struct peers {
    struct strata_plan **plan;
    /* [members][members]: whose signals a member awaits, and who awaits a member's signals. */
    unsigned char *awaited, *readers;
    int members;
};

static void fill_readers(struct peers *m)
{
    for (int reader = 0; reader < m->members; reader++) {
        unsigned char *awaited = m->awaited + (size_t)reader * (size_t)m->members;
        if (m->plan[reader]->topology->ranks == m->plan[reader]->topology->nodes) {
            continue; /* a flat plan: every rank has a node of its own */
        }
        strata_plan_awaits(m->plan[reader], awaited);
        for (int i = 0; i < m->members; i++) {
            m->readers[(size_t)i * (size_t)m->members + (size_t)reader] = awaited[i];
        }
    }
}

static int trace_rank(struct writing *w, const struct tool_plan_request *request,
                      const struct peers *m, int member)
{
    const struct strata_plan *plan = m->plan[member];
    struct strata_trace trace = {.plan = plan,
                                 .nodes = w->c->topology,
                                 .bytes = (size_t)request->block_bytes,
                                 .again = w->again,
                                 .readers = m->readers + (size_t)member * (size_t)m->members,
                                 .take = write_event,
                                 .self = w};
    w->rank = plan->rank;
    fprintf(w->file, "%d init\n", w->rank);
    int error = strata_trace_run(&trace);
    fprintf(w->file, "%d finalize\n", w->rank);
    if (error) {
        tool_complain(request->command, "%s",
                      error == STRATA_ERR_UNSUPPORTED
                          ? "MPI's own collective has no plan to replay; name an algorithm of "
                            "`strata list` with --algo"
                          : strata_error_text(error));
    }
    return !error ? TOOL_OK : error == STRATA_ERR_UNSUPPORTED ? TOOL_WRONG_USE : TOOL_FAILED;
}

static int trace_node(struct writing *w, struct tool_plan_case *c,
                      const struct tool_plan_request *request, struct peers *m, int node)
{
    int code = TOOL_OK, built = 0;
    m->members = strata_topology_node_size(c->topology, node);
    for (; built < m->members && code == TOOL_OK; built++) {
        int rank = strata_topology_rank(c->topology, node, built);
        m->plan[built] = NULL;
        code = tool_plan_of(c, request, rank, &m->plan[built]);
    }
    if (code == TOOL_OK) {
        fill_readers(m);
    }
    for (int i = 0; i < m->members && code == TOOL_OK; i++) {
        code = trace_rank(w, request, m, i);
    }
    for (int i = 0; i < built; i++) {
        strata_plan_destroy(m->plan[i]);
    }
    return code;
}

static FILE *create(const struct tool_replay_folder *folder, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder->path, name);
    return fopen(path, "w");
}

/* Writes the host of each rank; node i is the i-th host of the platform's file. */
static bool write_hosts(const struct tool_replay_folder *folder, const struct tool_plan_case *c,
                        const struct tool_platform *platform)
{
    FILE *hosts = create(folder, "hosts"), *list = create(folder, "list");
    char name[200];
    for (int r = 0; hosts && r < c->topology->ranks; r++) {
        tool_platform_host(platform, c->topology->node_of[r], name, sizeof name);
        fprintf(hosts, "%s\n", name);
    }
    if (list) {
        fprintf(list, "%s/trace\n", folder->path);
    }
    bool right = hosts && list && !ferror(hosts) && !ferror(list);
    right = (!hosts || fclose(hosts) == 0) && right;
    return (!list || fclose(list) == 0) && right;
}

static int trace_all(struct writing *w, struct tool_plan_case *c,
                     const struct tool_plan_request *request)
{
    size_t largest = (size_t)c->topology->largest;
    struct peers m = {.plan = strata_allocate(largest, sizeof(struct strata_plan *)),
                      .awaited = strata_allocate(largest * largest, 1),
                      .readers = strata_allocate(largest * largest, 1)};
    int code = m.plan && m.awaited && m.readers ? TOOL_OK : TOOL_FAILED;
    if (code != TOOL_OK) {
        tool_complain(request->command, "%s", strata_error_text(STRATA_ERR_MEMORY));
    }
    for (int n = 0; n < c->topology->nodes && code == TOOL_OK && !tool_replay_interrupted(); n++) {
        code = trace_node(w, c, request, &m, n);
    }
    strata_release(m.plan);
    strata_release(m.awaited);
    strata_release(m.readers);
    return code;
}

int tool_replay_write(const struct tool_replay_folder *folder, struct tool_plan_case *c,
                      const struct tool_plan_request *request, const struct tool_platform *platform,
                      bool again, struct tool_trace_totals *totals)
{
    if (platform->hosts < c->topology->nodes) {
        tool_complain(request->command, "%s has %d hosts, but there are %d nodes", platform->name,
                      platform->hosts, c->topology->nodes);
        return TOOL_WRONG_USE;
    }
    struct writing w = {.file = create(folder, "trace"),
                        .c = c,
                        .platform = platform,
                        .totals = totals,
                        .again = again};
    *totals = (struct tool_trace_totals){.actions = 0};
    int code = w.file ? trace_all(&w, c, request) : TOOL_FAILED;
    bool right = w.file && !ferror(w.file);
    right = (!w.file || fclose(w.file) == 0) && right;
    right = write_hosts(folder, c, platform) && right;
    if (!right) {
        tool_complain(request->command, "%s: traces cannot be written there", folder->path);
        return TOOL_FAILED;
    }
    return code;
}
