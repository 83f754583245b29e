// The ttnn dialect: tensors with layouts, on a device.

#ifndef TESSERA_TTNN_DIALECT_TD
#define TESSERA_TTNN_DIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/DialectBase.td"

def TTNN_Dialect : Dialect {
  let name = "ttnn";
  let summary = "Operations on tensors that have a layout in a memory of the device";
  let cppNamespace = "::tessera::ttnn";
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = ["::tessera::ttcore::TTCoreDialect"];
}

#endif // TESSERA_TTNN_DIALECT_TD
