/* An environment, a line for each variable, which is then read as a file of settings. Each
 * complaint is a sentence. */
#include "core/base/config.h"
#include "hier/setting_texts.h"
#include "tests/fuzz/fuzz.h"

enum { MOST_LINES = 64 };

static void complain(void *context, const char *sentence, const char *instead)
{
    const bool named = context || strncmp(sentence, "STRATA_", 7) == 0;
    if (!named || !*sentence || (instead && !*instead)) {
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
    struct strata_config_reader reader = {complain, NULL, strata_setting_text_check, 4};
    strata_config_read_from(&config, environment, &reader);
    strata_config_explains(&config);
    strata_config_shadows(&config);
    free(text);
    struct strata_diagnostic message = {""};
    reader.context = &message; /* in a file, whose names are any word */
    const int status = strata_config_parse_file(size > 0 ? (const char *)data : "", size, &config,
                                                &reader, &message);
    if (status != STRATA_OK && !strstr(message.text, "line ")) {
        fprintf(stderr, "\"%s\" names no line\n", message.text);
        abort();
    }
    return 0;
}
