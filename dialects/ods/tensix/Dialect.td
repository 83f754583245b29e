// The tensix dialect: programs of one Tensix core, one operation per instruction.

#ifndef TESSERA_TENSIX_DIALECT_TD
#define TESSERA_TENSIX_DIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/DialectBase.td"

def Tensix_Dialect : Dialect {
  let name = "tensix";
  let summary = "Instructions of Tenstorrent's Tensix coprocessor";
  let cppNamespace = "::tessera::tensix";
}

#endif // TESSERA_TENSIX_DIALECT_TD
