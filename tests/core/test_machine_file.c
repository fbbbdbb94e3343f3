/* Files that describe machines: what is read, and what is said of files that are damaged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/name_values.h"
#include "core/cost/machine_file.h"
#include "tests/assert_cmp.h"

#define HEAD                                                                                       \
    "# Strata's machine\n"                                                                         \
    "host = n1 n2\n"                                                                               \
    "date = 2026-11-28\n"                                                                          \
    "mpi = Open MPI 4.1.4\n"                                                                       \
    "command = mpirun -n 8 strata tune machine\n"                                                  \
    "\n"                                                                                           \
    "machine = gigabit # what the file does not say\n"
#define FIGURES                                                                                    \
    "alpha = 2.5e-5   # quartiles 2.4e-5 to 2.7e-5\r\n"                                            \
    "  beta=8e-9\n"                                                                                \
    "alpha_package = 3e-7 # of 4e-7\n"                                                             \
    "\tports = 3\n"
static const char whole[] = HEAD FIGURES "end\n";

static int parse(const char *text, struct strata_machine *m, struct strata_diagnostic *message)
{
    return strata_machine_file_parse(text, strlen(text), m, message);
}

static void test_read(void **state)
{
    (void)state;
    struct strata_machine m, gigabit;
    struct strata_diagnostic message = {""};
    assert_int_equal(parse(whole, &m, &message), STRATA_OK);
    assert_string_equal(message.text, "");
    assert_int_equal(
        strata_machine_parse("gigabit:alpha=2.5e-5,beta=8e-9,alpha_package=3e-7,ports=3", &gigabit,
                             NULL),
        STRATA_OK);
    assert_memory_equal(&m, &gigabit, sizeof m);
}

/* Lines 8 and later are figures. */
static const struct {
    const char *text, *said;
} damaged[] = {
    {"", "host is missing"},
    {"\n\n#", "host is missing"},
    {"end\n", "host is missing"},
    {HEAD, "end is missing"},
    {HEAD FIGURES, "end is missing"},
    {HEAD FIGURES "en", "line 12: \"en\" is no parameter"},
    {HEAD FIGURES "END\n", "line 12: \"END\" is no parameter"},
    {HEAD FIGURES "end = 1\n", "line 12: end has a value"},
    {HEAD FIGURES "end\nend\n", "line 13: end stands there twice"},
    {HEAD FIGURES "end\ngap = 1e-6\n", "line 13: gap stands behind end"},
    {HEAD FIGURES "end\nHTTP/1.1 404\n", "line 13: \"HTTP/1.1 404\" is no parameter"},
    {HEAD "alpha\nend", "line 8: alpha is \"\", but allowed is"},
    {HEAD "alpha =\nend", "line 8: alpha is \"\", but allowed is"},
    {HEAD "alpha = # 1e-6\nend", "line 8: alpha is \"\", but allowed is"},
    {HEAD "alpha 1e-6\nend", "line 8: \"alpha 1e-6\" is no parameter"},
    {HEAD "alpha: 1e-6\nend", "line 8: \"alpha: 1e-6\" is no parameter"},
    {HEAD "alpha == 1e-6\nend", "line 8: alpha is \"= 1e-6\""},
    {HEAD "alpha = 1e-6 s\nend", "line 8: alpha is \"1e-6 s\""},
    {HEAD "alpha = 1,5e-6\nend", "line 8: alpha is \"1,5e-6\""},
    {HEAD "alpha = 1e-6,beta = 2\nend", "line 8: alpha is \"1e-6,beta = 2\""},
    {HEAD "alpha = 1e-6 2e-6\nend", "line 8: alpha is \"1e-6 2e-6\""},
    {HEAD "alpha = 1.5e-\nend", "line 8: alpha is \"1.5e-\""},
    {HEAD "alpha = -1e-6\nend", "line 8: alpha is \"-1e-6\""},
    {HEAD "alpha = nan\nend", "line 8: alpha is \"nan\""},
    {HEAD "alpha = inf\nend", "line 8: alpha is \"inf\", but allowed is"},
    {HEAD "alpha = 1e999\nend", "line 8: alpha is \"1e999\", but allowed is"},
    {HEAD "alpha = 1.5\nend", "line 8: alpha is \"1.5\", but allowed is a number of 0 to 1"},
    {HEAD "eager = 1e10\nend", "line 8: eager is \"1e10\", but allowed is a number of 0 to 1e+09"},
    {HEAD "ports = 0\nend", "line 8: ports is \"0\", but allowed is a number of 1 to 1e+09"},
    {HEAD "ports = 0.5\nend", "line 8: ports is \"0.5\""},
    {HEAD "alpha = \"1e-6\"\nend", "line 8: alpha is \"\"1e-6\"\""},
    {HEAD "alpha = 1e-6:gap=1\nend", "line 8: alpha is \"1e-6:gap=1\""},
    {HEAD "Alpha = 1e-6\nend", "line 8: \"Alpha\" is no parameter"},
    {HEAD "alhpa = 1e-6\nend", "line 8: \"alhpa\" is no parameter of a machine"},
    {HEAD "name = n1\nend", "line 8: \"name\" is no parameter"},
    {HEAD "= 1e-6\nend", "line 8: \"\" is no parameter"},
    {HEAD "alpha = 1e-6\nalpha = 1e-6\nend", "line 9: alpha stands there twice"},
    {HEAD "beta_cache = 1e-9\nbeta_cache = 1e-9\nend", "line 9: beta_cache stands there twice"},
    {HEAD "alpha_package = 2\nend",
     "line 8: alpha_package is \"2\", but allowed is a number of 0 to 1"},
    {HEAD "eager_cache = -1\nend",
     "line 8: eager_cache is \"-1\", but allowed is a number of 0 to 1e+09"},
    {HEAD "rendezvous_apart = no\nend", "line 8: rendezvous_apart is \"no\""},
    {HEAD "alpha_socket = 1e-6\nend", "line 8: \"alpha_socket\" is no parameter of a machine"},
    {"overhead_domain = 1e-6\n" HEAD "end", "line 1: overhead_domain stands before machine"},
    {HEAD "alp\nha = 1e-6\nend", "line 8: \"alp\" is no parameter"},
    {HEAD "alpha = 1e-6 beta = 1e-9\nend", "line 8: alpha is \"1e-6 beta = 1e-9\""},
    {HEAD "alpha = 1e-6\rbeta = 1e-9\nend", "line 8: alpha is"},
    {HEAD "\033[2Jalpha = 1e-6\nend", "line 8: a byte 0x1b is no text"},
    {HEAD "alpha = 1e-6\x7f\nend", "line 8: a byte 0x7f is no text"},
    {HEAD "<<<<<<< HEAD\nend", "line 8: \"<<<<<<< HEAD\" is no parameter"},
    {HEAD "machine = cluster\nend", "line 8: machine stands there twice"},
    {HEAD "host = n3\nend", "line 8: host stands there twice"},
    {"{\"alpha\": 1e-6}", "line 1: \"{\"alpha\": 1e-6}\" is no parameter"},
    {"\xef\xbb\xbfhost = n1\n", "line 1: \"\xef\xbb\xbfhost\" is no parameter"},
    {"\xff\xfeh\x01o\n", "line 1: a byte 0x01 is no text"},
    {"alpha = 1e-6\n" HEAD "end", "line 1: alpha stands before machine = NAME"},
    {"host = n1\nmachine = cray\n",
     "line 2: machine \"cray\" is not known; known are: auto, cluster"},
    {"machine = ./other\n", "line 1: machine is \"./other\", another file"},
    {"machine = cluster:alpha=1e-7\n",
     "line 1: machine is \"cluster:alpha=1e-7\", more than a name"},
    {"machine =\n", "line 1: machine has no value"},
    {"host =\n", "line 1: host has no value"},
    {"date = 1\nhost = n\nmpi = m\nmachine = host\nend", "command is missing"},
};

/* A damaged file leaves the machine as it was, and one line says what is wrong. */
static void must_refuse(const char *text, size_t size, const char *said)
{
    struct strata_machine m = *strata_machine_host();
    struct strata_diagnostic message = {""};
    assert_int_equal(strata_machine_file_parse(text, size, &m, &message), STRATA_ERR_SYNTAX);
    assert_memory_equal(&m, strata_machine_host(), sizeof m);
    assert_null(strchr(message.text, '\n'));
    if (!strstr(message.text, said)) {
        fail_msg("\"%s\": said %s", text, message.text);
    }
}

static void test_damaged(void **state)
{
    (void)state;
    ASSERT_CMP(sizeof damaged / sizeof *damaged, >=, 50);
    for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
        must_refuse(damaged[i].text, strlen(damaged[i].text), damaged[i].said);
    }
    must_refuse(whole, sizeof whole, "line 13: a byte 0x00 is no text");
}

/* Wherever a copy ends early, `end` is missing or half there. */
static void test_cut(void **state)
{
    (void)state;
    struct strata_machine m;
    for (size_t size = 0; size < strlen(whole) - 1; size++) {
        struct strata_diagnostic message = {""};
        assert_int_equal(strata_machine_file_parse(whole, size, &m, &message), STRATA_ERR_SYNTAX);
        ASSERT_CMP(message.text[0], !=, '\0');
    }
}

static void test_long(void **state)
{
    (void)state;
    char text[3 * STRATA_LONGEST_LINE];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    must_refuse(text, strlen(text), "line 1: it is longer than 1023 bytes");
    must_refuse(text, STRATA_LONGEST_LINE, "line 1: \"xxx");
}

static void write_file(const char *path, const char *text, int times)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int i = 0; i < times; i++) {
        fputs(text, file);
    }
    assert_int_equal(fclose(file), 0);
}

static void must_find(const char *text, int status, const char *path, const char *said)
{
    struct strata_machine_found found;
    struct strata_diagnostic message = {""};
    assert_int_equal(strata_machine_find(text, &found, &message), status);
    assert_string_equal(found.path, path);
    if (*said ? !strstr(message.text, said) : message.text[0] != '\0') {
        fail_msg("\"%s\": said %s", text, message.text);
    }
}

/* A user's file with a longer path than the description keeps is not read in silence. */
static void must_find_no_long_path(const char *folder)
{
    char name[251], home[512], path[1024];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    snprintf(home, sizeof home, "%s/%s", folder, name);
    assert_int_equal(mkdir(home, 0700), 0);
    setenv("XDG_CONFIG_HOME", home, 1);
    must_find("auto", STRATA_OK, "", "");
    snprintf(path, sizeof path, "%s/strata", home);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/strata/machine", home);
    write_file(path, whole, 1);
    must_find("auto", STRATA_ERR_SYNTAX, "", "its path is longer than 255 characters");
    assert_int_equal(unlink(path), 0);
    snprintf(path, sizeof path, "%s/strata", home);
    assert_int_equal(rmdir(path), 0);
    assert_int_equal(rmdir(home), 0);
    setenv("XDG_CONFIG_HOME", folder, 1);
}

/* The user's file is taken by auto alone. What is no file, or too long, or wrong, is not taken. */
static void test_places(void **state)
{
    (void)state;
    char folder[] = "/tmp/strata.XXXXXX", path[64], text[96];
    struct strata_machine m;
    assert_non_null(mkdtemp(folder));
    setenv("XDG_CONFIG_HOME", folder, 1);
    snprintf(path, sizeof path, "%s/strata", folder);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/strata/machine", folder);
    must_find(path, STRATA_ERR_UNSUPPORTED, "", "machine: cannot be read: No such file");
    write_file(path, whole, 1);
    must_find("auto", STRATA_OK, path, "");
    must_find("auto:alpha=1", STRATA_OK, path, "");
    must_find("cluster", STRATA_OK, "", "");
    must_find("automatic", STRATA_OK, "", "");
    must_find(path, STRATA_OK, path, "");
    snprintf(text, sizeof text, "%s:ports=7", path);
    assert_int_equal(strata_machine_read(text, &m, NULL), STRATA_OK);
    assert_true(m.ports == 7 && m.beta == 8e-9);
    assert_int_equal(strata_machine_read("cluster", &m, NULL), STRATA_OK);
    assert_true(m.ports == 2);
    write_file(path, "alpha = 1\n", 1);
    must_find("auto", STRATA_ERR_SYNTAX, "", "/strata/machine: line 1: alpha stands before");
    write_file(path, "# filler\n", 8000);
    must_find("auto", STRATA_ERR_SYNTAX, "", "machine: it is longer than 65536 bytes");
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkfifo(path, 0600), 0);
    must_find("auto", STRATA_ERR_SYNTAX, "", "machine: cannot be read: it is no regular file");
    assert_int_equal(unlink(path), 0);
    must_find(folder, STRATA_ERR_SYNTAX, "", ": cannot be read: Is a directory");
    must_find_no_long_path(folder);
    snprintf(path, sizeof path, "%s/strata", folder);
    assert_int_equal(rmdir(path), 0);
    assert_int_equal(rmdir(folder), 0);
}

/* A relative XDG_CONFIG_HOME counts as none, and a relative HOME, too. */
static void test_home(void **state)
{
    (void)state;
    char folder[] = "/tmp/strata.XXXXXX", path[64];
    static const char *const below[] = {"/.config", "/.config/strata"};
    assert_non_null(mkdtemp(folder));
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s%s", folder, below[i]);
        assert_int_equal(mkdir(path, 0700), 0);
    }
    snprintf(path, sizeof path, "%s/.config/strata/machine", folder);
    write_file(path, whole, 1);
    setenv("HOME", folder, 1);
    setenv("XDG_CONFIG_HOME", folder + 1, 1);
    must_find("auto", STRATA_OK, path, "");
    unsetenv("XDG_CONFIG_HOME");
    must_find("auto", STRATA_OK, path, "");
    setenv("HOME", folder + 1, 1);
    must_find("auto", STRATA_OK, "", "");
    unsetenv("HOME");
    must_find("auto", STRATA_OK, "", "");
    assert_int_equal(unlink(path), 0);
    for (int i = 1; i >= 0; i--) {
        snprintf(path, sizeof path, "%s%s", folder, below[i]);
        assert_int_equal(rmdir(path), 0);
    }
    assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read), cmocka_unit_test(test_damaged), cmocka_unit_test(test_cut),
        cmocka_unit_test(test_long), cmocka_unit_test(test_places),  cmocka_unit_test(test_home),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
