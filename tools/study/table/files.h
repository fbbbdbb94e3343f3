/* Whole files at a time. */
#ifndef STRATA_TOOLS_STUDY_TABLE_FILES_H
#define STRATA_TOOLS_STUDY_TABLE_FILES_H

#include <stdbool.h>
#include <stddef.h>

/* The text of a file; NULL, with errno, when it cannot be read. */
char *study_file_read(const char *path);
/* Reads what an open file holds, from its beginning. */
char *study_descriptor_read(int descriptor);
/* Puts the text in place of the file, or leaves the file as it was. */
bool study_file_replace(const char *path, const char *text, size_t size);
/* Appends in one write. */
bool study_file_append(const char *path, const char *text, size_t size);
/* Makes a folder and those above it. */
bool study_folder_make(const char *path);

#endif
