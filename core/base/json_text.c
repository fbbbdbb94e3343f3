#include "core/base/json_text.h"

/* The bytes of the UTF-8 character that begins here; 0: no such character begins. */
static int character(const char *text)
{
    unsigned char first = (unsigned char)text[0];
    int bytes = first < 0x80                     ? 1
                : first >= 0xc2 && first < 0xe0  ? 2
                : first >= 0xe0 && first < 0xf0  ? 3
                : first >= 0xf0 && first <= 0xf4 ? 4
                                                 : 0;
    for (int i = 1; i < bytes; i++) {
        if (((unsigned char)text[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    return bytes;
}

void strata_json_text(FILE *file, const char *name, const char *text)
{
    int bytes;
    fprintf(file, "\"%s\": \"", name);
    for (; *text; text += bytes > 0 ? bytes : 1) {
        bytes = character(text);
        if (bytes == 0) {
            fprintf(file, "\\ufffd");
        } else if (bytes == 1 && (*text < ' ' || *text == '"' || *text == '\\')) {
            fprintf(file, "\\u%04x", (unsigned)*text);
        } else {
            fprintf(file, "%.*s", bytes, text);
        }
    }
    fprintf(file, "\"");
}
