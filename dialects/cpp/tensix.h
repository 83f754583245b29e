#ifndef TESSERA_TENSIX_H
#define TESSERA_TENSIX_H

#include "Forward.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "tensix/Dialect.h.inc"

#define GET_OP_CLASSES
#include "tensix/Ops.h.inc"

#endif // TESSERA_TENSIX_H
