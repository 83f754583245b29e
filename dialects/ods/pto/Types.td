// Types and attributes of the pto dialect.

#ifndef TESSERA_PTO_TYPES_TD
#define TESSERA_PTO_TYPES_TD

include "pto/Dialect.td"
include "pto/Enums.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"

def PTO_TileType : TypeDef<PTO_Dialect, "Tile"> {
  let mnemonic = "tile";
  let summary = "A tile in a memory space";
  let description = [{
    ```mlir
    !pto.tile<tensor<32x32xbf16>, mat>
    !pto.tile<tensor<32x32xf32>, acc>
    ```
  }];
  let parameters = (ins "::mlir::RankedTensorType":$contents, EnumParameter<PTO_Space>:$space);
  let assemblyFormat = "`<` $contents `,` $space `>`";
}

class PTO_EnumAttr<EnumAttrInfo info, string mnemonic> : EnumAttr<PTO_Dialect, info, mnemonic> {
  let assemblyFormat = "`<` $value `>`";
}

def PTO_KindAttr : PTO_EnumAttr<PTO_Kind, "kind">;
def PTO_FidelityAttr : PTO_EnumAttr<PTO_Fidelity, "fidelity">;
def PTO_DstAttr : PTO_EnumAttr<PTO_Dst, "dst">;
def PTO_UnitAttr : PTO_EnumAttr<PTO_Unit, "unit">;
def PTO_BroadcastAttr : PTO_EnumAttr<PTO_Broadcast, "broadcast">;

#endif // TESSERA_PTO_TYPES_TD
