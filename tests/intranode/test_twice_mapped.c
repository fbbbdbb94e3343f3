/* Memory that is mapped twice. A store at one place is read at the other, also by another process
 * that finds the file. A store at the other place ends the process. No other file is taken for it,
 * and no process needs to keep it open. A name that it has for a moment replaces no other file, and
 * leads through no link. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
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

/* Stands before the system's, so that a file can be put where the next name will be. */
static uint64_t drawn;

ssize_t getrandom(void *buffer, size_t length, unsigned flags)
{
    (void)flags;
    assert_int_equal(length, sizeof drawn);
    memcpy(buffer, &drawn, length);
    return (ssize_t)length;
}

/* Draws a number that only this process uses. */
static void draw_name(char name[64])
{
    drawn = UINT64_C(0x7357) << 48 | (uint64_t)getpid();
    snprintf(name, 64, "/dev/shm/strata.%016llx", (unsigned long long)drawn);
    unlink(name);
}

/* As for a process that may not see the owner's open files. */
static void test_name(void **state)
{
    char name[64];
    struct stat found;
    struct strata_open_file file;
    struct strata_twice_mapped m;
    (void)state;
    draw_name(name);
    assert_int_equal(strata_open_file_create(BYTES, &file), STRATA_OK);
    assert_int_equal(strata_open_file_name(&file), STRATA_OK);
    assert_int_equal(lstat(name, &found), 0);
    assert_int_equal(found.st_ino, file.inode);
    file.owner = -1;
    assert_int_equal(strata_twice_mapped_find(&m, &file, BYTES), STRATA_OK);
    strata_twice_mapped_end(&m);
    strata_open_file_close(&file);
    assert_int_equal(lstat(name, &found), -1);
}

/* The name is another user's by now, and a link to the very file. */
static void test_name_becomes_link(void **state)
{
    char name[64], path[64];
    struct strata_open_file file;
    struct strata_twice_mapped m = {0};
    (void)state;
    draw_name(name);
    assert_int_equal(strata_open_file_create(BYTES, &file), STRATA_OK);
    assert_int_equal(strata_open_file_name(&file), STRATA_OK);
    snprintf(path, sizeof path, "/proc/self/fd/%d", (int)file.number);
    assert_int_equal(unlink(name), 0);
    assert_int_equal(symlink(path, name), 0);
    assert_int_equal(strata_twice_mapped_find(&m, &file, BYTES), STRATA_ERR_UNSUPPORTED);
    strata_open_file_close(&file);
}

/* Whether it is still the file, of one letter. */
static void must_be_unchanged(const char *path, const struct stat *before)
{
    struct stat found;
    char text[2];
    int number = open(path, O_RDONLY);
    assert_int_equal(fstat(number, &found), 0);
    assert_int_equal(found.st_ino, before->st_ino);
    assert_int_equal(found.st_mode, before->st_mode);
    assert_int_equal(read(number, text, sizeof text), 1);
    assert_int_equal(text[0], 'x');
    close(number);
}

/* A file has the name already, or a link to one has. */
static void test_name_is_taken(void **state)
{
    char name[64], other[80];
    struct stat before, found;
    struct strata_open_file file;
    (void)state;
    draw_name(name);
    snprintf(other, sizeof other, "%s.other", name);
    for (int linked = 0; linked < 2; linked++) {
        int number = open(linked ? other : name, O_CREAT | O_EXCL | O_RDWR, 0644);
        assert_int_equal(write(number, "x", 1), 1);
        assert_int_equal(fstat(number, &before), 0);
        close(number);
        if (linked) {
            assert_int_equal(symlink(other, name), 0);
        }
        assert_int_equal(strata_open_file_create(BYTES, &file), STRATA_OK);
        assert_int_equal(strata_open_file_name(&file), STRATA_ERR_UNSUPPORTED);
        strata_open_file_close(&file);
        must_be_unchanged(linked ? other : name, &before);
        assert_int_equal(lstat(name, &found), 0);
        assert_int_equal(S_ISLNK(found.st_mode), linked > 0);
        unlink(name);
        unlink(other);
    }
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
        cmocka_unit_test(test_rights),
        cmocka_unit_test(test_both_places),
        cmocka_unit_test(test_read_only),
        cmocka_unit_test(test_other_process),
        cmocka_unit_test(test_not_found),
        cmocka_unit_test(test_name),
        cmocka_unit_test(test_name_becomes_link),
        cmocka_unit_test(test_name_is_taken),
        cmocka_unit_test(test_too_much),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
