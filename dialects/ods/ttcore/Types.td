// Types of the ttcore dialect.

#ifndef TESSERA_TTCORE_TYPES_TD
#define TESSERA_TTCORE_TYPES_TD

include "ttcore/Dialect.td"
include "ttcore/Enums.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"

def TTCore_TileType : TypeDef<TTCore_Dialect, "Tile", [MemRefElementTypeInterface]> {
  let mnemonic = "tile";
  let summary = "A tile of elements of one format, as memory holds it";
  let description = [{
    ```mlir
    !ttcore.tile<32x32, bf16>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "DataType":$dataType);
  let assemblyFormat = "`<` custom<Dimensions>($shape) `,` $dataType `>`";
  let genVerifyDecl = 1;
}

#endif // TESSERA_TTCORE_TYPES_TD
