// Enumerations of the ttnn dialect. The words are tt-mlir's.

#ifndef TESSERA_TTNN_ENUMS_TD
#define TESSERA_TTNN_ENUMS_TD

include "mlir/IR/EnumAttr.td"

class TTNN_Enum<string name, string summary, list<I32EnumAttrCase> cases> : I32EnumAttr<name, summary, cases> {
  let genSpecializedAttr = 0;
  let cppNamespace = "::tessera::ttnn";
}

def TTNN_Layout : TTNN_Enum<"Layout", "order of elements in a page", [
  I32EnumAttrCase<"RowMajor", 0, "row_major">,
  I32EnumAttrCase<"Tile", 1, "tile">,
  I32EnumAttrCase<"Invalid", 2, "invalid">]>;

def TTNN_TensorMemoryLayout : TTNN_Enum<"TensorMemoryLayout", "distribution of pages over banks or cores", [
  I32EnumAttrCase<"Interleaved", 0, "interleaved">,
  I32EnumAttrCase<"HeightSharded", 2, "height_sharded">,
  I32EnumAttrCase<"WidthSharded", 3, "width_sharded">,
  I32EnumAttrCase<"BlockSharded", 4, "block_sharded">,
  I32EnumAttrCase<"NDSharded", 5, "nd_sharded">]>;

def TTNN_BufferType : TTNN_Enum<"BufferType", "memory a tensor lives in", [
  I32EnumAttrCase<"DRAM", 0, "dram">,
  I32EnumAttrCase<"L1", 1, "l1">,
  I32EnumAttrCase<"SystemMemory", 2, "system_memory">,
  I32EnumAttrCase<"L1Small", 3, "l1_small">,
  I32EnumAttrCase<"Trace", 4, "trace">]>;

def TTNN_ShardOrientation : TTNN_Enum<"ShardOrientation", "order in which cores get shards", [
  I32EnumAttrCase<"RowMajor", 0, "row_major">,
  I32EnumAttrCase<"ColMajor", 1, "col_major">]>;

// How many of the mantissa bits of a product the matrix unit computes, in phases.
def TTNN_MathFidelity : TTNN_Enum<"MathFidelity", "phases of a multiplication", [
  I32EnumAttrCase<"LoFi", 0, "lofi">,
  I32EnumAttrCase<"HiFi2", 2, "hifi2">,
  I32EnumAttrCase<"HiFi3", 3, "hifi3">,
  I32EnumAttrCase<"HiFi4", 4, "hifi4">]>;

#endif // TESSERA_TTNN_ENUMS_TD
