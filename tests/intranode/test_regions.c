/* Regions of shared memory: first fit, alignment, joining, users, and memory that the system cannot
 * provide, advice on its pages, and a process that dies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/error.h"
#include "intranode/backing.h"
#include "intranode/regions.h"
#include "tests/assert_cmp.h"
#include "tests/random.h"

enum { BYTES = 1 << 16 };

static struct strata_regions *open_regions(size_t bytes)
{
    size_t all = strata_regions_bytes(bytes);
    void *head = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ASSERT_CMP(head, !=, MAP_FAILED);
    assert_int_equal(strata_regions_init(head, bytes), STRATA_OK);
    return head;
}

static void close_regions(struct strata_regions *head, size_t bytes)
{
    munmap(head, strata_regions_bytes(bytes));
}

static void test_whole(void **state)
{
    (void)state;
    struct strata_regions *head = open_regions(BYTES);
    uint64_t offset, other;
    assert_int_equal(strata_regions_largest(head), BYTES);
    assert_int_equal(strata_regions_take(head, BYTES + 1, 0, 1, NULL, &offset),
                     STRATA_ERR_CAPACITY);
    assert_int_equal(strata_regions_take(head, SIZE_MAX, 0, 1, NULL, &offset), STRATA_ERR_CAPACITY);
    assert_int_equal(strata_regions_take(head, BYTES, BYTES, 1, NULL, &offset), STRATA_OK);
    assert_int_equal(strata_regions_largest(head), 0);
    assert_int_equal(strata_regions_take(head, 1, 0, 1, NULL, &other), STRATA_ERR_CAPACITY);
    strata_regions_drop(head, offset);
    assert_int_equal(strata_regions_largest(head), BYTES);
    close_regions(head, BYTES);
}

static void test_users(void **state)
{
    (void)state;
    struct strata_regions *head = open_regions(BYTES);
    uint64_t offset;
    assert_int_equal(strata_regions_take(head, 1000, 0, 3, NULL, &offset), STRATA_OK);
    for (int user = 0; user < 3; user++) {
        ASSERT_CMP(strata_regions_largest(head), <, BYTES);
        strata_regions_drop(head, offset);
    }
    assert_int_equal(strata_regions_largest(head), BYTES);
    close_regions(head, BYTES);
}

static void test_zeroed(void **state)
{
    (void)state;
    struct strata_regions *head = open_regions(BYTES);
    uint64_t offset;
    for (int round = 0; round < 2; round++) {
        assert_int_equal(strata_regions_take(head, 4096, 1024, 1, NULL, &offset), STRATA_OK);
        const unsigned char *memory = (unsigned char *)head + offset;
        for (int i = 0; i < 1024; i++) {
            assert_int_equal(memory[i], 0);
        }
        memset((unsigned char *)head + offset, 0xff, 4096);
        strata_regions_drop(head, offset);
    }
    close_regions(head, BYTES);
}

struct taken {
    uint64_t offset;
    size_t bytes;
    unsigned char mark;
};

static void must_be_intact(struct strata_regions *head, const struct taken *t)
{
    const unsigned char *memory = (unsigned char *)head + t->offset;
    assert_int_equal(t->offset % STRATA_REGION_LINE, 0);
    for (size_t i = 0; i < t->bytes; i++) {
        assert_int_equal(memory[i], t->mark);
    }
}

/* Takes and drops regions at random. They never overlap, and all dropped memory is available
 * again. */
static void test_random(void **state)
{
    (void)state;
    enum { SLOTS = 40, STEPS = 4000 };
    struct strata_regions *head = open_regions(BYTES);
    struct taken taken[SLOTS] = {{0}};
    struct random r = {42};
    int refused = 0;
    for (int step = 0; step < STEPS; step++) {
        struct taken *t = &taken[random_below(&r, SLOTS)];
        if (t->offset) {
            must_be_intact(head, t);
            strata_regions_drop(head, t->offset);
            t->offset = 0;
            continue;
        }
        t->bytes = (size_t)random_below(&r, 6000);
        t->mark = (unsigned char)random_below(&r, 256);
        bool fits = strata_regions_largest(head) >= t->bytes;
        int error = strata_regions_take(head, t->bytes, 0, 1, NULL, &t->offset);
        assert_int_equal(error, fits ? STRATA_OK : STRATA_ERR_CAPACITY);
        if (error) {
            t->offset = 0;
            refused++;
        } else {
            memset((unsigned char *)head + t->offset, t->mark, t->bytes);
        }
    }
    ASSERT_CMP(refused, >, 0);
    for (int i = 0; i < SLOTS; i++) {
        if (taken[i].offset) {
            must_be_intact(head, &taken[i]);
            strata_regions_drop(head, taken[i].offset);
        }
    }
    assert_int_equal(strata_regions_largest(head), BYTES);
    close_regions(head, BYTES);
}

static void *take_and_drop(void *argument)
{
    struct strata_regions *head = argument;
    struct random r = {(uint64_t)(uintptr_t)&r};
    for (int i = 0; i < 3000; i++) {
        size_t bytes = (size_t)random_between(&r, 8, 5000);
        uint64_t offset;
        if (strata_regions_take(head, bytes, 8, 1, NULL, &offset) == STRATA_OK) {
            _Atomic uint64_t *word = (void *)((unsigned char *)head + offset);
            if (atomic_fetch_add(word, 1) != 0) {
                return head; /* another user has it too */
            }
            strata_regions_drop(head, offset);
        }
    }
    return NULL;
}

static void test_threads(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    struct strata_regions *head = open_regions(BYTES);
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_create(&thread[i], NULL, take_and_drop, head), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        void *wrong;
        assert_int_equal(pthread_join(thread[i], &wrong), 0);
        assert_null(wrong);
    }
    assert_int_equal(strata_regions_largest(head), BYTES);
    close_regions(head, BYTES);
}

/* A mapping longer than its file: a touch of its second half gives SIGBUS, as in a full
 * /dev/shm. */
static void test_not_backed(void **state)
{
    (void)state;
    if (!strata_backing_provable()) {
        print_message("this kernel cannot be asked whether memory is backed: skipped\n");
        skip();
    }
    char path[] = "/tmp/strata-regions-XXXXXX";
    int file = mkstemp(path);
    size_t all = strata_regions_bytes(BYTES);
    uint64_t offset, small;
    ASSERT_CMP(file, >=, 0);
    unlink(path);
    assert_int_equal(ftruncate(file, BYTES / 2), 0);
    struct strata_regions *head = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    ASSERT_CMP((void *)head, !=, MAP_FAILED);
    assert_int_equal(strata_regions_init(head, BYTES), STRATA_OK);
    assert_int_equal(strata_regions_take(head, BYTES, 0, 1, NULL, &offset), STRATA_ERR_CAPACITY);
    assert_int_equal(strata_regions_largest(head), BYTES); /* nothing was changed */
    assert_int_equal(strata_regions_take(head, BYTES / 4, BYTES / 4, 1, NULL, &small), STRATA_OK);
    assert_int_equal(strata_regions_take(head, BYTES / 4, 0, 1, NULL, &offset),
                     STRATA_ERR_CAPACITY);
    strata_regions_drop(head, small);
    assert_int_equal(strata_regions_largest(head), BYTES);
    munmap(head, all);
    close(file);
}

struct told {
    const unsigned char *memory;
    size_t bytes;
    unsigned char there; /* 1: the second page was backed already */
};

static struct told told;

static void tell(const void *context, void *memory, size_t bytes)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    assert_ptr_equal(context, &told);
    told.memory = memory;
    told.bytes = bytes;
    ASSERT_CMP(
        mincore((unsigned char *)memory + (page - (uintptr_t)memory % page), page, &told.there), ==,
        0);
}

/* Advice is for all of the region, and comes before the system backs it. */
static void test_advice(void **state)
{
    (void)state;
    enum { LONG = 1 << 20 }; /* a few pages of any size */
    const struct strata_region_advice advice = {tell, &told};
    struct strata_regions *head = open_regions(LONG);
    uint64_t offset;
    assert_int_equal(strata_regions_take(head, LONG, LONG, 1, &advice, &offset), STRATA_OK);
    assert_ptr_equal(told.memory, (unsigned char *)head + offset);
    assert_int_equal(told.bytes, LONG);
    assert_int_equal(told.there & 1, 0);
    tell(&told, (unsigned char *)head + offset, LONG);
    assert_int_equal(told.there & 1, 1);
    assert_int_equal(strata_regions_take(head, 1, 0, 1, &advice, &offset), STRATA_ERR_CAPACITY);
    close_regions(head, LONG);
}

static void take_for_ever(struct strata_regions *head)
{
    uint64_t offset;
    for (;;) {
        if (strata_regions_take(head, 1, 0, 1, NULL, &offset) == STRATA_OK) {
            strata_regions_drop(head, offset);
        }
        for (volatile int rest = 0; rest < 500; rest++) { /* without the list: some die here */
        }
    }
}

/* A process that dies while it takes and gives back does not stop the others. */
static void test_death(void **state)
{
    (void)state;
    const size_t all = strata_regions_bytes(BYTES);
    struct strata_regions *head =
        mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ASSERT_CMP((void *)head, !=, MAP_FAILED);
    int lost = 0;
    for (int i = 0; i < 300; i++) {
        assert_int_equal(strata_regions_init(head, BYTES), STRATA_OK);
        const pid_t child = fork();
        uint64_t offset;
        if (child == 0) {
            take_for_ever(head);
        }
        ASSERT_CMP(child, >, 0); /* so that the signal goes to it alone */
        usleep((unsigned)(200 + i * 37 % 900));
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        alarm(20); /* ends this program if it waits for the dead */
        if (strata_regions_take(head, 1, 0, 1, NULL, &offset) == STRATA_OK) {
            strata_regions_drop(head, offset);
        } else {
            lost++; /* the list was given up */
        }
        alarm(0);
    }
    print_message("%d of 300 died while they had the list\n", lost);
    ASSERT_CMP(lost, <, 300); /* nor is the list given up for nothing */
    munmap(head, all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole),   cmocka_unit_test(test_users),
        cmocka_unit_test(test_zeroed),  cmocka_unit_test(test_random),
        cmocka_unit_test(test_threads), cmocka_unit_test(test_not_backed),
        cmocka_unit_test(test_advice),  cmocka_unit_test(test_death),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
