// The ttcore dialect: what TTIR and TTNN share.

#ifndef TESSERA_TTCORE_DIALECT_TD
#define TESSERA_TTCORE_DIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/DialectBase.td"

def TTCore_Dialect : Dialect {
  let name = "ttcore";
  let summary = "Types and attributes shared by the dialects above and below TTNN";
  let cppNamespace = "::tessera::ttcore";
}

#endif // TESSERA_TTCORE_DIALECT_TD
