/* Roll calls of jobs that are made up, of as many ranks as no machine here has: who is missing, who
 * waits for each other, and who gives a call differently. What looks from each rank at all others,
 * and from there at their files, does not end in time. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tools/rollcall/rollcall.h"

enum { RANKS = 3072, WORLD = 1, TWIN = 2, PAIR = 3, NEXT_PAIR = 4, ROWS };

/* A rank, and the call in which it stands or that it left last. */
struct made_up {
    struct strata_record record;
    struct roll_call call;
};

static struct made_up *all;
static struct roll_rank ranks[RANKS];
static struct roll_job job = {.ranks = ranks, .count = RANKS, .hosts = 1};

/* A communicator of all ranks, or of a rank and the one behind it. */
static void make_row(struct strata_record *record, int row, int turn, int first)
{
    struct strata_record_communicator *c = &record->communicator[row];
    c->identity = first < 0 ? 1 : 2 + (uint64_t)first;
    c->turn = (uint64_t)turn;
    c->ranks = first < 0 ? RANKS : 2;
    c->members = first < 0 ? UINT32_MAX : (uint32_t)(2 * row);
    for (int i = 0; first >= 0 && i < 2; i++) {
        record->member[2 * row + i] = (first + i) % RANKS;
    }
}

static int make(void **state)
{
    (void)state;
    all = calloc(RANKS, sizeof *all);
    for (int i = 0; all && i < RANKS; i++) {
        struct strata_record *record = &all[i].record;
        record->rank = i;
        record->ranks = record->ranks_here = RANKS;
        record->communicators = ROWS;
        snprintf(record->host, sizeof record->host, "host");
        make_row(record, WORLD, 1, -1);
        make_row(record, TWIN, 2, -1);
        make_row(record, PAIR, 1, i);
        make_row(record, NEXT_PAIR, 1, (i + RANKS - 1) % RANKS);
        snprintf(record->communicator[WORLD].name, STRATA_RECORD_NAME, "MPI_COMM_WORLD");
    }
    return all ? 0 : -1;
}

static int release(void **state)
{
    (void)state;
    free(all);
    return 0;
}

/* The rank stands in call `order` of a communicator, or has left it. */
static void put(int rank, int row, uint64_t order, bool stands)
{
    struct strata_record *record = &all[rank].record;
    all[rank].call = (struct roll_call){.number = order,
                                        .order = order,
                                        .site = 0x10,
                                        .begin = 1,
                                        .end = stands ? 0 : 2,
                                        .kind = STRATA_BARRIER,
                                        .root = -1,
                                        .communicator = &record->communicator[row]};
    ranks[rank] = (struct roll_rank){.record = record,
                                     .state = ROLL_SLEEPS,
                                     .calls = &all[rank].call,
                                     .count = 1,
                                     .open = stands ? &all[rank].call : NULL};
    ranks[rank].begun_calls[row] = order;
}

static int say_late(void)
{
    roll_late(&job, "  ");
    return 0;
}

static int report(void)
{
    return roll_report(&job, 0);
}

/* What is said of the job must have this line, or be nothing, and be `wrong` things. */
static void must_be_said(int (*say)(void), int wrong, const char *line)
{
    FILE *console = stdout;
    char *said = NULL;
    size_t size;
    stdout = open_memstream(&said, &size);
    assert_non_null(stdout);
    const int found = say();
    assert_int_equal(fclose(stdout), 0);
    stdout = console;
    if (!strstr(said, line) || (!line[0] && said[0]) || found != wrong) {
        fail_msg("%d things wrong and not %d, or not said: %s: %.2000s", found, wrong, line, said);
    }
    free(said);
}

static void must_say(int wrong, const char *line)
{
    must_be_said(report, wrong, line);
}

/* One call of all ranks, of a second. Rank 5 comes so much later than the others. */
static void come_late(double seconds)
{
    for (int i = 0; i < RANKS; i++) {
        put(i, WORLD, 6, false);
        all[i].call.begin = i == 5 ? 100 + seconds : 100;
        all[i].call.end = 101;
    }
}

static void advice_follows(void **state)
{
    (void)state;
    come_late(0.9);
    must_be_said(say_late, 0, " 90 %  rank 5 on host, last in 1 of 1 calls: barrier at 0x10\n");
    must_be_said(say_late, 0, "  advice: rank 5 is late at 0x10: give it less of the work ");
    come_late(0.1);
    must_be_said(say_late, 0, "  advice: the calls themselves take the time, ");
}

static int draw(void)
{
    return roll_page(&job, stdout);
}

/* Of many ranks a few have a row, the last one among them. */
static void a_page_has_few_rows(void **state)
{
    (void)state;
    come_late(0.9);
    must_be_said(draw, 1, ">rank 5</text>\n");
    must_be_said(draw, 1, ">12 of 3072 ranks</text>\n");
    must_be_said(draw, 1, ">900 ms</text>\n");
    all[7].call.end = 0;
    must_be_said(draw, 0, "");
}

static int say_longest(void)
{
    roll_longest(&job, "");
    return 0;
}

/* The rank that comes last stands in the call for so short a time that it keeps other calls. */
static void the_last_one_is_absent(void **state)
{
    (void)state;
    for (int i = 0; i < RANKS; i++) {
        put(i, PAIR, 1, false);
        ranks[i].count = 0;
    }
    ranks[6].longest = &all[6].call;
    ranks[6].longest_count = 1;
    all[6].call.end = 4;
    must_be_said(say_longest, 0,
                 "     3.00 s  1.00 s after MPI_Init: call 1 of communicator 1 of 2 "
                 "ranks, barrier; last: rank 7, which stood there for less time, "
                 "at 0x10\n");
    all[6].call.kind = STRATA_REDUCE; /* which a rank leaves before others come */
    must_be_said(say_longest, 0, "");
    all[6].call.kind = STRATA_BARRIER;
    all[7].record.communicator[NEXT_PAIR].turn++; /* another one has the row by now */
    must_be_said(say_longest, 0, "");
    all[7].record.communicator[NEXT_PAIR].turn--;
}

static void one_is_missing(void **state)
{
    (void)state;
    for (int i = 0; i < RANKS; i++) {
        put(i, WORLD, i == 700 ? 5 : 6, i != 700);
    }
    must_say(1, "  wrong: rank 700 missing in call 6 of MPI_COMM_WORLD, barrier, in which "
                "ranks 0-699, 701-3071 wait\n");
}

static void each_pair_misses_one(void **state)
{
    (void)state;
    for (int i = 0; i < RANKS; i++) {
        put(i, PAIR, 1, i % 2 == 0);
    }
    must_say(RANKS / 2, "  wrong: rank 3071 missing in call 1 of communicator 1 of 2 ranks, "
                        "barrier, in which rank 3070 waits\n");
}

/* Each waits for the next one, and the last one for nobody. */
static void a_chain_has_an_end(void **state)
{
    (void)state;
    for (int i = 0; i < RANKS; i++) {
        put(i, PAIR, 1, i < RANKS - 1);
    }
    must_say(1, "  wrong: rank 3071 missing in call 1 of communicator 1 of 2 ranks, barrier, in "
                "which rank 3070 waits\n");
}

static void a_ring_has_none(void **state)
{
    (void)state;
    for (int i = 0; i < RANKS; i++) {
        put(i, PAIR, 1, true);
    }
    must_say(1, "  wrong: ranks 0-3071 wait for each other, in calls on communicators in another "
                "order\n");
}

static void two_orders(void **state)
{
    (void)state;
    for (int i = 0; i < RANKS; i++) {
        put(i, i % 2 ? TWIN : WORLD, 7, true);
    }
    must_say(1, "  wrong: ranks 0-3071 wait for each other, in calls on communicators in another "
                "order\n");
}

static void roots_differ(void **state)
{
    (void)state;
    for (int i = 0; i < RANKS; i++) {
        put(i, WORLD, 6, true);
        all[i].call.kind = STRATA_BCAST;
        all[i].call.root = i == 5 ? 1 : 0;
    }
    must_say(1, "  wrong: in call 6 of MPI_COMM_WORLD the roots differ: root 0 on ranks 0-4, "
                "6-3071 at 0x10, root 1 on rank 5 at 0x10\n");
}

/* The rank stands in a receive from another one; -1: from any. */
static void receive(int rank, int from)
{
    put(rank, WORLD, 7, true);
    all[rank].call.kind = STRATA_RECORD_RECV;
    all[rank].call.other = (struct roll_end){from < 0 ? STRATA_RECORD_ANYBODY : from, from, 7};
    all[rank].call.to = (struct roll_end){STRATA_RECORD_NOBODY, -1, -1};
}

/* Each waits for the next one, and the last one waits for nobody, or computes. */
static void messages_come_from_an_end(void **state)
{
    (void)state;
    for (int i = 0; i < RANKS; i++) {
        receive(i, i + 1);
    }
    put(RANKS - 1, WORLD, 5, false);
    must_say(1, "  wrong: rank 3070 waits in recv, from rank 3071, tag 7, on MPI_COMM_WORLD, at "
                "0x10; rank 3071 is sleeping outside collectives, behind call 5 of ");
    receive(RANKS - 1, -1);
    must_say(1, "  wrong: rank 3070 waits in recv, from rank 3071, tag 7, on MPI_COMM_WORLD, at "
                "0x10; rank 3071 is in recv, from any rank, tag 7, on MPI_COMM_WORLD, at 0x10\n");
}

/* A rank that is gone waits for nobody, whatever it stood in. */
static void messages_come_from_one_that_is_gone(void **state)
{
    (void)state;
    for (int i = 0; i < RANKS; i++) {
        put(i, WORLD, 5, false);
    }
    receive(0, 1);
    receive(1, 0);
    ranks[1].state = ROLL_GONE;
    must_say(2, "  wrong: rank 0 waits in recv, from rank 1, tag 7, on MPI_COMM_WORLD, at 0x10; "
                "rank 1 is gone in recv, from rank 0, tag 7, ");
}

/* Nor does one that has begun several and wants any of them. */
static void messages_come_from_one_that_has_a_choice(void **state)
{
    (void)state;
    for (int i = 0; i < RANKS; i++) {
        put(i, WORLD, 5, false);
    }
    receive(0, 1);
    receive(1, 0);
    ranks[1].any = true;
    must_say(1, "  wrong: rank 0 waits in recv, from rank 1, tag 7, on MPI_COMM_WORLD, at 0x10; "
                "rank 1 is in any of several, the first of them recv, from rank 0, tag 7, ");
}

static void all_receive_from_one(void **state)
{
    (void)state;
    for (int i = 0; i < RANKS; i++) {
        receive(i, 5);
    }
    put(5, WORLD, 7, true);
    must_say(1, "  wrong: ranks 0-4, 6-3071 wait in recv, from rank 5, tag 7, on MPI_COMM_WORLD, "
                "at 0x10; rank 5 is in call 7 of MPI_COMM_WORLD, barrier, at 0x10\n");
}

static void messages_go_in_cycles(void **state)
{
    (void)state;
    for (int i = 0; i < RANKS; i++) {
        receive(i, i == 2 ? 0 : i == 4 ? 4 : i < 2 ? i + 1 : i - 1);
    }
    must_say(2, "  wrong: ranks 0-2 wait for each other: rank 0 in recv, from rank 1, tag 7, on "
                "MPI_COMM_WORLD, at 0x10; rank 1 in recv, from rank 2, ");
    must_say(2, "  wrong: rank 4 waits for itself: rank 4 in recv, from rank 4, tag 7, ");
}

/* A message of rank 0, as its file has it: a receive from rank 1 of a row's communicator. */
static void write_message(struct strata_record *record, uint64_t number, uint64_t row)
{
    struct strata_record_entry *e = &record->entry[number % STRATA_RECORD_ENTRIES];
    e->begin = number;
    e->root = 1;
    e->what = STRATA_RECORD_WHAT(row, STRATA_RECORD_RECV, 0, 0);
    e->number = number;
    record->next = number + 1;
}

static void write_file(const char *path, const struct strata_record *record)
{
    const int file = open(path, O_CREAT | O_WRONLY | O_EXCL, 0600);
    assert_int_equal(write(file, record, sizeof *record), sizeof *record);
    close(file);
}

/* What the file says of where the rank is, when it is read from a folder. */
static void must_be_read(const struct strata_record *record, const char *where)
{
    char folder[] = "/tmp/strata.rollcall.XXXXXX", path[64], text[ROLL_TEXT];
    const char *wrong, *const folders[] = {mkdtemp(folder), NULL};
    struct roll_rank *read = NULL;
    snprintf(path, sizeof path, "%s/" STRATA_RECORD_PREFIX "1", folder);
    write_file(path, record);
    assert_int_equal(roll_read(folders, &read, &wrong), 1);
    roll_place(read, text);
    unlink(path);
    rmdir(folder);
    if (!strstr(text, where)) {
        fail_msg("%s is not in: %s", where, text);
    }
    roll_free(read, 1);
}

/* A folder with a right file of the only rank of a job. */
struct in_folder {
    char folder[32], path[64], other[64];
};

static struct in_folder make_right_file(void)
{
    struct in_folder f = {.folder = "/tmp/strata.rollcall.XXXXXX"};
    struct strata_record *record = calloc(1, sizeof *record);
    assert_non_null(record);
    assert_non_null(mkdtemp(f.folder));
    memcpy(record->magic, STRATA_RECORD_MAGIC, sizeof STRATA_RECORD_MAGIC);
    record->bytes = sizeof *record;
    record->ranks = 1;
    snprintf(f.path, sizeof f.path, "%s/" STRATA_RECORD_PREFIX "1", f.folder);
    snprintf(f.other, sizeof f.other, "%s/other", f.folder);
    write_file(f.path, record);
    free(record);
    return f;
}

/* So many files of the folder must be read, and the others passed over. */
static void must_count(const struct in_folder *f, int count)
{
    const char *wrong, *const folders[] = {f->folder, NULL};
    struct roll_rank *read = NULL;
    assert_int_equal(roll_read(folders, &read, &wrong), count);
    roll_free(read, count);
}

static void no_file_of_others_is_read(void **state)
{
    static const mode_t modes[] = {0640, 0604, 0620, 0602, 0610, 0601, 0600};
    (void)state;
    const struct in_folder f = make_right_file();
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        assert_int_equal(chmod(f.path, modes[i]), 0);
        must_count(&f, modes[i] == 0600);
    }
    if (geteuid() == 0) { /* who alone can give a file away */
        assert_int_equal(chown(f.path, 65534, (gid_t)-1), 0);
        must_count(&f, 0);
    }
    unlink(f.path);
    rmdir(f.folder);
}

static void what_is_no_record_is_not_read(void **state)
{
    const off_t size = sizeof(struct strata_record);
    (void)state;
    const struct in_folder f = make_right_file();
    for (off_t length = size + 1; length >= size - 1; length--) {
        assert_int_equal(truncate(f.path, length), 0);
        must_count(&f, length == size);
    }
    assert_int_equal(truncate(f.path, size), 0);
    assert_int_equal(rename(f.path, f.other), 0);
    assert_int_equal(symlink(f.other, f.path), 0);
    must_count(&f, 0);
    unlink(f.path);
    assert_int_equal(mkfifo(f.path, 0600), 0);
    must_count(&f, 0);
    unlink(f.path);
    unlink(f.other);
    rmdir(f.folder);
}

/* Whose number a rank has on a communicator: of those whose members are known, of the other side
 * of an intercommunicator, and where another communicator has the row by now. */
static void rows_change_hands(void **state)
{
    (void)state;
    struct strata_record *record = calloc(1, sizeof *record);
    struct strata_record_communicator *world = &record->communicator[WORLD];
    struct strata_record_communicator *pair = &record->communicator[PAIR];
    assert_non_null(record);
    memcpy(record->magic, STRATA_RECORD_MAGIC, sizeof STRATA_RECORD_MAGIC);
    record->bytes = sizeof *record;
    record->ranks = 4;
    *world = *pair =
        (struct strata_record_communicator){.identity = 1, .turn = 1, .ranks = 4, .members = 0};
    memcpy(record->member, (int[]){3, 2, 1, 0}, 4 * sizeof(int));
    write_message(record, 9, PAIR);
    must_be_read(record, "recv, from rank 2, ");
    pair->inter = 2;
    must_be_read(record, "recv, from rank 0, ");
    pair->inter = 0;
    pair->members = UINT32_MAX;
    must_be_read(record, "recv, from rank 1, ");
    pair->identity = 2; /* others, in an order that is not known */
    must_be_read(record, "recv, from its rank 1, ");
    pair->members = 0;
    pair->since = 10;
    must_be_read(record, "recv, from its rank 1, tag 0, on a communicator, ");
    free(record);
}

/* Two ranks on each of two hosts, of which the first ones lead: the second host's counter has
 * another speed. */
static void set_apart(struct strata_record *records, struct roll_rank *four, uint32_t settings)
{
    for (uint64_t i = 0; i < 4; i++) {
        const uint64_t place = i % 2, speed = 1 + place, billion = 1000000000;
        struct strata_record *record = &records[i];
        record->place = ~place;
        record->ended = 1;
        record->stamps[2] =
            (struct strata_record_stamp){10 * billion * speed, (int64_t)(10 * billion)};
        record->settings = i < 2 ? settings : 0;
        for (uint64_t k = 0; k < 2; k++) { /* after 1 s and 5 s, in which the clock lost 1 ms */
            record->setting[k] = (struct strata_record_setting){
                .ticks = (1 + 4 * k) * billion * speed,
                .nanoseconds = (int64_t)((1 + 4 * k) * billion + k * place * 1000000),
                .error = (int64_t)(place * (10000 + 1000 * k))};
        }
        four[i] = (struct roll_rank){.record = record};
    }
    roll_set_clocks(four, 4);
}

static void must_be_near(double seconds, double right)
{
    if (!(seconds > right - 1e-7 && seconds < right + 1e-7)) {
        fail_msg("%.9f s and not %.9f s", seconds, right);
    }
}

/* Of a rank on the second host. */
static double seconds_after(const struct roll_rank *four, double seconds)
{
    return roll_seconds(&four[3].clock, (uint64_t)(seconds * 2e9));
}

static void clocks_are_set(void **state)
{
    (void)state;
    struct strata_record *records = calloc(4, sizeof *records);
    struct roll_rank four[4];
    const struct roll_job both = {.ranks = four, .count = 4, .hosts = 2};
    char text[ROLL_TEXT];
    assert_non_null(records);
    set_apart(records, four, 2);
    must_be_near(seconds_after(four, 0.5), 0.5);
    must_be_near(seconds_after(four, 3), 3.0005);
    must_be_near(seconds_after(four, 9), 9.001);
    assert_string_equal(roll_agreement_text(&both, text),
                        "the clocks of 2 hosts agree within 11.0 us");
    set_apart(records, four, 1);
    must_be_near(seconds_after(four, 9), 9);
    assert_string_equal(roll_agreement_text(&both, text),
                        "the clocks of 2 hosts agreed within 10.0 us when the job began");
    set_apart(records, four, 0);
    assert_string_equal(roll_agreement_text(&both, text),
                        "the clocks of 2 hosts are not set against each other");
    free(records);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_is_missing),
        cmocka_unit_test(each_pair_misses_one),
        cmocka_unit_test(a_chain_has_an_end),
        cmocka_unit_test(a_ring_has_none),
        cmocka_unit_test(two_orders),
        cmocka_unit_test(roots_differ),
        cmocka_unit_test(advice_follows),
        cmocka_unit_test(a_page_has_few_rows),
        cmocka_unit_test(the_last_one_is_absent),
        cmocka_unit_test(clocks_are_set),
        cmocka_unit_test(messages_come_from_an_end),
        cmocka_unit_test(messages_come_from_one_that_is_gone),
        cmocka_unit_test(messages_come_from_one_that_has_a_choice),
        cmocka_unit_test(no_file_of_others_is_read),
        cmocka_unit_test(what_is_no_record_is_not_read),
        cmocka_unit_test(rows_change_hands),
        cmocka_unit_test(all_receive_from_one),
        cmocka_unit_test(messages_go_in_cycles),
    };
    return cmocka_run_group_tests(tests, make, release);
}
