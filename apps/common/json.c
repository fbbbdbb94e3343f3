/* Parts of JSON. */
#include <string.h>

#include "apps/common/app.h"

void app_json_string(FILE *file, const char *text)
{
    putc('"', file);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') {
            putc('\\', file);
        }
        if ((unsigned char)*text < ' ') {
            fprintf(file, "\\u%04x", (unsigned)(unsigned char)*text);
        } else {
            putc(*text, file);
        }
    }
    putc('"', file);
}

void app_json_mpi(FILE *file)
{
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(library, &length);
    library[strcspn(library, ",\n")] = '\0';
    fprintf(file, "  \"mpi\": ");
    app_json_string(file, library);
    fprintf(file, ",\n");
}
