/* Where a call stands in the sources, as addr2line of binutils tells it. */
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/rollcall/rollcall.h"

static const struct strata_record_module *find_module(const struct strata_record *record,
                                                      uint64_t address)
{
    const struct strata_record_module *found = NULL;
    for (uint32_t i = 0; i < record->modules && i < STRATA_RECORD_MODULES; i++) {
        const struct strata_record_module *m = &record->module[i];
        const bool holds = address > m->begin && address <= m->end;
        found = holds && memchr(m->path, '\0', sizeof m->path) ? m : found;
    }
    return found;
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Starts addr2line with its output in a pipe. Returns the end to read, or NULL. */
static FILE *start(const char *path, const char *offset, pid_t *child)
{
    char *const arguments[] = {
        "addr2line", "-f", "-C", "-e", (char *)(uintptr_t)path, (char *)(uintptr_t)offset, NULL};
    char *const nothing[] = {NULL};
    posix_spawn_file_actions_t actions;
    int ends[2];
    if (pipe(ends) != 0) {
        return NULL;
    }
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    const int error = posix_spawnp(child, arguments[0], &actions, NULL, arguments, nothing);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (error != 0) {
        close(ends[0]);
        return NULL;
    }
    return fdopen(ends[0], "r");
}

/* Two lines: the function, and "/path/file.c:12 (discriminator 2)". Returns false where they are
 * not known. */
static bool ask(const char *path, uint64_t offset, char *text)
{
    char number[32], function[ROLL_TEXT] = "", line[ROLL_TEXT] = "";
    pid_t child;
    snprintf(number, sizeof number, "0x%llx", (unsigned long long)offset);
    FILE *answer = start(path, number, &child);
    if (!answer) {
        return false;
    }
    const bool whole = fgets(function, sizeof function, answer) && fgets(line, sizeof line, answer);
    (void)fclose(answer);
    waitpid(child, NULL, 0);
    function[strcspn(function, "\n")] = '\0';
    line[strcspn(line, " \n")] = '\0';
    snprintf(text, ROLL_TEXT, "%.200s (%.200s)", last_part(line), function);
    return whole && line[0] && strncmp(line, "??", 2) != 0;
}

/* The address behind a call may be another line's, so the one before it is asked for. */
static void find_site(const struct strata_record *record, uint64_t address, char *text)
{
    const struct strata_record_module *m = find_module(record, address);
    if (!m) {
        snprintf(text, ROLL_TEXT, "0x%llx", (unsigned long long)address);
    } else if (!ask(m->path, address - 1 - m->base, text)) {
        snprintf(text, ROLL_TEXT, "%s+0x%llx", last_part(m->path),
                 (unsigned long long)(address - m->base));
    }
}

/* Ranks call from few places, so their answers are kept, longer than the files are mapped. Where
 * code lies is each rank's own. */
const char *roll_site(const struct strata_record *record, uint64_t address, char *text)
{
    enum { KEPT = 64 };
    static struct kept {
        uint64_t offset;
        char path[STRATA_RECORD_PATH], text[ROLL_TEXT]; /* no path: not used yet */
    } kept[KEPT];
    static int next;
    const struct strata_record_module *m = find_module(record, address);
    for (int i = 0; m && i < KEPT; i++) {
        const struct kept *k = &kept[i];
        if (k->path[0] && k->offset == address - m->base && strcmp(k->path, m->path) == 0) {
            snprintf(text, ROLL_TEXT, "%s", k->text);
            return text;
        }
    }
    find_site(record, address, text);
    if (m) {
        struct kept *k = &kept[next++ % KEPT];
        snprintf(k->path, sizeof k->path, "%s", m->path);
        k->offset = address - m->base;
        snprintf(k->text, sizeof k->text, "%s", text);
    }
    return text;
}
