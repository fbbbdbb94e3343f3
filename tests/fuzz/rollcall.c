/* Files of recorders, of a job of two ranks, as `strata rollcall` reads them. A text says what is
 * in them: pieces of a line's number and the line's bytes, numbered through both files; all others
 * are zeros. Whatever they hold, the job is reported, its calls are timed and compared, and its
 * timeline and page are written. What is printed is lost, and no other program is started. */
#define _GNU_SOURCE
#include <errno.h>
#include <spawn.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"
#include "tools/rollcall/rollcall.h"

enum { FILES = 2, LINE = 64, PIECE = 2 + LINE, LINES = sizeof(struct strata_record) / LINE };
_Static_assert(sizeof(struct strata_record) % LINE == 0, "a file is whole lines");
_Static_assert(FILES *LINES <= UINT16_MAX, "two bytes number a line");

/* By this name the linker has the command start programs (tests/fuzz/CMakeLists.txt). */
/* NOLINTBEGIN(bugprone-reserved-identifier) */
int __wrap_posix_spawnp(pid_t *child, const char *file, const posix_spawn_file_actions_t *actions,
                        const posix_spawnattr_t *attributes, char *const *words,
                        char *const *environment);

int __wrap_posix_spawnp(pid_t *child, const char *file, const posix_spawn_file_actions_t *actions,
                        const posix_spawnattr_t *attributes, char *const *words,
                        char *const *environment)
{
    (void)child, (void)file, (void)actions, (void)attributes, (void)words, (void)environment;
    return EACCES;
}
/* NOLINTEND(bugprone-reserved-identifier) */

static void fill(struct strata_record *records, const uint8_t *data, size_t size)
{
    for (; size >= PIECE; data += PIECE, size -= PIECE) {
        const size_t line = (size_t)(data[0] | data[1] << 8) % (FILES * LINES);
        memcpy((char *)records + line * LINE, data + 2, LINE);
    }
    for (int i = 0; i < FILES; i++) { /* or nothing more is looked at */
        memcpy(records[i].magic, STRATA_RECORD_MAGIC, sizeof STRATA_RECORD_MAGIC);
        records[i].bytes = sizeof *records;
        records[i].place = records[i].place ? records[i].place : strata_record_place();
    }
}

static void write_file(const char *folder, int number, const struct strata_record *record)
{
    char path[64];
    snprintf(path, sizeof path, "%s/" STRATA_RECORD_PREFIX "%d", folder, number);
    FILE *file = fopen(path, "wb");
    if (!file || fchmod(fileno(file), 0600) != 0 || fwrite(record, sizeof *record, 1, file) != 1 ||
        fclose(file) != 0) {
        abort();
    }
}

static void remove_file(const char *folder, int number)
{
    char path[64];
    snprintf(path, sizeof path, "%s/" STRATA_RECORD_PREFIX "%d", folder, number);
    unlink(path);
}

/* All that is said of jobs goes to stdout. */
static void tell(struct roll_rank *ranks, int count)
{
    struct roll_job job = {0};
    while (roll_next_job(ranks, count, 0, &job)) {
        roll_report(&job, 0);
        roll_late(&job, "");
        roll_disagreements(&job, "");
        roll_timeline(&job, stdout);
        roll_page(&job, stdout);
        roll_read_again(&job);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char folder[] = "/tmp/strata-fuzz-XXXXXX";
    const char *const folders[] = {folder, NULL}, *wrong = NULL;
    static struct strata_record records[FILES];
    struct roll_rank *ranks = NULL;
    FILE *out = stdout;
    if (!mkdtemp(folder)) {
        abort();
    }
    memset(records, 0, sizeof records);
    fill(records, data, size);
    for (int i = 0; i < FILES; i++) {
        write_file(folder, i, &records[i]);
    }
    stdout = fopen("/dev/null", "w");
    const int count = roll_read(folders, &ranks, &wrong);
    for (int i = 0; i < FILES; i++) {
        remove_file(folder, i);
    }
    rmdir(folder);
    if (!stdout || count < 0 || count > FILES) {
        abort();
    }
    tell(ranks, count);
    roll_free(ranks, count);
    fclose(stdout);
    stdout = out;
    return 0;
}
