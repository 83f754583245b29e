#ifndef TESSERA_TTCORE_H
#define TESSERA_TTCORE_H

#include "Forward.h"

#include "ttcore/Dialect.h.inc"

#define GET_OP_CLASSES
#include "ttcore/Ops.h.inc"

#endif // TESSERA_TTCORE_H
