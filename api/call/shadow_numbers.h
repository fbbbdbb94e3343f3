/* The numbers that a shadow compares: floating-point numbers of several sizes, as C has them. */
#ifndef STRATA_API_CALL_SHADOW_NUMBERS_H
#define STRATA_API_CALL_SHADOW_NUMBERS_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

/* Finds the numbers in a datatype's elements. *bytes: the size of a floating-point number, or of
 * one part of a complex one; 0 for other elements. False: C cannot read the numbers, or the
 * elements are pairs, whose result may depend on the order where values are equal. Such results are
 * not judged. */
bool strata_shadow_number_of(MPI_Datatype type, size_t *bytes, bool *complex);

long double strata_shadow_read(const char *at, size_t bytes);
void strata_shadow_write(char *at, size_t bytes, long double value);
/* The distance from 1 to the next number. */
long double strata_shadow_unit(size_t bytes);
/* A power of two below which products of factors stay in the numbers' range in any order. */
long double strata_shadow_range(size_t bytes);

/* Writes an element of `size` bytes as text: as a number of `number` bytes, if that is above 0, as
 * a number of a named type, or as bytes. */
void strata_shadow_say(size_t number, MPI_Datatype type, const char *element, size_t size,
                       char text[64]);

#endif
