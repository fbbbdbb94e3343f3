/* Runs a target without libFuzzer: on each file that is named, or in a folder that is named, and on
 * so many texts more that are made of them by changes, or as many as so many seconds allow.
 *
 *   replay CHANGED PATH...
 *   replay SECONDSs PATH...
 *
 * A changed text has one to four changes: a byte replaced, put in or taken out, a piece taken out
 * or said twice, or the end of another file. The number of a text decides them, so a text that
 * fails is made again by the same call. Its number is printed where the process aborts. With
 * STRATA_TEST_SHOW each text is printed before it runs. */
#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "tests/fuzz/fuzz.h"
#include "tests/random.h"

enum { MOST = 1 << 20, MOST_FILES = 256, MOST_CHANGES = 4, PIECE = 16 };

struct text {
    uint8_t *bytes;
    size_t size;
};

static struct text files[MOST_FILES];
static int count;
static char told[64]; /* which changed text runs */

/* The sanitizers call it before they end the process. */
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

static void tell_number(void)
{
    (void)!write(STDERR_FILENO, told, strlen(told));
}

static void tell_abort(int signal)
{
    (void)signal;
    tell_number();
}

/* The bytes lie in memory that is exactly as long, so that sanitizers see reads behind them. */
static void run(const uint8_t *bytes, size_t size)
{
    uint8_t *exact = malloc(size > 0 ? size : 1);
    if (!exact) {
        abort();
    }
    if (size > 0) {
        memcpy(exact, bytes, size);
    }
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
}

static bool read_file(const char *path)
{
    static uint8_t bytes[MOST];
    FILE *file = count < MOST_FILES ? fopen(path, "rb") : NULL;
    if (!file) {
        fprintf(stderr, "%s cannot be read\n", path);
        return false;
    }
    struct text *t = &files[count++];
    t->size = fread(bytes, 1, MOST, file);
    t->bytes = malloc(t->size + 1);
    fclose(file);
    if (!t->bytes) {
        return false;
    }
    memcpy(t->bytes, bytes, t->size);
    run(t->bytes, t->size);
    return true;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* In the order of names, which the numbers of changed texts count on. */
static bool read_path(const char *path)
{
    struct dirent **entries;
    int found = scandir(path, &entries, NULL, by_name);
    bool right = found >= 0 || read_file(path);
    for (int i = 0; i < found; i++) {
        char inside[4096];
        snprintf(inside, sizeof inside, "%s/%s", path, entries[i]->d_name);
        right = right && (entries[i]->d_name[0] == '.' || read_file(inside));
        free(entries[i]);
    }
    if (found >= 0) {
        free(entries);
    }
    return right;
}

/* Puts `length` bytes in the place of `gone` bytes at `at`, as far as there is room. */
static void replace(struct text *t, size_t at, size_t gone, const uint8_t *put, size_t length)
{
    if (t->size - gone + length > MOST) {
        return;
    }
    memmove(t->bytes + at + length, t->bytes + at + gone, t->size - at - gone);
    memcpy(t->bytes + at, put, length);
    t->size += length - gone;
}

static void change(struct text *t, struct random *r)
{
    uint8_t piece[PIECE];
    const struct text *other = &files[random_below(r, count)];
    size_t at = (size_t)random_below(r, (int)t->size + 1), rest = t->size - at;
    size_t length = (size_t)random_between(r, 1, PIECE);
    size_t from = (size_t)random_below(r, (int)other->size + 1);
    length = length < rest ? length : rest;
    memcpy(piece, t->bytes + at, length);
    uint8_t byte = (uint8_t)random_below(r, 256);
    switch (random_below(r, 6)) {
    case 0:
        replace(t, at, rest > 0, &byte, 1);
        break;
    case 1:
        replace(t, at, 0, &byte, 1);
        break;
    case 2:
        replace(t, at, length, piece, 0);
        break;
    case 3:
        replace(t, at, 0, piece, length);
        break;
    case 4:
        replace(t, at, rest > 0, (const uint8_t *)"0123456789:,=*\n" + byte % 15, 1);
        break;
    default:
        replace(t, at, rest, other->bytes + from, other->size - from);
    }
}

static void run_changed(int number)
{
    static uint8_t bytes[MOST];
    struct random r = {random_mix((uint64_t)number + 1)};
    const struct text *from = &files[random_below(&r, count)];
    struct text t = {bytes, from->size};
    memcpy(bytes, from->bytes, from->size);
    for (int changes = random_between(&r, 1, MOST_CHANGES); changes > 0; changes--) {
        change(&t, &r);
    }
    if (getenv("STRATA_TEST_SHOW")) {
        fprintf(stderr, "text %d: %.*s\n", number, (int)t.size, (const char *)t.bytes);
    }
    run(t.bytes, t.size);
}

/* Runs so many changed texts, "2000", or those of so many seconds, "6s". Returns how many. */
static int run_all_changed(const char *limit)
{
    char *unit;
    long most = strtol(limit, &unit, 10);
    const bool timed = *unit == 's';
    const double end = strata_seconds() + (double)most;
    signal(SIGABRT, tell_abort); /* the process ends all the same */
    if (__sanitizer_set_death_callback) {
        __sanitizer_set_death_callback(tell_number);
    }
    int number = 0;
    for (; timed ? strata_seconds() < end : number < most; number++) {
        snprintf(told, sizeof told, "this was text %d\n", number);
        run_changed(number);
    }
    return number;
}

int main(int argc, char **argv)
{
    bool right = argc > 2;
    for (int i = 2; i < argc && right; i++) {
        right = read_path(argv[i]);
    }
    int changed = right && count > 0 ? run_all_changed(argv[1]) : 0;
    printf("%d files, %d texts made of them\n", count, changed);
    for (int i = 0; i < count; i++) {
        free(files[i].bytes);
    }
    return !right || count == 0;
}
