/* The configuration table as data, shared by core/base/config*.c. */
#ifndef STRATA_CORE_BASE_CONFIG_ROWS_H
#define STRATA_CORE_BASE_CONFIG_ROWS_H

#include "core/base/config.h"

enum strata_config_kind { STRATA_KIND_TEXT, STRATA_KIND_CHOICE, STRATA_KIND_SIZE, STRATA_KIND_INT };
enum strata_config_scope { STRATA_SCOPE_AGREED, STRATA_SCOPE_EARLY, STRATA_SCOPE_LOCAL };

struct strata_config_row {
    const char *variable, *value, *allowed, *meaning;
    enum strata_config_kind kind;
    enum strata_config_scope scope;
    size_t offset, size; /* the field in struct strata_config */
};

extern const struct strata_config_row strata_config_rows[STRATA_CONFIG_ROWS];

/* Sets the row's field from text. Returns false, and leaves the field as it was, when the text is
 * not allowed. */
bool strata_config_set(struct strata_config *config, const struct strata_config_row *row,
                       const char *text);
/* The field's value as users write it. The text is valid as long as both config and buffer, which
 * has size bytes. */
const char *strata_config_text(const struct strata_config *config,
                               const struct strata_config_row *row, char *buffer, size_t size);
/* The value of a row that holds text, by the name of its variable. */
const char *strata_config_text_of(const struct strata_config *config, const char *variable);

#endif
