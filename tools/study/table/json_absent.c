/* The reader of JSON in a build without jansson. */
#include "tools/study/table/json.h"
#include "tools/study/table/memory.h"

bool study_json_number(const char *text, const char *key, double *number, char **why)
{
    struct study_table none;
    (void)key;
    *number = 0;
    return study_json_parse(&none, text, why);
}

bool study_json_parse(struct study_table *table, const char *text, char **why)
{
    (void)text;
    *table = (struct study_table){0};
    *why = study_text("built without jansson (libjansson-dev), which reads JSON");
    return false;
}
