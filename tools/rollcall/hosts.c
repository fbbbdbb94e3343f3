/* What the hosts of a job say to each other. Nobody waits long for anybody: a socket that does not
 * answer in time is closed. */
#define _GNU_SOURCE /* accept4 */
#include "tools/rollcall/hosts.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum { GREETING = 1, ANSWER = 5 }; /* seconds */
enum { MOST = 1 << 14 };           /* records, 2.5 GB */

struct roll_hello {
    uint64_t second;
    uint64_t bytes; /* of a record */
    uint64_t role;
};

static void set_patience(int socket, int seconds)
{
    const struct timeval most = {.tv_sec = seconds};
    (void)setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most);
    (void)setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &most, sizeof most);
}

static bool tell(int socket, const void *data, size_t bytes)
{
    const char *at = data;
    ssize_t sent = 1;
    while (bytes > 0 && sent > 0) {
        sent = send(socket, at, bytes, MSG_NOSIGNAL);
        at += sent > 0 ? sent : 0;
        bytes -= sent > 0 ? (size_t)sent : 0;
    }
    return bytes == 0;
}

static bool hear(int socket, void *data, size_t bytes)
{
    return recv(socket, data, bytes, MSG_WAITALL) == (ssize_t)bytes;
}

/* The addresses of this host by which others may reach it. */
static int find_addresses(uint32_t *address, int most)
{
    struct ifaddrs *all = NULL;
    int count = 0;
    if (getifaddrs(&all) != 0) {
        return 0;
    }
    for (const struct ifaddrs *one = all; one && count < most; one = one->ifa_next) {
        if (one->ifa_addr && one->ifa_addr->sa_family == AF_INET && one->ifa_flags & IFF_UP &&
            !(one->ifa_flags & IFF_LOOPBACK)) {
            address[count++] =
                ((const struct sockaddr_in *)(const void *)one->ifa_addr)->sin_addr.s_addr;
        }
    }
    freeifaddrs(all);
    return count;
}

static struct sockaddr_in name_of(uint32_t address, uint16_t port)
{
    return (struct sockaddr_in){
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = address};
}

bool roll_open_door(struct roll_hosts *hosts)
{
    struct strata_record_door *said = &hosts->said;
    struct sockaddr_in name = name_of(htonl(INADDR_ANY), 0);
    socklen_t length = sizeof name;
    hosts->door = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (hosts->door >= 0 &&
        (bind(hosts->door, (const struct sockaddr *)&name, sizeof name) != 0 ||
         listen(hosts->door, SOMAXCONN) != 0 ||
         getsockname(hosts->door, (struct sockaddr *)&name, &length) != 0 ||
         getrandom(&said->first, sizeof said->first, 0) != sizeof said->first ||
         getrandom(&said->second, sizeof said->second, 0) != sizeof said->second)) {
        close(hosts->door);
        hosts->door = -1;
    }
    said->pid = getpid();
    said->port = hosts->door >= 0 ? ntohs(name.sin_port) : 0;
    said->addresses = (uint16_t)find_addresses(said->address, STRATA_RECORD_ADDRESSES);
    return hosts->door >= 0;
}

/* NULL: there is no memory, and the socket is closed. */
static struct roll_host *add(struct roll_hosts *hosts, int socket)
{
    struct roll_host *grown =
        realloc(hosts->host, (size_t)(hosts->count + 1) * sizeof *hosts->host);
    if (!grown) {
        close(socket);
        return NULL;
    }
    hosts->host = grown;
    grown[hosts->count] = (struct roll_host){.socket = socket};
    return &grown[hosts->count++];
}

/* Whoever comes is told the first word, and must know the second one. */
int roll_hear(struct roll_hosts *hosts)
{
    struct roll_hello hello;
    const int socket = accept4(hosts->door, NULL, NULL, SOCK_CLOEXEC);
    if (socket < 0) {
        return -1;
    }
    set_patience(socket, GREETING);
    if (!tell(socket, &hosts->said.first, sizeof hosts->said.first) ||
        !hear(socket, &hello, sizeof hello) || hello.second != hosts->said.second ||
        hello.bytes != sizeof(struct strata_record)) {
        close(socket);
        return -1;
    }
    set_patience(socket, ANSWER);
    if (hello.role == ROLL_READER) {
        return socket;
    }
    (void)add(hosts, socket);
    return -1;
}

static bool same_rank(const struct strata_record *a, const struct strata_record *b)
{
    return a->rank == b->rank && a->job == b->job;
}

/* The place for a rank's record; NULL: there is none. */
static struct roll_kept *find_place(struct roll_host *host, const struct strata_record *record)
{
    struct roll_kept *kept = host->kept;
    while (kept && !same_rank(&kept->sent.record, record)) {
        kept = kept->next;
    }
    if (!kept && host->count < MOST) {
        kept = aligned_alloc(_Alignof(struct roll_kept), sizeof *kept);
    } else {
        return kept;
    }
    if (kept) {
        kept->next = host->kept;
        host->kept = kept;
        host->count++;
    }
    return kept;
}

/* Only a whole record takes the place of the one before. */
static bool take(struct roll_host *host)
{
    static struct roll_sent record;
    uint64_t count = 0;
    bool whole = hear(host->socket, &count, sizeof count);
    for (uint64_t i = 0; whole && i < count; i++) {
        whole = hear(host->socket, &record, sizeof record) && roll_is_record(&record.record) &&
                record.state <= ROLL_ELSEWHERE;
        struct roll_kept *place = whole ? find_place(host, &record.record) : NULL;
        if (place) {
            memcpy(&place->sent, &record, sizeof record);
        }
    }
    return whole;
}

static void leave(struct roll_host *host)
{
    close(host->socket);
    host->socket = -1;
    host->pulse.begun++; /* something has changed */
}

/* All are asked before the first one is heard. */
void roll_ask_hosts(struct roll_hosts *hosts, enum roll_question question)
{
    const uint64_t asks = question;
    for (int i = 0; i < hosts->count; i++) {
        struct roll_host *host = &hosts->host[i];
        if (host->socket >= 0 && !tell(host->socket, &asks, sizeof asks)) {
            leave(host);
        }
    }
    for (int i = 0; i < hosts->count; i++) {
        struct roll_host *host = &hosts->host[i];
        if (host->socket >= 0 &&
            !(question == ROLL_PULSE ? hear(host->socket, &host->pulse, sizeof host->pulse)
                                     : take(host))) {
            leave(host);
        }
    }
}

size_t roll_bytes_sent(const struct roll_hosts *hosts)
{
    size_t records = 0;
    for (int i = 0; i < hosts->count; i++) {
        records += (size_t)hosts->host[i].count;
    }
    return records * sizeof(struct roll_sent);
}

/* Connects within the time of a greeting. */
static int reach(uint32_t address, const struct strata_record_door *door)
{
    const struct sockaddr_in name = name_of(address, door->port);
    const int one = 1, client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    uint64_t first = 0;
    if (client < 0) {
        return -1;
    }
    set_patience(client, GREETING);
    if (connect(client, (const struct sockaddr *)&name, sizeof name) != 0 ||
        !hear(client, &first, sizeof first) || first != door->first) {
        close(client);
        return -1;
    }
    (void)setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    set_patience(client, ANSWER);
    return client;
}

static bool holds(const uint32_t *address, int count, uint32_t one)
{
    int i = 0;
    while (i < count && address[i] != one) {
        i++;
    }
    return i < count;
}

/* An address that this host has, too, is not that of another one: bridges of virtual machines have
 * the same on all. */
int roll_connect(const struct strata_record_door *door, bool here, enum roll_role role)
{
    uint32_t own[64];
    const int count = find_addresses(own, sizeof own / sizeof *own);
    int socket = here ? reach(htonl(INADDR_LOOPBACK), door) : -1;
    for (int i = 0; socket < 0 && i < door->addresses && i < STRATA_RECORD_ADDRESSES; i++) {
        if (!holds(own, count, door->address[i])) {
            socket = reach(door->address[i], door);
        }
    }
    const struct roll_hello hello = {door->second, sizeof(struct strata_record), role};
    if (socket >= 0 && !tell(socket, &hello, sizeof hello)) {
        close(socket);
        socket = -1;
    }
    return socket;
}

int roll_wait_for_question(int socket, int milliseconds, enum roll_question *question)
{
    struct pollfd end = {.fd = socket, .events = POLLIN};
    uint64_t asked;
    if (poll(&end, 1, milliseconds) <= 0) {
        return 0;
    }
    if (!hear(socket, &asked, sizeof asked) || asked > ROLL_RECORDS) {
        return -1;
    }
    *question = (enum roll_question)asked;
    return 1;
}

bool roll_send_pulse(int socket, struct roll_pulse pulse)
{
    return tell(socket, &pulse, sizeof pulse);
}

/* What is overwritten meanwhile is no entry. */
static void drop_changed(const struct strata_record_entry *from, struct strata_record_entry *to,
                         int count)
{
    for (int i = 0; i < count; i++) {
        if (atomic_load_explicit(&from[i].number, memory_order_relaxed) != to[i].number) {
            to[i].number = 0;
        }
    }
}

/* A rank writes its record while it is copied. */
static void copy(const struct roll_rank *rank, struct roll_sent *sent)
{
    sent->ticks = rank->sent ? rank->sent->ticks : strata_record_ticks();
    sent->state = rank->state;
    memcpy(&sent->record, rank->record, sizeof sent->record);
    atomic_thread_fence(memory_order_acquire);
    drop_changed(rank->record->entry, sent->record.entry, STRATA_RECORD_ENTRIES);
    drop_changed(rank->record->longest, sent->record.longest, STRATA_RECORD_LONGEST);
}

bool roll_send_records(int socket, const struct roll_job *job, const bool *chosen)
{
    static struct roll_sent record;
    uint64_t count = 0;
    for (int i = 0; i < job->count; i++) {
        count += !chosen || chosen[i];
    }
    bool whole = tell(socket, &count, sizeof count);
    for (int i = 0; whole && i < job->count; i++) {
        if (!chosen || chosen[i]) {
            copy(&job->ranks[i], &record);
            whole = tell(socket, &record, sizeof record);
        }
    }
    return whole;
}

void roll_take_records(struct roll_hosts *hosts, int socket)
{
    struct roll_host *host = add(hosts, socket);
    if (host) {
        (void)take(host);
        leave(host);
    }
}

void roll_free_hosts(struct roll_hosts *hosts)
{
    for (int i = 0; i < hosts->count; i++) {
        struct roll_host *host = &hosts->host[i];
        for (struct roll_kept *next; host->kept; host->kept = next) {
            next = host->kept->next;
            free(host->kept);
        }
        if (host->socket >= 0) {
            close(host->socket);
        }
    }
    free(hosts->host);
    *hosts = (struct roll_hosts){.door = -1};
}
