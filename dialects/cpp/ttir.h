#ifndef TESSERA_TTIR_H
#define TESSERA_TTIR_H

#include "Forward.h"
#include "ttcore.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "ttir/Dialect.h.inc"

#define GET_OP_CLASSES
#include "ttir/Ops.h.inc"

#endif // TESSERA_TTIR_H
