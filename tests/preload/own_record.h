/* The file in which a recorded test is recorded itself. */
#ifndef STRATA_TESTS_PRELOAD_OWN_RECORD_H
#define STRATA_TESTS_PRELOAD_OWN_RECORD_H

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/record/record.h"

/* That of this process, in the folder of STRATA_RECORD; NULL: there is none. */
static inline const struct strata_record *find_own_record(void)
{
    char path[4096];
    const char *setting = getenv("STRATA_RECORD");
    const char *folder = setting && strncmp(setting, "keep:", 5) == 0 ? setting + 5 : setting;
    DIR *files = folder ? opendir(folder) : NULL;
    const struct strata_record *found = NULL;
    const struct dirent *entry;
    while (files && !found && (entry = readdir(files))) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        const int file = open(path, O_RDONLY);
        struct stat info = {.st_size = 0}; /* another rank may be making its file */
        void *memory = MAP_FAILED;
        if (fstat(file, &info) == 0 && info.st_size == sizeof *found) {
            memory = mmap(NULL, sizeof *found, PROT_READ, MAP_SHARED, file, 0);
        }
        close(file);
        if (memory != MAP_FAILED && strncmp(entry->d_name, STRATA_RECORD_PREFIX, 14) == 0 &&
            ((const struct strata_record *)memory)->pid == getpid()) {
            found = memory;
        } else if (memory != MAP_FAILED) {
            munmap(memory, sizeof *found);
        }
    }
    if (files) {
        closedir(files);
    }
    return found;
}

#endif
