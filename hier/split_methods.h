/* Splitting of communicators, for those above: which method is a choice as that of an algorithm is. */
#ifndef STRATA_HIER_SPLIT_METHODS_H
#define STRATA_HIER_SPLIT_METHODS_H

#include "internode/split/split.h"

#endif
