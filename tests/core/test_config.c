/* The configuration table: defaults, allowed and refused values, unknown names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/config.h"
#include "tests/assert_cmp.h"

struct complaints {
    int count;
    char text[4096];
};

static void record(void *context, const char *sentence, const char *instead)
{
    struct complaints *said = context;
    said->count++;
    size_t used = strlen(said->text);
    snprintf(said->text + used, sizeof said->text - used, "%s; %s\n", sentence,
             instead ? instead : "(null)");
}

#define READER(said)                                                                               \
    (struct strata_config_reader)                                                                  \
    {                                                                                              \
        record, said, refuse, 4                                                                    \
    }

/* A text that a layer above refuses, which knows of 4 ranks. */
static int refuse(const char *variable, const char *text, int ranks,
                  struct strata_diagnostic *message)
{
    return strcmp(variable, "STRATA_TOPO") == 0 && strcmp(text, "moon") == 0
               ? strata_fail(message, STRATA_ERR_SYNTAX, "no moon has %d ranks", ranks)
               : STRATA_OK;
}

/* Reads one "NAME=value". Returns the number of complaints. */
static int read_one(struct strata_config *config, const char *entry, struct complaints *said)
{
    const char *const environment[] = {"HOME=/", entry, NULL};
    memset(said, 0, sizeof *said);
    strata_config_read_from(config, environment, &READER(said));
    return said->count;
}

/* The number of values that are not the default. */
static int given(const struct strata_config *config)
{
    int count = 0;
    for (int i = 0; i < STRATA_CONFIG_ROWS; i++) {
        count += config->given[i];
    }
    return count;
}

static void test_defaults(void **state)
{
    (void)state;
    struct strata_config config;
    struct complaints said;
    assert_int_equal(read_one(&config, "STRATAGEM=1", &said), 0);
    assert_string_equal(config.topo, "");
    assert_string_equal(config.alltoallv, "auto");
    assert_int_equal(config.budget, 64 << 20);
    assert_int_equal(config.threshold, 4096);
    assert_int_equal(config.passes, 4);
    assert_string_equal(config.wait, "auto");
    assert_int_equal(given(&config), 0);
}

/* A default that is given by hand must be accepted without complaint. */
static void test_defaults_are_allowed(void **state)
{
    (void)state;
#define DEFAULT_ROW(field, kind, variable, value, scope, allowed, meaning) variable "=" value,
    static const char *const entries[] = {STRATA_CONFIG_TABLE(DEFAULT_ROW)};
    struct strata_config none, config;
    struct complaints said;
    read_one(&none, "NOTHING=", &said);
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        assert_int_equal(read_one(&config, entries[i], &said), 0);
        bool empty = entries[i][strlen(entries[i]) - 1] == '=';
        assert_int_equal(given(&config), !empty);
        ASSERT_CMP(config.given[i], ==, !empty);
        ASSERT_CMP(strata_config_same(&config, &none), ==, empty);
        config.given[i] = false;
        assert_true(strata_config_same(&config, &none));
    }
}

static void test_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *entry;
        int64_t threshold; /* -1: refused, so the default stays */
    } cases[] = {
        {"STRATA_THRESHOLD=0", 0},
        {"STRATA_THRESHOLD=100", 100},
        {"STRATA_THRESHOLD=2K", 2048},
        {"STRATA_THRESHOLD=3M", 3 << 20},
        {"STRATA_THRESHOLD=1G", 1 << 30},
        {"STRATA_THRESHOLD=1048577K", -1},
        {"STRATA_THRESHOLD=2G", -1},
        {"STRATA_THRESHOLD=-1", -1},
        {"STRATA_THRESHOLD=2k", 2048},
        {"STRATA_THRESHOLD=4KB", 4096},
        {"STRATA_THRESHOLD=5KiB", 5 << 10},
        {"STRATA_THRESHOLD=6kib", 6 << 10},
        {"STRATA_THRESHOLD=7mb", 7 << 20},
        {"STRATA_THRESHOLD=1Gb", 1 << 30},
        {"STRATA_THRESHOLD=100B", 100},
        {"STRATA_THRESHOLD=4Ki", -1},
        {"STRATA_THRESHOLD=4iB", -1},
        {"STRATA_THRESHOLD=4KBB", -1},
        {"STRATA_THRESHOLD=4T", -1},
        {"STRATA_THRESHOLD=K", -1},
        {"STRATA_THRESHOLD=four", -1},
        {"STRATA_THRESHOLD= 4", -1},
        {"STRATA_THRESHOLD=4 ", -1},
        {"STRATA_THRESHOLD=99999999999999999999", -1},
        {"STRATA_THRESHOLD=9007199254740993G", -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct strata_config config;
        struct complaints said;
        bool wrong = cases[i].threshold < 0;
        int count = read_one(&config, cases[i].entry, &said);
        if (count != wrong || config.threshold != (wrong ? 4096 : cases[i].threshold)) {
            fail_msg("%s gave %lld, complaints: %s", cases[i].entry, (long long)config.threshold,
                     said.text);
        }
        assert_int_equal(given(&config), !wrong);
    }
}

/* Both ends of every number's range are accepted, and the next values beyond are refused. */
static void test_ranges(void **state)
{
    (void)state;
    static const struct {
        const char *variable, *least, *most, *below, *above;
    } cases[] = {
        {"STRATA_BUDGET", "64K", "64G", "65535", "65G"},
        {"STRATA_PASSES", "1", "1024", "0", "1025"},
        {"STRATA_ATTACH_AFTER", "1", "1000000", "0", "1000001"},
        {"STRATA_SPLIT_HOSTS", "1", "1000000000", "0", "1000000001"},
        {"STRATA_CHECK", "0", "1", "-1", "2"},
        {"STRATA_THREADS", "0", "1024", "-1", "1K"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *values[] = {cases[i].least, cases[i].most, cases[i].below, cases[i].above};
        for (int j = 0; j < 4; j++) {
            struct strata_config config;
            struct complaints said;
            char entry[64];
            snprintf(entry, sizeof entry, "%s=%s", cases[i].variable, values[j]);
            assert_int_equal(read_one(&config, entry, &said), j >= 2);
        }
    }
}

static void test_complaints(void **state)
{
    (void)state;
    static const struct {
        const char *entry;
        const char *parts[4];
    } cases[] = {
        {"STRATA_PASSES=0", {"STRATA_PASSES is \"0\"", "1 .. 1024", "default: 4"}},
        {"STRATA_WAIT=spinn",
         {"STRATA_WAIT is \"spinn\"", "auto | spin | yield",
          "; it counts as not given (default: auto)"}},
        {"STRATA_TOPO=moon",
         {"STRATA_TOPO: no moon has 4 ranks; it counts as not given (default: empty)"}},
        {"STRATA_WAIT=|", {"STRATA_WAIT is \"|\""}},
        {"STRATA_WAIT=aut", {"STRATA_WAIT is \"aut\""}},
        {"STRATA_SHADOW=10", {"STRATA_SHADOW is \"10\"", "0 | 1[:N]", "default: 0"}},
        {"STRATA_SHADOW=1:", {"STRATA_SHADOW is \"1:\""}},
        {"STRATA_SHADOW=1:0", {"STRATA_SHADOW is \"1:0\""}},
        {"STRATA_SHADOW=1:2x", {"STRATA_SHADOW is \"1:2x\""}},
        {"STRATA_SHADOW=0:2", {"STRATA_SHADOW is \"0:2\""}},
        {"STRATA_TRESHOLD=1", {"STRATA_TRESHOLD is no", "closest one is STRATA_THRESHOLD"}},
        {"STRATA_ALLTOALX=x", {"STRATA_ALLTOALX is no", "closest one is STRATA_ALLTOALL"}},
        {"STRATA_topo=x", {"closest one is STRATA_TOPO"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct strata_config config;
        struct complaints said;
        assert_int_equal(read_one(&config, cases[i].entry, &said), 1);
        for (int j = 0; cases[i].parts[j]; j++) {
            if (!strstr(said.text, cases[i].parts[j])) {
                fail_msg("%s: said %s", cases[i].entry, said.text);
            }
        }
        assert_int_equal(given(&config), 0);
        assert_string_equal(config.wait, "auto");
        assert_string_equal(config.topo, "");
    }
}

/* Unknown names that resemble no variable: no variable is suggested, and nothing is set. */
static void test_strange_names(void **state)
{
    (void)state;
    static const char *const entries[] = {"STRATA_ROOT=/opt", "STRATA_HOME=/opt", "STRATA_DIR=/opt",
                                          "STRATA_PATH=/opt", "STRATA_VERSION=1", "STRATA_=x"};
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        struct strata_config config;
        struct complaints said;
        assert_int_equal(read_one(&config, entries[i], &said), 1);
        assert_non_null(strstr(said.text, " is no setting of Strata and is ignored; (null)\n"));
        assert_null(strstr(said.text, "closest"));
    }
}

static void test_words(void **state)
{
    (void)state;
    struct strata_config config;
    struct complaints said;
    assert_int_equal(read_one(&config, "STRATA_TEST_LONG=1", &said), 0); /* of the tests */
    assert_int_equal(read_one(&config, "STRATA_TESTS=1", &said), 1);
    assert_int_equal(read_one(&config, "STRATA_WAIT=yield", &said), 0);
    assert_string_equal(config.wait, "yield");
    assert_int_equal(read_one(&config, "STRATA_WAIT=", &said), 0);
    assert_string_equal(config.wait, "auto");
    assert_int_equal(read_one(&config, "STRATA_TOPO=node:3,3,2:cyclic numa:2", &said), 0);
    assert_string_equal(config.topo, "node:3,3,2:cyclic numa:2");

    char longest[16 + 256] = "STRATA_MACHINE=";
    memset(longest + 15, 'x', 255);
    assert_int_equal(read_one(&config, longest, &said), 0);
    assert_int_equal(strlen(config.machine), 255);
    longest[15 + 255] = 'x';
    assert_int_equal(read_one(&config, longest, &said), 1);
    assert_non_null(strstr(said.text, "longer than 255 characters"));
    assert_string_equal(config.machine, "auto");
}

/* All calls, every N-th, or none. */
static void test_shadows(void **state)
{
    (void)state;
    struct strata_config config;
    struct complaints said;

    assert_int_equal(read_one(&config, "STRATA_SHADOW=", &said), 0);
    assert_int_equal(strata_config_shadows(&config), 0);
    assert_int_equal(read_one(&config, "STRATA_SHADOW=1", &said), 0);
    assert_int_equal(strata_config_shadows(&config), 1);
    assert_int_equal(read_one(&config, "STRATA_SHADOW=1:10", &said), 0);
    assert_int_equal(strata_config_shadows(&config), 10);
}

/* Values that launchers set are read; nonsense is ignored. */
static void test_launched(void **state)
{
    (void)state;
    const char *const nonsense[] = {"", "-3", "some", "99999999999"};
    unsetenv("OMPI_COMM_WORLD_LOCAL_SIZE");
    setenv("MPI_LOCALNRANKS", "3", 1);
    assert_int_equal(strata_config_launched_here(), 3);
    setenv("OMPI_COMM_WORLD_LOCAL_SIZE", "16", 1);
    assert_int_equal(strata_config_launched_here(), 16);
    for (int i = 0; i < 4; i++) {
        setenv("OMPI_COMM_WORLD_LOCAL_SIZE", nonsense[i], 1);
        assert_int_equal(strata_config_launched_here(), 0);
    }
    unsetenv("OMPI_COMM_WORLD_LOCAL_SIZE");
    unsetenv("MPI_LOCALNRANKS");
    assert_int_equal(strata_config_launched_here(), 0);
    unsetenv("OMPI_COMM_WORLD_SIZE");
    unsetenv("SLURM_STEP_NUM_TASKS");
    setenv("PMI_SIZE", "5", 1);
    assert_int_equal(strata_config_launched(), 5);
    unsetenv("PMI_SIZE");
    assert_int_equal(strata_config_launched(), 0);
}

static void test_first_counts(void **state)
{
    (void)state;
    const char *const environment[] = {"STRATA_PASSES=7", "STRATA_PASSES=8", NULL};
    struct strata_config config;
    struct complaints said = {0};
    strata_config_read_from(&config, environment, &READER(&said));
    assert_int_equal(config.passes, 7);
    assert_int_equal(said.count, 0);
}

static void test_adopt(void **state)
{
    (void)state;
    const char *const root[] = {"STRATA_PASSES=7", "STRATA_THREADS=3", "STRATA_WAIT=spin", NULL};
    const char *const mine[] = {"STRATA_BUDGET=1M", "STRATA_TEAM_BYTES=1K", NULL};
    struct strata_config config, from;
    struct complaints said = {0};
    strata_config_read_from(&from, root, &READER(&said));
    strata_config_read_from(&config, mine, &READER(&said));
    strata_config_adopt(&config, &from);
    assert_int_equal(config.passes, 7);
    assert_int_equal(config.budget, 64 << 20);
    assert_int_equal(config.threads, 0);
    assert_int_equal(config.team_bytes, 1024);
    assert_string_equal(config.wait, "spin");
    assert_int_equal(said.count, 0);
}

static void test_print(void **state)
{
    (void)state;
    struct strata_config config;
    struct complaints said;
    char text[8192] = "";
    read_one(&config, "STRATA_BUDGET=3072K", &said);
    snprintf(config.alltoall, sizeof config.alltoall, "leaders:leaders=16,radix=16,tree=2");
    FILE *file = tmpfile();
    assert_non_null(file);
    strata_config_print(&config, file);
    rewind(file);
    ASSERT_CMP(fread(text, 1, sizeof text - 1, file), >, 0);
    fclose(file);
#define NAMED_ROW(field, kind, variable, value, scope, allowed, meaning)                           \
    assert_non_null(strstr(text, variable " "));                                                   \
    assert_non_null(strstr(text, meaning));                                                        \
    assert_non_null(strstr(text, allowed));
    STRATA_CONFIG_TABLE(NAMED_ROW)
    assert_non_null(strstr(text, "= 3M        environment"));
    assert_non_null(strstr(text, "= 4K        default"));
    assert_non_null(strstr(text, "= (empty)   default"));
    for (const char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        ASSERT_IN_RANGE(strlen(line), 1, 100);
    }
}

static void test_process_environment(void **state)
{
    (void)state;
    struct strata_config config;
    struct complaints said = {0};
    assert_int_equal(setenv("STRATA_PASSES", "9", 1), 0);
    strata_config_read(&config, record, &said);
    assert_int_equal(unsetenv("STRATA_PASSES"), 0);
    assert_int_equal(config.passes, 9);
}

static int read_file(struct strata_config *config, const char *text, struct complaints *said,
                     struct strata_diagnostic *message)
{
    char path[] = "/tmp/strata.XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    memset(said, 0, sizeof *said);
    message->text[0] = '\0';
    const int status = strata_config_read_files(path, config, &READER(said), message);
    assert_int_equal(unlink(path), 0);
    return status;
}

/* A file gives what the environment does not give, or gives wrong, and only what rank 0 decides for
 * all. */
static void test_files(void **state)
{
    static const char *const environment[] = {"STRATA_PASSES=9", "STRATA_WAIT=spinn", NULL};
    struct strata_config files, config;
    struct strata_diagnostic message;
    struct complaints said;
    (void)state;
    assert_int_equal(read_file(&files,
                               "# for all\nSTRATA_PASSES = 7\nSTRATA_WAIT=yield # crowded\n"
                               "STRATA_PASES = 7\n",
                               &said, &message),
                     STRATA_OK);
    assert_int_equal(said.count, 1);
    assert_non_null(strstr(said.text, "the closest one is STRATA_PASSES"));
    strata_config_read_from(&config, environment, &READER(&said));
    strata_config_fill(&config, &files);
    assert_int_equal(config.passes, 9);
    assert_string_equal(config.wait, "yield");
    assert_int_equal(given(&config), STRATA_GIVEN_ENVIRONMENT + STRATA_GIVEN_NAMED);
    static const char *const wrong[][2] = {
        {"STRATA_PASSES = 7\nSTRATA_WAIT = spinn\n", ": line 2: STRATA_WAIT is \"spinn\", but"},
        {"STRATA_PASSES = 7\nSTRATA_CHECK =\n", ": line 2: STRATA_CHECK is \"\", but"},
        {"STRATA_TOPO = moon\n", ": line 1: STRATA_TOPO: no moon has 4 ranks"},
        {"STRATA_RECORD = 1\n", ": line 1: STRATA_RECORD is a setting of the environment alone"},
        {"STRATA_SAME_BITS = 1\n", ": line 1: STRATA_SAME_BITS is a setting of the environment"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(read_file(&files, wrong[i][0], &said, &message), STRATA_ERR_SYNTAX);
        assert_non_null(strstr(message.text, wrong[i][1]));
        assert_int_equal(given(&files), 0);
        assert_int_equal(files.passes, 4);
    }
    assert_int_equal(
        strata_config_read_files("/nonexistent/settings", &files, &READER(&said), &message),
        STRATA_ERR_UNSUPPORTED);
    assert_non_null(strstr(message.text, "/nonexistent/settings: cannot be read"));
    assert_int_equal(strata_config_read_files("none", &files, &READER(&said), &message), STRATA_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_defaults_are_allowed),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_complaints),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_strange_names),
        cmocka_unit_test(test_shadows),
        cmocka_unit_test(test_launched),
        cmocka_unit_test(test_first_counts),
        cmocka_unit_test(test_adopt),
        cmocka_unit_test(test_print),
        cmocka_unit_test(test_process_environment),
        cmocka_unit_test(test_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
