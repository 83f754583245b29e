// Operations of the pto dialect.

#ifndef TESSERA_PTO_OPS_TD
#define TESSERA_PTO_OPS_TD

include "pto/Kernels.td"
include "pto/Memory.td"
include "pto/Compute.td"
include "pto/Pipes.td"

#endif // TESSERA_PTO_OPS_TD
