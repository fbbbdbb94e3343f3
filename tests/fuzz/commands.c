/* Command lines of `strata`: a word on each line. The command ends with one of its exit codes, and
 * says why where it was used wrongly. It starts no program here and writes no file: to it both look
 * refused. Numbers have one digit, or large plans would be proved for minutes. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"
#include "tools/command/command.h"

enum { MOST_WORDS = 24 };

int strata_main(int argc, char **argv);

static bool runs; /* the command, which alone is refused */

/* By these names the linker has the command call the functions below (tests/fuzz/CMakeLists.txt).
 */
/* NOLINTBEGIN(bugprone-reserved-identifier) */
pid_t __wrap_fork(void);
int __wrap_execvp(const char *file, char *const *words);
int __wrap_mkdir(const char *path, mode_t mode);
int __wrap_open(const char *path, int flags, ...);
int __real_open(const char *path, int flags, ...);
FILE *__wrap_fopen(const char *path, const char *mode);
FILE *__real_fopen(const char *path, const char *mode);

static int refuse(void)
{
    errno = EACCES;
    return -1;
}

pid_t __wrap_fork(void)
{
    return refuse();
}

int __wrap_execvp(const char *file, char *const *words)
{
    (void)file;
    (void)words;
    return refuse();
}

int __wrap_mkdir(const char *path, mode_t mode)
{
    (void)path;
    (void)mode;
    return refuse();
}

/* Platforms may be read. */
int __wrap_open(const char *path, int flags, ...)
{
    const char *end = strrchr(path, '.');
    bool platform = (flags & O_ACCMODE) == O_RDONLY && end && strcmp(end, ".xml") == 0;
    return platform ? __real_open(path, flags) : refuse();
}

FILE *__wrap_fopen(const char *path, const char *mode)
{
    return runs ? (refuse(), NULL) : __real_fopen(path, mode);
}
/* NOLINTEND(bugprone-reserved-identifier) */

/* Whether it has a number of several digits, or one with a unit; or is `split` without numbers,
 * whose own take a minute with sanitizers. */
static bool is_long(const char *text)
{
    if (strncmp(text, "split", 5) == 0 && !strstr(text, "--ranks")) {
        return true;
    }
    for (const char *c = text; *c; c++) {
        bool digit = *c >= '0' && *c <= '9';
        if (digit && c[1] && strchr("0123456789kKmMgGeExX.", c[1])) {
            return true;
        }
    }
    return false;
}

static int run(char *text)
{
    char name[] = "strata", *words[MOST_WORDS + 2] = {name}, *rest = NULL;
    int count = 1;
    for (char *word = strtok_r(text, "\n", &rest); word && count <= MOST_WORDS;
         word = strtok_r(NULL, "\n", &rest)) {
        words[count++] = word;
    }
    words[count] = NULL;
    runs = true;
    int code = strata_main(count, words);
    runs = false;
    return code;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size), *said = NULL;
    size_t length = 0;
    FILE *out = stdout, *err = stderr;
    int code = TOOL_OK;
    if (!is_long(text)) {
        stdout = __real_fopen("/dev/null", "w");
        stderr = open_memstream(&said, &length);
        if (!stdout || !stderr) {
            abort();
        }
        code = run(text);
        fclose(stdout);
        fclose(stderr);
        stdout = out;
        stderr = err;
    }
    if (code < TOOL_OK || code > TOOL_WRONG_USE || (code != TOOL_OK && length == 0)) {
        fprintf(stderr, "exit code %d, \"%s\"\n", code, said ? said : "");
        abort();
    }
    free(said);
    free(text);
    return 0;
}
