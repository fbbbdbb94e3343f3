/* What `strata tune calls --for` times: the collectives and sizes of records that are made up. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tools/rollcall/rollcall.h"
#include "tools/tune/tune.h"

enum { RANKS = 8, BYTE = 1, TICKS = 1000, SECOND = 1000000000 };

static struct strata_record *records; /* of a job */
static struct tool_cell cells[TOOL_TUNE_CELLS];
static char folder[] = "/tmp/strata.cells.XXXXXX";

static int make(void **state)
{
    (void)state;
    records = calloc(RANKS, sizeof *records);
    return records && mkdtemp(folder) ? 0 : -1;
}

static int release(void **state)
{
    (void)state;
    free(records);
    return rmdir(folder);
}

/* A job of so many hosts, none of whose ranks has called anything. */
static void begin(int hosts)
{
    memset(records, 0, RANKS * sizeof *records);
    for (int i = 0; i < RANKS; i++) {
        struct strata_record *r = &records[i];
        memcpy(r->magic, STRATA_RECORD_MAGIC, sizeof STRATA_RECORD_MAGIC);
        r->bytes = sizeof *r;
        r->job = 1;
        r->rank = i;
        r->ranks = RANKS;
        r->next = r->ended = 1;
        for (int k = 0; k < 3; k++) { /* of 1 ns each, from 1 s on */
            r->stamps[k] =
                (struct strata_record_stamp){(uint64_t)k * SECOND, (k + 1) * (int64_t)SECOND};
        }
        r->communicators = 2;
        r->type_bytes[BYTE] = 1;
        r->communicator[1] = (struct strata_record_communicator){
            .identity = 1, .turn = 1, .ranks = RANKS, .members = UINT32_MAX};
        snprintf(r->host, sizeof r->host, "host%d", i * hosts / RANKS);
    }
}

/* The rank's next call, which lasts for TICKS. */
static void put(int rank, int kind, uint64_t count)
{
    struct strata_record *r = &records[rank];
    struct strata_record_entry *e = &r->entry[r->next % STRATA_RECORD_ENTRIES];
    e->number = e->order = r->next++;
    e->begin = TICKS * e->number;
    e->end = e->begin + TICKS;
    e->what = STRATA_RECORD_WHAT(1, kind, BYTE, 0);
    e->count = count;
    e->root = -1;
}

static void put_all(int kind, const uint64_t counts[RANKS])
{
    for (int i = 0; i < RANKS; i++) {
        put(i, kind, counts[i]);
    }
}

/* Reads what the first so many ranks have written. */
static int read_cells(int ranks)
{
    char path[64];
    for (int i = 0; i < ranks; i++) {
        snprintf(path, sizeof path, "%s/" STRATA_RECORD_PREFIX "%d", folder, i);
        const int file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
        assert_int_equal(write(file, &records[i], sizeof *records), sizeof *records);
        close(file);
    }
    const int count = tool_cells_of_record(folder, cells);
    for (int i = 0; i < ranks; i++) {
        snprintf(path, sizeof path, "%s/" STRATA_RECORD_PREFIX "%d", folder, i);
        unlink(path);
    }
    return count;
}

/* One call is timed, with these bytes; 0: none is. */
static void must_time(enum strata_collective collective, const uint64_t counts[RANKS],
                      int64_t bytes)
{
    begin(1);
    put_all((int)collective, counts);
    assert_int_equal(read_cells(RANKS), bytes > 0);
    if (bytes > 0) {
        assert_int_equal(cells->collective, collective);
        assert_int_equal(cells->bytes, bytes);
    }
}

#define EACH(n)                                                                                    \
    (const uint64_t[])                                                                             \
    {                                                                                              \
        n, n, n, n, n, n, n, n                                                                     \
    }

/* Bytes of one length are rounded up; of several ones the mean is rounded down, as the table's. */
static void test_bytes(void **state)
{
    (void)state;
    must_time(STRATA_ALLTOALL, EACH(100), 128);
    must_time(STRATA_ALLREDUCE, EACH(100), 128);
    must_time(STRATA_ALLTOALLV, EACH(100), 64);
    must_time(STRATA_ALLTOALLW, EACH(128), 128);
    must_time(STRATA_REDUCE_SCATTER, EACH(127), 64);
    must_time(STRATA_REDUCE_SCATTER, EACH(1), 1);
    must_time(STRATA_BCAST, EACH(0), 0);
    must_time(STRATA_ALLTOALLV, EACH(0), 0); /* as in a file of an earlier release */
}

/* Ranks of one call do not count as calls of several sizes. */
static void test_joined(void **state)
{
    static const uint64_t rising[RANKS] = {1, 2, 3, 4, 5, 6, 7, 100};
    (void)state;
    must_time(STRATA_ALLTOALLV, rising, 64);  /* of the busiest rank */
    must_time(STRATA_ALLGATHERV, rising, 16); /* 128 B are the blocks of all */
    must_time(STRATA_GATHERV, rising, 16);
}

/* Of several hosts the busiest one counts, also where one has kept its records alone. */
static void test_hosts(void **state)
{
    static const uint64_t rising[RANKS] = {1, 2, 3, 4, 16, 16, 64, 40};
    (void)state;
    begin(2);
    for (int i = 0; i < RANKS; i++) {
        records[i].ranks_here = RANKS / 2;
    }
    put_all(STRATA_ALLTOALLV, rising);
    assert_int_equal(read_cells(RANKS), 1);
    assert_int_equal(cells->bytes, 32); /* (16 + 16 + 64 + 40) / 4 */
    assert_int_equal(read_cells(RANKS / 2), 1);
    assert_int_equal(cells->bytes, 2);
    assert_int_equal(read_cells(RANKS - 2), 1); /* 16 of each of the second host's four */
    assert_int_equal(cells->bytes, 16);
}

/* Where a rank's file lacks, the job is on one host all the same. */
static void test_lacking(void **state)
{
    static const uint64_t most[RANKS] = {1, 2, 3, 4, 5, 100, 6, 7};
    (void)state;
    begin(1);
    for (int i = 0; i < RANKS; i++) {
        records[i].ranks_here = RANKS;
    }
    put_all(STRATA_ALLTOALLV, most);
    assert_int_equal(read_cells(RANKS - 1), 1);
    assert_int_equal(cells->bytes, 64);
}

/* Calls that fewer than half of the ranks have kept, or have left, say nothing. */
static void test_parts(void **state)
{
    (void)state;
    begin(1);
    put_all(STRATA_BARRIER, EACH(0));
    for (int i = 0; i < RANKS / 2; i++) {
        put(i, STRATA_ALLTOALLV, 64);
    }
    assert_int_equal(read_cells(RANKS), 2);
    for (int i = 0; i < RANKS; i++) { /* rank 0 does not keep it */
        records[i].next -= i == 0;
        records[i].communicator[1].since = i == 0 ? 3 : 0;
    }
    assert_int_equal(read_cells(RANKS), 1);
    assert_int_equal(cells->collective, STRATA_BARRIER);
}

static void test_weights(void **state)
{
    (void)state;
    begin(1);
    put_all(STRATA_ALLTOALLV, EACH(64));
    put_all(STRATA_ALLTOALLV, EACH(100));
    put_all(STRATA_BARRIER, EACH(0));
    assert_int_equal(read_cells(RANKS), 2);
    assert_int_equal(cells->collective, STRATA_ALLTOALLV);
    assert_true(cells[0].weight > 1.99 * cells[1].weight);
    assert_true(cells[0].weight < 2.01 * cells[1].weight);
}

/* What is judged is the most of all ranks, each of which may be another one's. */
static void test_shapes(void **state)
{
    (void)state;
    begin(1);
    put_all(STRATA_ALLTOALLV, EACH(64));
    for (int i = 0; i < RANKS; i++) { /* longest and received in buckets: 7 is of 64 B */
        records[i].entry[1].what |= STRATA_RECORD_LENGTHS(i == 2 ? 10 : 7, i == 5 ? 9 : 7, i % 3);
    }
    assert_int_equal(read_cells(RANKS), 1);
    assert_int_equal(cells->pattern, STRATA_PATTERNS);
    assert_int_equal(cells->shape.bytes, 64);
    assert_int_equal(cells->shape.blocks, STRATA_SPARSE);
    assert_int_equal(cells->shape.ratio, 3);
    assert_int_equal(cells->shape.received, 2);
    assert_int_equal(cells->shape.degree, 2);
    records[6].entry[1].what |= STRATA_RECORD_LENGTHS(7, 7, STRATA_RECORD_MANY);
    assert_int_equal(read_cells(RANKS), 1);
    assert_int_equal(cells->shape.blocks, STRATA_UNEVEN);
    /* few of 8 ranks are 3 at most, of which the record says 4 */
    records[6].entry[1].what = records[0].entry[1].what;
    records[3].entry[1].what |= STRATA_RECORD_LENGTHS(0, 0, 3);
    assert_int_equal(read_cells(RANKS), 1);
    assert_int_equal(cells->shape.blocks, STRATA_SPARSE);
}

/* Calls of one size with blocks of other kinds are cells of their own. */
static void test_kinds(void **state)
{
    (void)state;
    begin(1);
    put_all(STRATA_REDUCE_SCATTER, EACH(64));
    put_all(STRATA_REDUCE_SCATTER, EACH(64));
    put_all(STRATA_REDUCE_SCATTER, EACH(64));
    for (int i = 0; i < RANKS; i++) {
        for (int k = 1; k <= 3; k++) {
            records[i].entry[k].what |= STRATA_RECORD_LENGTHS(k == 2 ? 10 : 7, 0, 0);
        }
    }
    assert_int_equal(read_cells(RANKS), 2);
    assert_true(cells[0].shape.blocks == STRATA_EVEN && cells[1].shape.blocks == STRATA_UNEVEN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes),  cmocka_unit_test(test_joined),
        cmocka_unit_test(test_hosts),  cmocka_unit_test(test_lacking),
        cmocka_unit_test(test_parts),  cmocka_unit_test(test_weights),
        cmocka_unit_test(test_shapes), cmocka_unit_test(test_kinds)};
    return cmocka_run_group_tests(tests, make, release);
}
