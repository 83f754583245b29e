// Operations of the ttcore dialect.

#ifndef TESSERA_TTCORE_OPS_TD
#define TESSERA_TTCORE_OPS_TD

include "ttcore/Dialect.td"

#endif // TESSERA_TTCORE_OPS_TD
