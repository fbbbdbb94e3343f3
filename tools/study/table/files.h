/* Reading and writing of whole files. */
#ifndef STRATA_TOOLS_STUDY_TABLE_FILES_H
#define STRATA_TOOLS_STUDY_TABLE_FILES_H

#include <stdbool.h>
#include <stddef.h>

/* The text of a regular file; NULL, with errno, where it cannot be read or is too long
 * (core/base/whole_file.h). */
char *study_file_read(const char *path);
/* Reads an open file from its beginning. */
char *study_descriptor_read(int descriptor);
/* Replaces the file's text, or leaves the file as it was. */
bool study_file_replace(const char *path, const char *text, size_t size);
/* Appends the text in one write. */
bool study_file_append(const char *path, const char *text, size_t size);
/* Makes a folder and its parents. */
bool study_folder_make(const char *path);

#endif
