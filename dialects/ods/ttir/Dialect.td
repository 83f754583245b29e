// The ttir dialect: tensor programs as the front ends hand them over.

#ifndef TESSERA_TTIR_DIALECT_TD
#define TESSERA_TTIR_DIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/DialectBase.td"

def TTIR_Dialect : Dialect {
  let name = "ttir";
  let summary = "High-level tensor operations";
  let cppNamespace = "::tessera::ttir";
  let hasCanonicalizer = 1;
}

#endif // TESSERA_TTIR_DIALECT_TD
