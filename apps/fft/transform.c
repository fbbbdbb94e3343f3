/* Creates a transform of up to three stages. A stage transforms the axes that are whole there, and
 * an exchange leads to the next stage. execute.c runs them. */
#include "apps/fft/transform.h"

#include <limits.h>
#include <stdlib.h>

#include "apps/common/collect.h"
#include "apps/fft/state.h"
#include "include/strata.h"

/* Where no ranks exchange, the next cut is the same and its axis is already whole. */
static void plan_stages(struct fft *fft)
{
    const int *n = fft->setup.n, *grid = fft->setup.grid;
    const struct {
        enum fft_cut cut;
        int axis;
        bool another;
    } steps[FFT_CUTS] = {{FFT_CUT_SPACE, 2, true},
                         {FFT_CUT_BETWEEN, 1, grid[1] > 1},
                         {FFT_CUT_SPECTRUM, 0, grid[0] > 1}};
    for (int i = 0; i < FFT_CUTS; i++) {
        if (steps[i].another) {
            struct fft_local_transform *t = &fft->stage[fft->stages++].transform;
            t->box = fft_rank_box(n, steps[i].cut, grid, fft->place);
            t->part = t->box;
            t->threads = fft->setup.threads;
            t->last = steps[i].axis;
        }
        fft->stage[fft->stages - 1].transform.first = steps[i].axis;
    }
}

/* With two stages the exchange ends in the work array, and the last transform brings the field
 * back. All other transforms are in place. */
static int plan_local(struct fft *fft)
{
    for (int s = 0; s < fft->stages; s++) {
        for (enum direction d = FORWARD; d < DIRECTIONS; d++) {
            bool back = fft->stages == 2 && s == (d == FORWARD);
            fftw_plan plan = fft_local_plan(&fft->stage[s].transform,
                                            d == FORWARD ? FFTW_FORWARD : FFTW_BACKWARD,
                                            fft->work[0], fft->work[back], &fft->setup);
            if (!plan) {
                return MPI_ERR_NO_MEM;
            }
            fft->stage[s].plan[d] = plan;
        }
    }
    return MPI_SUCCESS;
}

/* Plans the exchange as a whole. For nonblocking calls it also plans the pieces of both
 * directions. */
static int plan_ends(struct fft *fft, int gap, struct fft_remap_ends ends, MPI_Comm line,
                     struct fft_box *parts)
{
    const struct fft_remap_ends back = {.boxes = {ends.boxes[1], ends.boxes[0]},
                                        .whole = {ends.whole[1], ends.whole[0]},
                                        .rank = ends.rank,
                                        .ranks = ends.ranks};
    int code = fft_remap_create(&fft->remap[gap], &ends, line, fft->setup.threads);
    fft->remap[gap].team = fft->team;
    if (!code && fft->setup.calls == FFT_NONBLOCKING) {
        code = fft_pieces_plan(fft, gap, FORWARD, ends, parts);
        code = code ? code : fft_pieces_plan(fft, gap, INVERSE, back, parts);
    }
    return code;
}

/* Rank i of a row has column i, and rank i of a column has row i. */
static int plan_exchange(struct fft *fft, int gap, enum fft_cut cut, MPI_Comm line)
{
    const int along = line == fft->row, ranks = fft->setup.grid[along], rank = fft->place[along];
    int place[2] = {fft->place[0], fft->place[1]};
    if (line == MPI_COMM_NULL) {
        return MPI_SUCCESS;
    }
    struct fft_box *before = malloc(3 * (size_t)ranks * sizeof *before), *after = before + ranks;
    if (!before) {
        return MPI_ERR_NO_MEM;
    }
    for (int i = 0; i < ranks; i++) {
        place[along] = i;
        before[i] = fft_rank_box(fft->setup.n, cut, fft->setup.grid, place);
        after[i] = fft_rank_box(fft->setup.n, cut + 1, fft->setup.grid, place);
    }
    const struct fft_remap_ends ends = {
        {before, after}, {before[rank], after[rank]}, {0, 0}, rank, ranks};
    int code = plan_ends(fft, gap, ends, line, after + ranks);
    free(before);
    return code;
}

/* Attaches row and column, so that plans serve the first call, which may be nonblocking; those of
 * members are. Collective. */
static int attach(const struct fft *fft)
{
    int code = MPI_SUCCESS;
    if (fft->setup.members) {
        return code;
    }
    if (fft->setup.calls != FFT_BLOCKING && fft->row != MPI_COMM_NULL) {
        code = strata_comm_attach(fft->row, NULL);
    }
    if (fft->setup.calls != FFT_BLOCKING && fft->column != MPI_COMM_NULL && !code) {
        code = strata_comm_attach(fft->column, NULL);
    }
    return code;
}

static void split(struct fft *fft, MPI_Comm comm)
{
    int rank, ranks, *place = fft->place;
    const int *grid = fft->setup.grid;
    app_place(comm, fft->setup.members, &rank, &ranks);
    place[0] = rank / grid[1];
    place[1] = rank % grid[1];
    if (fft->setup.members) { /* slabs: all are one column */
        fft->row = MPI_COMM_NULL;
        fft->column = ranks > 1 ? comm : MPI_COMM_NULL;
        return;
    }
    MPI_Comm_split(comm, grid[1] > 1 ? place[0] : MPI_UNDEFINED, place[1], &fft->row);
    MPI_Comm_split(comm, grid[0] > 1 ? place[1] : MPI_UNDEFINED, place[0], &fft->column);
}

static int build(struct fft *fft)
{
    if (fft->setup.team && strata_team_create(fft->setup.threads, &fft->team) != MPI_SUCCESS) {
        return MPI_ERR_NO_MEM;
    }
    plan_stages(fft);
    fft->work[0] = fft_alloc(fft);
    fft->work[1] = fft_alloc(fft);
    bool arriving = fft->setup.calls == FFT_NONBLOCKING;
    fft->work[2] = arriving ? fft_alloc(fft) : NULL;
    if (!fft->work[0] || !fft->work[1] || (arriving && !fft->work[2]) || !fft_local_begin()) {
        return MPI_ERR_NO_MEM;
    }
    int code = plan_local(fft);
    if (!code) {
        code = plan_exchange(fft, 0, FFT_CUT_SPACE, fft->row);
    }
    if (!code) {
        code = plan_exchange(fft, fft->stages > 2, FFT_CUT_BETWEEN, fft->column);
    }
    return code;
}

static int check(const struct fft_setup *setup, MPI_Comm comm)
{
    int rank, ranks;
    app_place(comm, setup->members, &rank, &ranks);
    if (!fft_grid_fits(setup->n, setup->grid) || (setup->members && setup->grid[1] > 1) ||
        (long long)setup->grid[0] * setup->grid[1] != ranks) {
        return MPI_ERR_DIMS;
    }
    return fft_elements(setup->n, setup->grid) > INT_MAX ? MPI_ERR_COUNT : MPI_SUCCESS;
}

int fft_create(struct fft **fft, const struct fft_setup *setup, MPI_Comm comm)
{
    *fft = NULL;
    int code = check(setup, comm);
    if (code) {
        return code;
    }
    struct fft *new = calloc(1, sizeof *new);
    int fine = new != NULL;
    app_collect(comm, setup->members, &fine, 1, MPI_INT, MPI_MIN);
    if (!fine || !new) {
        free(new);
        return MPI_ERR_NO_MEM;
    }
    new->setup = *setup;
    new->comm = comm;
    new->capacity = (size_t)fft_elements(setup->n, setup->grid);
    split(new, comm);
    code = build(new);
    int attached = attach(new);
    code = code ? code : attached;
    app_collect(comm, setup->members, &code, 1, MPI_INT, MPI_MAX);
    if (code) {
        fft_destroy(new);
        return code;
    }
    *fft = new;
    return MPI_SUCCESS;
}

static void forget_plan(fftw_plan plan)
{
    if (plan) {
        fft_local_forget(plan);
    }
}

void fft_destroy(struct fft *fft)
{
    if (!fft) {
        return;
    }
    for (enum direction d = FORWARD; d < DIRECTIONS; d++) {
        for (int s = 0; s < fft->stages; s++) {
            forget_plan(fft->stage[s].plan[d]);
        }
        forget_plan(fft->transpose[d]);
    }
    fft_pieces_destroy(fft);
    fft_remap_destroy(&fft->remap[0]);
    fft_remap_destroy(&fft->remap[1]);
    strata_team_free(&fft->team);
    fft_free(fft, fft->work[0]);
    fft_free(fft, fft->work[1]);
    fft_free(fft, fft->work[2]);
    if (fft->row != MPI_COMM_NULL) {
        MPI_Comm_free(&fft->row);
    }
    if (fft->column != MPI_COMM_NULL && !fft->setup.members) {
        MPI_Comm_free(&fft->column);
    }
    free(fft);
}
