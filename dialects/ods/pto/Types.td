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
    The default `layout` is `nd`, row by row. `valid` is the number of rows and columns that hold
    data, if not all do; the rest is +0.

    ```mlir
    !pto.tile<tensor<32x32xbf16>, mat>
    !pto.tile<tensor<32x32xf32>, acc>
    !pto.tile<tensor<32x32xbf16>, mat, layout = nz, valid = 30x20>
    ```
  }];
  let parameters = (ins "::mlir::RankedTensorType":$contents, EnumParameter<PTO_Space>:$space,
                        EnumParameter<PTO_Layout>:$layout, ArrayRefParameter<"int64_t">:$valid);
  let assemblyFormat = "`<` $contents `,` custom<Place>($space, $layout, $valid) `>`";
  let genVerifyDecl = 1;
}

def PTO_BufferType : TypeDef<PTO_Dialect, "Buffer"> {
  let mnemonic = "buffer";
  let summary = "Bytes of a core's memory, reserved for a ring";
  let description = [{
    ```mlir
    !pto.buffer<32768, vec>
    ```
  }];
  let parameters = (ins "int64_t":$bytes, EnumParameter<PTO_Space>:$space);
  let assemblyFormat = "`<` $bytes `,` $space `>`";
  let genVerifyDecl = 1;
}

def PTO_PipeType : TypeDef<PTO_Dialect, "Pipe"> {
  let mnemonic = "pipe";
  let summary = "One end of a ring of slots between a cube kernel and vector kernels";
  let description = [{
    Direction, number of slots, and bytes of a slot at the consumer; then the split of tiles over
    two vector kernels, if any. A slot of a split ring holds a part of the tile in each vector
    kernel, and the whole tile in the cube kernel or in global memory.

    ```mlir
    !pto.pipe<c2v, 8 x 4096>
    !pto.pipe<v2c, 4 x 2048, up_down>
    ```
  }];
  let parameters = (ins EnumParameter<PTO_Direction>:$direction, "int64_t":$slotNum, "int64_t":$slotSize,
                        DefaultValuedParameter<"::tessera::pto::Split", "::tessera::pto::Split::None">:$split);
  let assemblyFormat = "`<` $direction `,` $slotNum `x` $slotSize (`,` $split^)? `>`";
  let genVerifyDecl = 1;
}

class PTO_EnumAttr<EnumAttrInfo info, string mnemonic> : EnumAttr<PTO_Dialect, info, mnemonic> {
  let assemblyFormat = "`<` $value `>`";
}

def PTO_KindAttr : PTO_EnumAttr<PTO_Kind, "kind">;
def PTO_FidelityAttr : PTO_EnumAttr<PTO_Fidelity, "fidelity">;
def PTO_DstAttr : PTO_EnumAttr<PTO_Dst, "dst">;
def PTO_PlatformAttr : PTO_EnumAttr<PTO_Platform, "platform">;
def PTO_PlacementAttr : PTO_EnumAttr<PTO_Placement, "placement">;
def PTO_SplitAttr : PTO_EnumAttr<PTO_Split, "split">;
def PTO_UnitAttr : PTO_EnumAttr<PTO_Unit, "unit">;
def PTO_PrecisionAttr : PTO_EnumAttr<PTO_Precision, "precision">;
def PTO_BroadcastAttr : PTO_EnumAttr<PTO_Broadcast, "broadcast">;

#endif // TESSERA_PTO_TYPES_TD
