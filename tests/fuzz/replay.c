/* Runs a target on each file that is named, or in a folder that is named, without libFuzzer. */
#include <dirent.h>

#include "tests/fuzz/fuzz.h"

static int files;

/* The bytes lie in memory that is exactly as long, so that sanitizers see reads behind them. */
static int run_file(const char *path)
{
    enum { MOST = 1 << 20 };
    static uint8_t bytes[MOST];
    FILE *file = fopen(path, "rb");
    if (!file) {
        fprintf(stderr, "%s cannot be read\n", path);
        return 1;
    }
    size_t size = fread(bytes, 1, MOST, file);
    fclose(file);
    uint8_t *exact = malloc(size > 0 ? size : 1);
    if (!exact) {
        return 1;
    }
    memcpy(exact, bytes, size);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    files++;
    return 0;
}

static int run_folder(DIR *folder, const char *name)
{
    int failed = 0;
    for (struct dirent *entry; (entry = readdir(folder)) && !failed;) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", name, entry->d_name);
        failed = entry->d_name[0] == '.' ? 0 : run_file(path);
    }
    closedir(folder);
    return failed;
}

int main(int argc, char **argv)
{
    int failed = 0;
    for (int i = 1; i < argc && !failed; i++) {
        DIR *folder = opendir(argv[i]);
        failed = folder ? run_folder(folder, argv[i]) : run_file(argv[i]);
    }
    printf("%d files\n", files);
    return failed || files == 0;
}
