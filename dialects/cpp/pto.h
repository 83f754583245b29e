#ifndef TESSERA_PTO_H
#define TESSERA_PTO_H

#include "Forward.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "pto/Dialect.h.inc"
#include "pto/Enums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "pto/Types.h.inc"

#define GET_ATTRDEF_CLASSES
#include "pto/Attrs.h.inc"

#define GET_OP_CLASSES
#include "pto/Ops.h.inc"

#endif // TESSERA_PTO_H
