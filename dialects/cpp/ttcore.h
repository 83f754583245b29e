#ifndef TESSERA_TTCORE_H
#define TESSERA_TTCORE_H

#include "Forward.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "ttcore/Dialect.h.inc"
#include "ttcore/Enums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "ttcore/Types.h.inc"

#define GET_ATTRDEF_CLASSES
#include "ttcore/Attrs.h.inc"

#define GET_OP_CLASSES
#include "ttcore/Ops.h.inc"

#endif // TESSERA_TTCORE_H
