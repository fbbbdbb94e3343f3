/* The numbers that a shadow compares: floating ones of so many bytes, as C has them. */
#ifndef STRATA_API_CALL_SHADOW_NUMBERS_H
#define STRATA_API_CALL_SHADOW_NUMBERS_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

/* What a datatype's elements consist of: bytes of a floating number, 0 of others; of complex
 * ones a part's. False of types whose numbers C cannot read, and of pairs of which the order
 * decides where they are equal: what MPI makes of them is not judged. */
bool strata_shadow_number_of(MPI_Datatype type, size_t *bytes, bool *complex);

long double strata_shadow_read(const char *at, size_t bytes);
void strata_shadow_write(char *at, size_t bytes, long double value);
/* From 1 to the next number. */
long double strata_shadow_unit(size_t bytes);
/* Powers of two within which no order of factors can leave the numbers' range. */
long double strata_shadow_range(size_t bytes);

/* An element of `size` bytes as text: a number of `number` bytes, where that is above 0, or of a
 * named type, else its bytes. */
void strata_shadow_say(size_t number, MPI_Datatype type, const char *element, size_t size,
                       char text[64]);

#endif
