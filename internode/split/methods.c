#include "internode/split/methods.h"

#include <stdlib.h>
#include <string.h>

#include "internode/split/radix_join.h"

static const struct strata_split_method *const methods[] = {
#define METHOD_ROW(name) &strata_split_##name,
    STRATA_SPLIT_METHODS(METHOD_ROW)
#undef METHOD_ROW
        NULL};

const struct strata_split_method *strata_split_method_at(int index)
{
    return methods[index];
}

static void list_names(struct strata_diagnostic *message, const char *text)
{
    char names[256] = "";
    for (int i = 0; methods[i]; i++) {
        strncat(names, methods[i]->name, sizeof names - strlen(names) - 1);
        strncat(names, ", ", sizeof names - strlen(names) - 1);
    }
    strata_say(message, "\"%s\" is no method; there are: %sauto", text, names);
}

/* "items=NUMBER", a power of two. */
static int parse_items(const char *text, struct strata_split_input *input,
                       struct strata_diagnostic *message)
{
    char *end = NULL;
    long items = strncmp(text, "items=", 6) == 0 ? strtol(text + 6, &end, 10) : 0;
    if (!end || *end || items < 1 || items > 8192 || (items & (items - 1)) != 0) {
        return strata_fail(message, STRATA_ERR_ARGUMENT,
                           "\"%s\": allowed is items=NUMBER, a power of two from 1 to 8192", text);
    }
    input->items = (int)items;
    return STRATA_OK;
}

int strata_split_method_parse(const char *text, struct strata_split_input *input,
                              struct strata_diagnostic *message)
{
    input->method = NULL;
    input->items = 0;
    if (!text || strcmp(text, "auto") == 0) {
        return STRATA_OK;
    }
    size_t length = strcspn(text, ":");
    for (int i = 0; methods[i]; i++) {
        if (strlen(methods[i]->name) == length && strncmp(methods[i]->name, text, length) == 0) {
            input->method = methods[i];
        }
    }
    if (!input->method || (text[length] && input->method != &strata_split_cheng)) {
        list_names(message, text);
        return STRATA_ERR_ARGUMENT;
    }
    return text[length] ? parse_items(text + length + 1, input, message) : STRATA_OK;
}

/* Digits of radix in which ranks differ. */
static int digits(uint64_t bits)
{
    int count = 0;
    for (; bits; bits >>= STRATA_RADIX_DIGIT) {
        count += (bits & ((1u << STRATA_RADIX_DIGIT) - 1)) != 0;
    }
    return count;
}

/* Where each rank's table is short, a serial sort. Integers of 32 bits in all: radix, in fewer
 * rounds than any other method (the paper has bitonic sort before it; ours joins its parts at
 * the end, docs/split.md). Else the paper's findings: bitonic sort where ranks are reordered,
 * for the sizes of the groups are not known before, and hashing where they are only split. */
const struct strata_split_method *strata_split_choose(const struct strata_split_shape *shape)
{
    const int serial = 64, serial_integers = 24, most_digits = 8;
    const bool radix =
        shape->integers && digits(shape->colour_bits) + digits(shape->key_bits) <= most_digits;
    if (shape->ranks <= (radix ? serial_integers : serial)) {
        return &strata_split_allgather_group;
    }
    return radix                        ? &strata_split_radix
           : shape->key || !shape->hash ? &strata_split_bitonic
                                        : &strata_split_hash;
}
