/* Memory that is mapped twice. A store at one place is read at the other, also by another process
 * that finds the file. A store at the other place ends the process. No other file is taken for it,
 * and no process needs to keep it open. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/error.h"
#include "intranode/twice_mapped.h"
#include "tests/assert_cmp.h"

enum { BYTES = 3 * 4096 + 5 };

static void open_and_map(struct strata_open_file *file, struct strata_twice_mapped *m)
{
    assert_int_equal(strata_open_file_create(BYTES, file), STRATA_OK);
    assert_int_equal(strata_twice_mapped_find(m, file, BYTES), STRATA_OK);
    assert_true(m->write);
    assert_true(m->read);
    ASSERT_CMP(m->write, !=, m->read);
    ASSERT_CMP(m->bytes, >=, BYTES);
}

/* How a child ends that acts: its exit status, or 128 and the signal. */
static int in_child(void (*act)(void *argument), void *argument)
{
    int status = 0;
    pid_t child = fork();
    ASSERT_CMP(child, >=, 0);
    if (child == 0) {
        const struct rlimit none = {0, 0};
        signal(SIGSEGV, SIG_DFL);
        setrlimit(RLIMIT_CORE, &none);
        act(argument);
        _exit(1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* The file is its user's alone, who can open it again, whatever the umask. */
static void test_rights(void **state)
{
    static const mode_t masks[] = {0, 022, 0777};
    (void)state;
    for (size_t i = 0; i < sizeof masks / sizeof *masks; i++) {
        struct strata_open_file file;
        struct stat found;
        mode_t before = umask(masks[i]);
        int status = strata_open_file_create(BYTES, &file);
        umask(before);
        assert_int_equal(status, STRATA_OK);
        assert_int_equal(fstat(file.number, &found), 0);
        assert_int_equal(found.st_mode & 07777, 0600);
        assert_int_equal(found.st_uid, geteuid());
        strata_open_file_close(&file);
    }
}

static void test_both_places(void **state)
{
    struct strata_open_file file;
    struct strata_twice_mapped m;
    (void)state;
    open_and_map(&file, &m);
    for (size_t i = 0; i < BYTES; i++) {
        assert_int_equal(m.read[i], 0);
        m.write[i] = (unsigned char)(i * 31 + 1);
    }
    strata_open_file_close(&file); /* the mapping keeps the file */
    for (size_t i = 0; i < BYTES; i++) {
        assert_int_equal(m.read[i], (unsigned char)(i * 31 + 1));
    }
    strata_twice_mapped_end(&m);
}

static void store(void *argument)
{
    const struct strata_twice_mapped *m = argument;
    *(volatile unsigned char *)(uintptr_t)(m->read + BYTES - 1) = 1;
}

static void test_read_only(void **state)
{
    struct strata_open_file file;
    struct strata_twice_mapped m;
    (void)state;
    open_and_map(&file, &m);
    assert_int_equal(in_child(store, &m), 128 + SIGSEGV);
    assert_int_equal(m.read[BYTES - 1], 0);
    strata_twice_mapped_end(&m);
    strata_open_file_close(&file);
    assert_int_equal(strata_twice_mapped_alone(&m, BYTES), STRATA_OK);
    m.write[BYTES - 1] = 7;
    assert_int_equal(m.read[BYTES - 1], 7);
    assert_int_equal(in_child(store, &m), 128 + SIGSEGV);
    assert_int_equal(m.read[BYTES - 1], 7);
    strata_twice_mapped_end(&m);
}

/* Writes from a process that finds the file only among its parent's open files. */
static void write_from_here(void *argument)
{
    struct strata_twice_mapped m;
    if (strata_twice_mapped_find(&m, argument, BYTES) == STRATA_OK && m.read[0] == 42) {
        m.write[BYTES - 1] = 43;
        strata_twice_mapped_end(&m);
        _exit(0);
    }
}

static void test_other_process(void **state)
{
    struct strata_open_file file;
    struct strata_twice_mapped m;
    (void)state;
    open_and_map(&file, &m);
    m.write[0] = 42;
    assert_int_equal(in_child(write_from_here, &file), 0);
    assert_int_equal(m.read[BYTES - 1], 43);
    strata_twice_mapped_end(&m);
    strata_open_file_close(&file);
}

static void test_not_found(void **state)
{
    struct strata_open_file file, other;
    struct strata_twice_mapped m = {0};
    (void)state;
    assert_int_equal(strata_open_file_create(BYTES, &file), STRATA_OK);
    other = file;
    other.inode++;
    assert_int_equal(strata_twice_mapped_find(&m, &other, BYTES), STRATA_ERR_UNSUPPORTED);
    other = file;
    other.number = -1;
    assert_int_equal(strata_twice_mapped_find(&m, &other, BYTES), STRATA_ERR_UNSUPPORTED);
    other = file;
    strata_open_file_close(&file);
    assert_int_equal(strata_twice_mapped_find(&m, &other, BYTES), STRATA_ERR_UNSUPPORTED);
    assert_null(m.write);
    strata_twice_mapped_end(&m); /* no mapping is left */
}

static void test_too_much(void **state)
{
    struct strata_open_file file;
    struct strata_twice_mapped m = {0};
    (void)state;
    assert_int_equal(strata_open_file_create((size_t)1 << 60, &file), STRATA_ERR_MEMORY);
    assert_int_equal(strata_twice_mapped_alone(&m, (size_t)1 << 60), STRATA_ERR_MEMORY);
    assert_null(m.write);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rights),    cmocka_unit_test(test_both_places),
        cmocka_unit_test(test_read_only), cmocka_unit_test(test_other_process),
        cmocka_unit_test(test_not_found), cmocka_unit_test(test_too_much),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
