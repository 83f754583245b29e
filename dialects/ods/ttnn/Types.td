// Types of the ttnn dialect.

#ifndef TESSERA_TTNN_TYPES_TD
#define TESSERA_TTNN_TYPES_TD

include "ttnn/Dialect.td"
include "mlir/IR/AttrTypeBase.td"

def TTNN_DeviceType : TypeDef<TTNN_Dialect, "Device"> {
  let mnemonic = "device";
  let summary = "A handle to the device";
}

#endif // TESSERA_TTNN_TYPES_TD
