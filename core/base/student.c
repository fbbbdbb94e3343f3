#include "core/base/student.h"

double strata_student(double freedom)
{
    static const double factors[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365,
                                     2.306,  2.262, 2.228, 2.201, 2.179, 2.160, 2.145,
                                     2.131,  2.120, 2.110, 2.101, 2.093, 2.086};
    const int known = sizeof factors / sizeof *factors;
    return freedom <= known ? factors[(int)freedom - 1] : 1.96 + 2.5 / freedom;
}
