// The pto dialect: kernels over tiles.

#ifndef TESSERA_PTO_DIALECT_TD
#define TESSERA_PTO_DIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/DialectBase.td"

def PTO_Dialect : Dialect {
  let name = "pto";
  let summary = "Tile kernels and their memory spaces";
  let cppNamespace = "::tessera::pto";
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
}

#endif // TESSERA_PTO_DIALECT_TD
