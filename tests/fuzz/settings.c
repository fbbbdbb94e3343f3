/* An environment: a line for each variable. Each complaint is a sentence. */
#include "core/base/config.h"
#include "tests/fuzz/fuzz.h"

enum { MOST_LINES = 64 };

static void complain(void *context, const char *sentence, const char *instead)
{
    (void)context;
    if (strncmp(sentence, "STRATA_", 7) != 0 || (instead && !*instead)) {
        fprintf(stderr, "\"%s\" names no setting\n", sentence);
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct strata_config config;
    const char *environment[MOST_LINES + 1];
    int lines = 0;
    char *text = fuzz_text(data, size);
    for (char *line = strtok(text, "\n"); line && lines < MOST_LINES; line = strtok(NULL, "\n")) {
        environment[lines++] = line;
    }
    environment[lines] = NULL;
    strata_config_read_from(&config, environment, complain, NULL);
    strata_config_explains(&config);
    strata_config_shadows(&config);
    free(text);
    return 0;
}
