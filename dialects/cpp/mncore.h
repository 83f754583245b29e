#ifndef TESSERA_MNCORE_H
#define TESSERA_MNCORE_H

#include "Forward.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "mncore/Dialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "mncore/Types.h.inc"

#define GET_ATTRDEF_CLASSES
#include "mncore/Attrs.h.inc"

#define GET_OP_CLASSES
#include "mncore/Ops.h.inc"

#endif // TESSERA_MNCORE_H
