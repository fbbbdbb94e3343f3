/* Names of values for people. */
#include <string.h>

#include "tools/study/study.h"

int study_name_index(const struct study *study, const char *value)
{
    for (int i = 0; study->names && study->names[i].value; i++) {
        if (strcmp(study->names[i].value, value) == 0) {
            return i;
        }
    }
    return -1;
}

const char *study_name_of(const struct study *study, const char *value)
{
    int index = study_name_index(study, value);
    return index < 0 ? value : study->names[index].name;
}
