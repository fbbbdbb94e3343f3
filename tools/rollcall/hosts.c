/* What the hosts of a job say to each other. Nobody waits long for anybody: a socket that does not
 * answer in time is closed. A host connects again. */
#define _GNU_SOURCE /* accept4 */
#include "tools/rollcall/hosts.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <math.h>
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

#include "core/base/clock.h"

/* Seconds: for a stranger; for all answers to a question together, each of which may take a little
 * time at least; for who is asked, and who reads. */
enum { GREETING = 1, PULSE = 2, RECORDS = 10, PATIENCE = 60 };
static const double LEAST = 0.2;
enum { MOST = 1 << 13 }; /* records of all hosts, 1.2 GB */

struct roll_hello {
    uint64_t second;
    uint64_t bytes; /* of a record */
    uint64_t role;
};

static void set_patience(int socket, double seconds)
{
    const struct timeval most = {.tv_sec = (time_t)seconds,
                                 .tv_usec = (suseconds_t)(1e6 * (seconds - floor(seconds)))};
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
    const int opened = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    hosts->door = opened >= 0 ? fcntl(opened, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) : -1;
    if (opened >= 0) {
        close(opened);
    }
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
static int greet(struct roll_hosts *hosts, int socket)
{
    struct roll_hello hello;
    set_patience(socket, GREETING);
    if (!tell(socket, &hosts->said.first, sizeof hosts->said.first) ||
        !hear(socket, &hello, sizeof hello) || hello.second != hosts->said.second ||
        hello.bytes != sizeof(struct strata_record)) {
        close(socket);
        return -1;
    }
    set_patience(socket, PATIENCE);
    if (hello.role == ROLL_READER) {
        return socket;
    }
    (void)add(hosts, socket);
    return -1;
}

int roll_hear(struct roll_hosts *hosts)
{
    const int socket = accept4(hosts->door, NULL, NULL, SOCK_CLOEXEC);
    if (socket < 0 && errno != EAGAIN && errno != EINTR && errno != ECONNABORTED) {
        close(hosts->door);
        hosts->door = -1;
    }
    return socket < 0 ? -1 : greet(hosts, socket);
}

static bool same_rank(const struct strata_record *a, const struct strata_record *b)
{
    return a->rank == b->rank && a->job == b->job;
}

/* Takes the place out of what a host left that is heard no more; NULL: it left none. */
static struct roll_kept *inherit(struct roll_hosts *hosts, const struct strata_record *record)
{
    for (int h = 0; h < hosts->count; h++) {
        struct roll_kept **at = &hosts->host[h].first;
        while (hosts->host[h].socket < 0 && *at && !same_rank(&(*at)->sent.record, record)) {
            at = &(*at)->next;
        }
        if (hosts->host[h].socket < 0 && *at) {
            struct roll_kept *kept = *at;
            *at = kept->next;
            return kept;
        }
    }
    return NULL;
}

static struct roll_kept *make(struct roll_hosts *hosts)
{
    struct roll_kept *kept =
        hosts->records < MOST ? aligned_alloc(_Alignof(struct roll_kept), sizeof *kept) : NULL;
    hosts->records += kept != NULL;
    return kept;
}

/* The place for a rank's record, of those that begin at **at; NULL: there is none. Ranks come in
 * their order. */
static struct roll_kept *find_place(struct roll_hosts *hosts, struct roll_kept ***at,
                                    const struct strata_record *record)
{
    while (**at && (**at)->sent.record.rank < record->rank) {
        *at = &(**at)->next;
    }
    if (**at && same_rank(&(**at)->sent.record, record)) {
        return **at;
    }
    struct roll_kept *kept = inherit(hosts, record);
    kept = kept ? kept : make(hosts);
    if (kept) {
        kept->next = **at;
        **at = kept;
    }
    return kept;
}

/* Only a whole record takes the place of the one before. */
static bool take(struct roll_hosts *hosts, struct roll_host *host)
{
    static struct roll_sent record;
    struct roll_kept **at = &host->first;
    uint64_t count = 0;
    bool whole = hear(host->socket, &count, sizeof count) && count <= MOST;
    for (uint64_t i = 0; whole && i < count; i++) {
        whole = hear(host->socket, &record, sizeof record) && roll_is_record(&record.record) &&
                record.state <= ROLL_UNHEARD;
        struct roll_kept *place = whole ? find_place(hosts, &at, &record.record) : NULL;
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
    for (struct roll_kept *kept = host->first; kept; kept = kept->next) {
        kept->sent.state = ROLL_UNHEARD;
    }
}

/* All are asked before the first one is heard. */
void roll_ask_hosts(struct roll_hosts *hosts, enum roll_question question)
{
    const uint64_t asks = question;
    const double end = strata_seconds() + (question == ROLL_PULSE ? PULSE : RECORDS);
    for (int i = 0; i < hosts->count; i++) {
        struct roll_host *host = &hosts->host[i];
        if (host->socket >= 0 && !tell(host->socket, &asks, sizeof asks)) {
            leave(host);
        }
    }
    for (int i = 0; i < hosts->count; i++) {
        struct roll_host *host = &hosts->host[i];
        if (host->socket < 0) {
            continue;
        }
        set_patience(host->socket, fmax(LEAST, end - strata_seconds()));
        if (!(question == ROLL_PULSE ? hear(host->socket, &host->pulse, sizeof host->pulse)
                                     : take(hosts, host))) {
            leave(host);
        }
    }
}

size_t roll_bytes_sent(const struct roll_hosts *hosts)
{
    return (size_t)hosts->records * sizeof(struct roll_sent);
}

static int reach(uint32_t address, const struct strata_record_door *door)
{
    const struct sockaddr_in name = name_of(address, door->port);
    const int one = 1, client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    uint64_t first = 0;
    if (client < 0) {
        return -1;
    }
    set_patience(client, PULSE);
    if (connect(client, (const struct sockaddr *)&name, sizeof name) != 0 ||
        !hear(client, &first, sizeof first) || first != door->first) {
        close(client);
        return -1;
    }
    (void)setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    set_patience(client, PATIENCE);
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
static void copy_entries(const struct strata_record_entry *from, struct strata_record_entry *to,
                         int count)
{
    for (int i = 0; i < count; i++) {
        const uint64_t number = atomic_load_explicit(&from[i].number, memory_order_acquire);
        memcpy(&to[i], &from[i], sizeof to[i]);
        atomic_thread_fence(memory_order_acquire);
        const uint64_t after = atomic_load_explicit(&from[i].number, memory_order_relaxed);
        atomic_store_explicit(&to[i].number, after == number ? number : 0, memory_order_relaxed);
    }
}

/* A rank writes its record while it is copied. */
static void copy(const struct roll_rank *rank, struct roll_sent *sent)
{
    sent->now = rank->sent ? rank->sent->now : strata_record_now();
    sent->state = rank->state;
    memcpy(&sent->record, rank->record, sizeof sent->record);
    copy_entries(rank->record->entry, sent->record.entry, STRATA_RECORD_ENTRIES);
    copy_entries(rank->record->longest, sent->record.longest, STRATA_RECORD_LONGEST);
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

bool roll_take_records(struct roll_hosts *hosts, int socket)
{
    struct roll_host *host = add(hosts, socket);
    const bool whole = host && take(hosts, host);
    if (host) {
        close(socket);
        host->socket = -1;
    }
    return whole;
}

void roll_free_hosts(struct roll_hosts *hosts)
{
    for (int i = 0; i < hosts->count; i++) {
        struct roll_host *host = &hosts->host[i];
        for (struct roll_kept *next; host->first; host->first = next) {
            next = host->first->next;
            free(host->first);
        }
        if (host->socket >= 0) {
            close(host->socket);
        }
    }
    free(hosts->host);
    *hosts = (struct roll_hosts){.door = -1};
}
