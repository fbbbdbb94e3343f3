/* Records that one process sends another, as those of other hosts are sent: the newest counts, what
 * was sent stays when the sender is gone, and strangers get the first word at most. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tools/rollcall/hosts.h"

enum { RANKS = 3, LONG = 10000 };

static struct roll_hosts hosts;
static struct strata_record *records;
static struct roll_rank ranks[RANKS];
static struct roll_job job = {.ranks = ranks, .count = RANKS, .hosts = 1};

static int open_door(void **state)
{
    (void)state;
    records = aligned_alloc(_Alignof(struct strata_record), RANKS * sizeof *records);
    if (records) {
        memset(records, 0, RANKS * sizeof *records);
    }
    for (int i = 0; records && i < RANKS; i++) {
        memcpy(records[i].magic, STRATA_RECORD_MAGIC, sizeof STRATA_RECORD_MAGIC);
        records[i].bytes = sizeof *records;
        records[i].rank = i;
        records[i].ranks = RANKS;
        records[i].place = 1; /* no host's */
        records[i].stamps[0] = (struct strata_record_stamp){1, 1};
        records[i].stamps[1] = (struct strata_record_stamp){2, 2};
        ranks[i] = (struct roll_rank){.record = &records[i], .state = ROLL_STOPPED};
    }
    return records && roll_open_door(&hosts) ? 0 : -1;
}

static int close_door(void **state)
{
    (void)state;
    close(hosts.door);
    roll_free_hosts(&hosts);
    free(records);
    return 0;
}

/* A process that acts and ends. */
static pid_t start(void (*act)(void))
{
    const pid_t child = fork();
    if (child == 0) {
        act();
        _exit(EXIT_SUCCESS);
    }
    assert_true(child > 0);
    return child;
}

/* Waits until somebody is at the door, and hears what it says. */
static int hear(void)
{
    struct pollfd door = {.fd = hosts.door, .events = POLLIN};
    assert_int_equal(poll(&door, 1, LONG), 1);
    return roll_hear(&hosts);
}

/* Answers three questions: with a pulse, with two of its ranks, and with all. */
static void be_a_host(void)
{
    static const bool chosen[RANKS] = {true, false, true};
    enum roll_question question;
    const int socket = roll_connect(&hosts.said, true, ROLL_HOST);
    for (int i = 0; i < 3 && roll_wait_for_question(socket, LONG, &question) > 0; i++) {
        records[0].next = 10 + (uint64_t)i;
        if (question == ROLL_PULSE) {
            (void)roll_send_pulse(socket, (struct roll_pulse){.begun = 7, .asked = 2});
        } else {
            (void)roll_send_records(socket, &job, i == 1 ? chosen : NULL);
        }
    }
}

/* Of all hosts together so many ranks are known, and rank 0 has begun so many calls. */
static void must_be_known(int count, uint64_t next, enum roll_state state)
{
    struct roll_rank *read = NULL;
    int ranks_read = 0;
    roll_add_sent(&read, &ranks_read, &hosts);
    assert_int_equal(ranks_read, count);
    assert_int_equal(read[0].record->rank, 0);
    assert_int_equal(read[0].record->next, next);
    assert_int_equal(read[count - 1].record->rank, RANKS - 1);
    assert_int_equal(read[0].state, state);
    roll_free(read, ranks_read);
}

static void a_host_is_asked(void **state)
{
    (void)state;
    const pid_t host = start(be_a_host);
    assert_int_equal(hear(), -1);
    assert_int_equal(hosts.count, 1);
    roll_ask_hosts(&hosts, ROLL_PULSE);
    assert_int_equal(hosts.host[0].pulse.begun, 7);
    assert_int_equal(hosts.host[0].pulse.asked, 2);
    roll_ask_hosts(&hosts, ROLL_RECORDS);
    must_be_known(2, 11, ROLL_STOPPED);
    roll_ask_hosts(&hosts, ROLL_RECORDS);
    must_be_known(RANKS, 12, ROLL_STOPPED);
    assert_int_equal(roll_bytes_sent(&hosts), RANKS * sizeof(struct roll_sent));
    waitpid(host, NULL, 0);
    roll_ask_hosts(&hosts, ROLL_RECORDS); /* which nobody answers */
    assert_int_equal(hosts.host[0].socket, -1);
    must_be_known(RANKS, 12, ROLL_UNHEARD);
}

/* One that connects again takes the place of what it had sent. */
static void a_host_comes_again(void **state)
{
    (void)state;
    const pid_t host = start(be_a_host);
    assert_int_equal(hear(), -1);
    assert_int_equal(hosts.count, 2);
    roll_ask_hosts(&hosts, ROLL_PULSE);
    must_be_known(RANKS, 12, ROLL_UNHEARD);
    roll_ask_hosts(&hosts, ROLL_RECORDS); /* two ranks, and the third one is as it was */
    must_be_known(RANKS, 11, ROLL_STOPPED);
    roll_ask_hosts(&hosts, ROLL_RECORDS);
    must_be_known(RANKS, 12, ROLL_STOPPED);
    assert_int_equal(roll_bytes_sent(&hosts), RANKS * sizeof(struct roll_sent));
    assert_null(hosts.host[0].first);
    waitpid(host, NULL, 0);
}

/* A file of the same rank in a folder on NFS may be an old one; one of this host is not. */
static void what_is_sent_counts(void **state)
{
    static struct roll_sent other; /* nothing is unmapped of it */
    (void)state;
    for (int here = 0; here < 2; here++) {
        struct roll_rank *read = calloc(1, sizeof *read);
        int count = 1;
        assert_non_null(read);
        other.record = records[1];
        other.record.place = here ? strata_record_place() : 1;
        read[0] = (struct roll_rank){.record = &other.record, .sent = here ? NULL : &other};
        roll_add_sent(&read, &count, &hosts);
        assert_int_equal(count, RANKS);
        assert_int_equal(read[1].record->rank, 1);
        assert_true((read[1].record == &other.record) == (here == 1));
        read[1].sent = &other;
        roll_free(read, count);
    }
}

/* Ends with the number of ranks that it is told of. */
static void be_a_reader(void)
{
    struct roll_hosts told = {.door = -1};
    const int socket = roll_connect(&hosts.said, true, ROLL_READER);
    if (!roll_take_records(&told, socket)) {
        _exit(EXIT_SUCCESS);
    }
    _exit(told.records);
}

static void a_reader_is_told(void **state)
{
    (void)state;
    int code;
    const pid_t child = start(be_a_reader);
    const int reader = hear();
    assert_true(reader >= 0);
    assert_true(roll_send_records(reader, &job, NULL));
    close(reader);
    waitpid(child, &code, 0);
    assert_int_equal(WEXITSTATUS(code), RANKS);
    assert_int_equal(hosts.count, 2); /* it is no host */
}

/* Ends with the number of bytes that it hears. */
static void be_a_stranger(void)
{
    char said[40] = {0}, heard[64];
    const struct sockaddr_in name = {.sin_family = AF_INET,
                                     .sin_port = htons(hosts.said.port),
                                     .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int client = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(client, (const struct sockaddr *)&name, sizeof name) != 0 ||
        send(client, said, sizeof said, 0) < 0) {
        _exit(EXIT_FAILURE);
    }
    ssize_t bytes, all = 0;
    while ((bytes = recv(client, heard, sizeof heard, 0)) > 0) {
        all += bytes;
    }
    _exit((int)all);
}

static void a_stranger_is_told_a_word(void **state)
{
    (void)state;
    int code;
    const pid_t child = start(be_a_stranger);
    assert_int_equal(hear(), -1);
    waitpid(child, &code, 0);
    assert_int_equal(WEXITSTATUS(code), sizeof hosts.said.first);
    assert_int_equal(hosts.count, 2);
}

/* Whoever does not say the first word is told nothing. */
static void be_misled(void)
{
    struct strata_record_door other = hosts.said;
    other.first++;
    _exit(roll_connect(&other, true, ROLL_HOST) < 0 ? EXIT_SUCCESS : EXIT_FAILURE);
}

static void another_door_is_told_nothing(void **state)
{
    (void)state;
    int code;
    const pid_t child = start(be_misled);
    assert_int_equal(hear(), -1);
    waitpid(child, &code, 0);
    assert_int_equal(WEXITSTATUS(code), EXIT_SUCCESS);
    assert_int_equal(hosts.count, 2);
}

/* A socket that cannot be a door any more is closed, or it would be asked for ever. */
static void a_broken_door_is_closed(void **state)
{
    (void)state;
    struct roll_hosts broken = {.door = dup(STDERR_FILENO)};
    assert_int_equal(roll_hear(&broken), -1);
    assert_int_equal(broken.door, -1);
}

static void a_door_is_text(void **state)
{
    (void)state;
    char text[STRATA_RECORD_DOOR_TEXT];
    struct strata_record_door read;
    strata_record_door_print(&hosts.said, text);
    assert_true(strata_record_door_read(text, &read));
    assert_memory_equal(&read, &hosts.said, sizeof read);
    text[0] = 'g';
    assert_false(strata_record_door_read(text, &read));
    assert_false(strata_record_door_read("1", &read));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_host_is_asked),           cmocka_unit_test(a_host_comes_again),
        cmocka_unit_test(what_is_sent_counts),       cmocka_unit_test(a_reader_is_told),
        cmocka_unit_test(a_stranger_is_told_a_word), cmocka_unit_test(another_door_is_told_nothing),
        cmocka_unit_test(a_broken_door_is_closed),   cmocka_unit_test(a_door_is_text),
    };
    return cmocka_run_group_tests(tests, open_door, close_door);
}
