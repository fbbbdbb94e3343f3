/* Reads whole files, of a bounded length. */
#ifndef STRATA_CORE_BASE_WHOLE_FILE_H
#define STRATA_CORE_BASE_WHOLE_FILE_H

#include <stddef.h>

/* The longest table of a study, and the longest description of a platform, in bytes. */
enum { STRATA_LONGEST_TEXT = 64 << 20 };

/* The bytes of a file and a zero behind them, which the caller releases; *size does not count the
 * zero. Only a regular file is read, so that no open waits. NULL, with errno: EISDIR or EINVAL
 * where it is no regular file, EFBIG where it is longer than `longest`. */
char *strata_whole_file(const char *path, size_t longest, size_t *size);
/* The same of an open file of any kind, from where it stands. */
char *strata_whole_descriptor(int descriptor, size_t longest, size_t *size);
/* Why there was none, in words, by errno. */
const char *strata_whole_file_why(void);

#endif
