// The ttcore dialect: what TTIR, TTNN and the levels below share.

#ifndef TESSERA_TTCORE_DIALECT_TD
#define TESSERA_TTCORE_DIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/DialectBase.td"

def TTCore_Dialect : Dialect {
  let name = "ttcore";
  let summary = "Types and attributes shared by the dialects above and below TTNN";
  let cppNamespace = "::tessera::ttcore";
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
}

#endif // TESSERA_TTCORE_DIALECT_TD
