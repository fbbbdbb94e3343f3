/* Student's distribution, for intervals of means. */
#ifndef STRATA_CORE_BASE_STUDENT_H
#define STRATA_CORE_BASE_STUDENT_H

/* The factor of a mean's standard error that lies at both ends of its 95 % interval. `freedom`: the
 * degrees of freedom, a whole number from 1 on. */
double strata_student(double freedom);

#endif
