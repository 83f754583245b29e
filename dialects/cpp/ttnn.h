#ifndef TESSERA_TTNN_H
#define TESSERA_TTNN_H

#include "Forward.h"
#include "ttcore.h"

#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "ttnn/Dialect.h.inc"
#include "ttnn/Enums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "ttnn/Types.h.inc"

#define GET_ATTRDEF_CLASSES
#include "ttnn/Attrs.h.inc"

#define GET_OP_CLASSES
#include "ttnn/Ops.h.inc"

#endif // TESSERA_TTNN_H
