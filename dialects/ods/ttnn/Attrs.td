// Attributes of the ttnn dialect.

#ifndef TESSERA_TTNN_ATTRS_TD
#define TESSERA_TTNN_ATTRS_TD

include "ttnn/Dialect.td"
include "ttnn/Enums.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

class TTNN_Attr<string name, string attrMnemonic> : AttrDef<TTNN_Dialect, name> {
  let mnemonic = attrMnemonic;
}

class TTNN_EnumAttr<EnumAttrInfo info, string attrMnemonic> : EnumAttr<TTNN_Dialect, info, attrMnemonic> {
  let assemblyFormat = "`<` $value `>`";
}

def TTNN_LayoutAttr : TTNN_EnumAttr<TTNN_Layout, "layout">;
def TTNN_TensorMemoryLayoutAttr : TTNN_EnumAttr<TTNN_TensorMemoryLayout, "tensor_memory_layout">;
def TTNN_BufferTypeAttr : TTNN_EnumAttr<TTNN_BufferType, "buffer_type">;
def TTNN_ShardOrientationAttr : TTNN_EnumAttr<TTNN_ShardOrientation, "shard_orientation">;

// A pair printed as `1x1` after the mnemonic: `#ttnn<mesh_shape 1x1>`.
class TTNN_PairAttr<string name, string attrMnemonic> : TTNN_Attr<name, attrMnemonic> {
  let parameters = (ins "int64_t":$y, "int64_t":$x);
  let assemblyFormat = "custom<Extents>($y, $x)";
}

def TTNN_MeshShapeAttr : TTNN_PairAttr<"MeshShape", "mesh_shape"> {
  let summary = "Rows and columns of a mesh of chips";
}

def TTNN_MeshOffsetAttr : TTNN_PairAttr<"MeshOffset", "mesh_offset"> {
  let summary = "The first row and column used of a mesh of chips";
}

def TTNN_ShapeAttr : TTNN_Attr<"Shape", "shape"> {
  let summary = "The shape of a tensor";
  let parameters = (ins OptionalArrayRefParameter<"int64_t">:$shape);
  let assemblyFormat = "`<` custom<Dimensions>($shape) `>`";
}

def TTNN_CoreCoordAttr : TTNN_Attr<"CoreCoord", "core_coord"> {
  let summary = "A core, column first";
  let parameters = (ins "uint64_t":$x, "uint64_t":$y);
  let assemblyFormat = "`<` params `>`";
}

def TTNN_CoreRangeAttr : TTNN_Attr<"CoreRange", "core_range"> {
  let summary = "A rectangle of cores, both corners included";
  let parameters = (ins "CoreCoordAttr":$start, "CoreCoordAttr":$end);
  let assemblyFormat = "`<` custom<Core>($start) `,` custom<Core>($end) `>`";
  let genVerifyDecl = 1;
}

def TTNN_CoreRangeSetAttr : TTNN_Attr<"CoreRangeSet", "core_range_set"> {
  let summary = "Rectangles of cores that do not overlap";
  let parameters = (ins OptionalArrayRefParameter<"CoreRangeAttr">:$ranges);
  let assemblyFormat = "`<` (`[` qualified($ranges)^ `]`)? `>`";
  let genVerifyDecl = 1;
}

def TTNN_ShardSpecAttr : TTNN_Attr<"ShardSpec", "shard_spec"> {
  let summary = "Which cores hold a sharded tensor, and the shape of what each holds";
  let parameters = (ins "CoreRangeSetAttr":$cores,
                        "ShapeAttr":$shape,
                        "ShardOrientationAttr":$orientation);
  let assemblyFormat = "`<` params `>`";
}

def TTNN_MemoryConfigAttr : TTNN_Attr<"MemoryConfig", "memory_config"> {
  let summary = "Where a tensor is put";
  let description = [{
    ```mlir
    #ttnn.memory_config<#dram, <interleaved>>
    #ttnn.memory_config<#l1, <block_sharded>, #ttnn.shard_spec<<[#ttnn.core_range<(0,0), (7,0)>]>, <32x32>, <row_major>>>
    ```
  }];
  let parameters = (ins "BufferTypeAttr":$bufferType,
                        OptionalParameter<"TensorMemoryLayoutAttr">:$tensorMemoryLayout,
                        OptionalParameter<"ShardSpecAttr">:$shardSpec);
  let assemblyFormat = [{
    `<` $bufferType (`,` $tensorMemoryLayout^ (`,` qualified($shardSpec)^)?)? `>`
  }];
  let genVerifyDecl = 1;
}

def TTNN_TTNNLayoutAttr : TTNN_Attr<"TTNNLayout", "ttnn_layout"> {
  let summary = "The encoding of a ttnn tensor: how it lies in memory";
  let description = [{
    * `linear` maps the indices of the tensor to the two dimensions that are laid out.
    * `grid_shape` is the grid that the tensor is distributed over: 1x1 unless it is in L1 or sharded.
    * `memref` is one shard: its shape in tiles or elements, and its memory space, a `#ttnn.buffer_type`.
    * `mem_layout` says how shards are distributed; a tensor in system memory has none.
    * `core_range_set` names the cores of a sharded tensor.

    ```mlir
    #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x4x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>
    ```
  }];
  let parameters = (ins "::mlir::AffineMap":$linear,
                        ArrayRefParameter<"int64_t">:$grid_shape,
                        "::mlir::MemRefType":$memref,
                        OptionalParameter<"TensorMemoryLayoutAttr">:$mem_layout,
                        OptionalParameter<"CoreRangeSetAttr">:$core_range_set,
                        OptionalParameter<"bool">:$ignorePhysicalLayout);
  let assemblyFormat = [{
    `<` $linear `,` `<` custom<Dimensions>($grid_shape) `>` `,` $memref (`,` $mem_layout^)?
    (`,` `core_ranges` `=` $core_range_set^)? (`,` `ignorePhysicalLayout` `=` $ignorePhysicalLayout^)? `>`
  }];
  let genVerifyDecl = 1;
}

def TTNN_DeviceComputeKernelConfigAttr : TTNN_Attr<"DeviceComputeKernelConfig", "device_compute_kernel_config"> {
  let summary = "How a kernel computes; what is not said is left to the compiler";
  let parameters = (ins OptionalParameter<"std::optional<MathFidelity>">:$math_fidelity,
                        OptionalParameter<"::mlir::BoolAttr">:$math_approx_mode,
                        OptionalParameter<"::mlir::BoolAttr">:$fp32_dest_acc_en,
                        OptionalParameter<"::mlir::BoolAttr">:$packer_l1_acc,
                        OptionalParameter<"::mlir::BoolAttr">:$dst_full_sync_en);
  let assemblyFormat = "`<` struct(params) `>`";
}

#endif // TESSERA_TTNN_ATTRS_TD
