#include "core/record/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define NAME(id, name) [STRATA_RECORD_##id] = (name),
static const char *const others[STRATA_RECORD_KINDS] = {STRATA_RECORD_OTHERS(NAME)};

#define MPI_NAME(name) "MPI_" #name,
static const char *const types[] = {NULL, STRATA_RECORD_TYPES(MPI_NAME)};
static const char *const operators[] = {NULL, STRATA_RECORD_OPERATORS(MPI_NAME)};

const char *strata_record_folder(const char *setting, bool *keep)
{
    static const char word[] = "keep";
    const size_t length = strlen(word);
    *keep = strncmp(setting, word, length) == 0 && (!setting[length] || setting[length] == ':');
    if (*keep && setting[length] && setting[length + 1]) {
        return setting + length + 1;
    }
    if (*keep || strcmp(setting, "1") == 0) {
        return STRATA_RECORD_FOLDER;
    }
    return strcmp(setting, "0") == 0 ? NULL : setting;
}

void strata_record_door_print(const struct strata_record_door *door, char *text)
{
    for (size_t i = 0; i < sizeof *door; i++) {
        snprintf(text + 2 * i, 3, "%02x", ((const unsigned char *)door)[i]);
    }
}

bool strata_record_door_read(const char *text, struct strata_record_door *door)
{
    const size_t digits = 2 * sizeof *door;
    if (strlen(text) != digits || strspn(text, "0123456789abcdef") != digits) {
        return false;
    }
    for (size_t i = 0; i < sizeof *door; i++) {
        const char byte[] = {text[2 * i], text[2 * i + 1], '\0'};
        ((unsigned char *)door)[i] = (unsigned char)strtoul(byte, NULL, 16);
    }
    return true;
}

const char *strata_record_kind_name(int kind)
{
    if (kind < STRATA_COLLECTIVE_COUNT) {
        return strata_collective_name((enum strata_collective)kind);
    }
    return kind < STRATA_RECORD_KINDS ? others[kind] : "a call";
}

const char *strata_record_type_name(int type)
{
    return type < (int)(sizeof types / sizeof *types) ? types[type] : NULL;
}

const char *strata_record_operator_name(int op)
{
    return op < (int)(sizeof operators / sizeof *operators) ? operators[op] : NULL;
}

/* The line is "PID (NAME) STATE PARENT ...", and NAME may have anything in it. The start is its
 * 22nd word. */
struct strata_record_process strata_record_process(int pid)
{
    enum { STATE = 3, PARENT, START = 22 };
    struct strata_record_process found = {0};
    char path[64], line[1024];
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    FILE *file = fopen(path, "re");
    const size_t length = file ? fread(line, 1, sizeof line - 1, file) : 0;
    if (file) {
        (void)fclose(file);
    }
    line[length] = '\0';
    const char *at = strrchr(line, ')');
    for (int word = STATE - 1; at && word < START; word++) {
        at = strchr(at + 1, ' ');
        found.state = at && word == STATE - 1 ? at[1] : found.state;
        found.parent = at && word == PARENT - 1 ? atoi(at) : found.parent;
    }
    found.started = at ? strtoull(at, NULL, 10) : 0;
    return found;
}

uint64_t strata_record_place(void)
{
    unsigned boot[3] = {0};
    struct stat info;
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
    if (file) {
        (void)!fscanf(file, "%8x-%4x-%4x", &boot[0], &boot[1], &boot[2]);
        (void)fclose(file);
    }
    const uint64_t space = stat("/proc/self/ns/pid", &info) == 0 ? info.st_ino : 0;
    return ((uint64_t)boot[0] << 32 | boot[1] << 16 | boot[2]) ^ space << 20;
}

struct strata_record_stamp strata_record_now(void)
{
    enum { BILLION = 1000000000 };
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return (struct strata_record_stamp){.ticks = strata_record_ticks(),
                                        .nanoseconds =
                                            (int64_t)time.tv_sec * BILLION + time.tv_nsec};
}
