// The mncore dialect: kernels for MN-Core 2 as rolled loops of instructions.

#ifndef TESSERA_MNCORE_DIALECT_TD
#define TESSERA_MNCORE_DIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/DialectBase.td"

def Mncore_Dialect : Dialect {
  let name = "mncore";
  let summary = "Instructions of MN-Core 2, in loops";
  let cppNamespace = "::tessera::mncore";
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
}

#endif // TESSERA_MNCORE_DIALECT_TD
