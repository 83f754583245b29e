// Enumerations of the pto dialect.

#ifndef TESSERA_PTO_ENUMS_TD
#define TESSERA_PTO_ENUMS_TD

include "pto/Dialect.td"
include "mlir/IR/EnumAttr.td"

class PTO_Enum<string name, string summary, list<I32EnumAttrCase> cases> : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::tessera::pto";
  let genSpecializedAttr = 0;
}

// The kind of a kernel: which side of a core it runs on, or what else it does.
def PTO_Kind : PTO_Enum<"Kind", "kind of kernel", [
  I32EnumAttrCase<"Mixed", 0, "mixed">,
  I32EnumAttrCase<"Cube", 1, "cube">,
  I32EnumAttrCase<"Vector", 2, "vector">,
  I32EnumAttrCase<"Orchestration", 3, "orchestration">,
  I32EnumAttrCase<"Movement", 4, "movement">
]>;

// Fidelity of a product: the number of passes over the mantissa bits of its operands.
def PTO_Fidelity : PTO_Enum<"Fidelity", "math fidelity", [
  I32EnumAttrCase<"LoFi", 1, "lofi">,
  I32EnumAttrCase<"HiFi2", 2, "hifi2">,
  I32EnumAttrCase<"HiFi3", 3, "hifi3">,
  I32EnumAttrCase<"HiFi4", 4, "hifi4">
]>;

// Format of accumulators.
def PTO_Dst : PTO_Enum<"Dst", "accumulator format", [
  I32EnumAttrCase<"F32", 0, "f32">,
  I32EnumAttrCase<"B16", 1, "b16">
]>;

// Memory space of a tile. All but `vec` are on the cube side of a core.
def PTO_Space : PTO_Enum<"Space", "memory space of a tile", [
  I32EnumAttrCase<"Mat", 0, "mat">,
  I32EnumAttrCase<"Acc", 1, "acc">,
  I32EnumAttrCase<"Left", 2, "left">,
  I32EnumAttrCase<"Right", 3, "right">,
  I32EnumAttrCase<"Bias", 4, "bias">,
  I32EnumAttrCase<"Vec", 5, "vec">
]>;

// The order of a tile's elements. A letter for blocks, then one for the elements of a block: n goes
// down the columns, z along the rows; nd and dn have no blocks.
def PTO_Layout : PTO_Enum<"Layout", "order of the elements of a tile", [
  I32EnumAttrCase<"Nd", 0, "nd">,
  I32EnumAttrCase<"Dn", 1, "dn">,
  I32EnumAttrCase<"Nz", 2, "nz">,
  I32EnumAttrCase<"Zn", 3, "zn">
]>;

// Direction of a pipe. The numbers are bits: their sum is the mask of a bidirectional pair.
def PTO_Direction : PTO_Enum<"Direction", "direction of a pipe", [
  I32EnumAttrCase<"C2V", 1, "c2v">,
  I32EnumAttrCase<"V2C", 2, "v2c">
]>;

// Split of a tile over two vector kernels.
def PTO_Split : PTO_Enum<"Split", "split of a tile over vector kernels", [
  I32EnumAttrCase<"None", 0, "none">,
  I32EnumAttrCase<"UpDown", 1, "up_down">,
  I32EnumAttrCase<"LeftRight", 2, "left_right">
]>;

// Location of rings: global memory (a2a3), or the memory of the consumer (a5).
def PTO_Platform : PTO_Enum<"Platform", "place of rings", [
  I32EnumAttrCase<"A2A3", 0, "a2a3">,
  I32EnumAttrCase<"A5", 1, "a5">
]>;

// Placement of a group: all kernels on the threads of one core, or one core for each.
def PTO_Placement : PTO_Enum<"Placement", "place of kernels", [
  I32EnumAttrCase<"SameCore", 0, "same_core">,
  I32EnumAttrCase<"Cluster", 1, "cluster">
]>;

// Executing unit of an operation; decided before expansion and never changed by it.
def PTO_Unit : PTO_Enum<"Unit", "executing unit", [
  I32EnumAttrCase<"Fpu", 0, "fpu">,
  I32EnumAttrCase<"Sfpu", 1, "sfpu">,
  I32EnumAttrCase<"Pack", 2, "pack">
]>;

// Precision of the code of an element-wise function: for tensors of f32 or of bf16.
def PTO_Precision : PTO_Enum<"Precision", "precision of an element-wise function", [
  I32EnumAttrCase<"F32", 0, "f32">,
  I32EnumAttrCase<"Bf16", 1, "bf16">
]>;

// Broadcast of the right operand.
def PTO_Broadcast : PTO_Enum<"Broadcast", "broadcast of the right operand", [
  I32EnumAttrCase<"None", 0, "none">,
  I32EnumAttrCase<"Row", 1, "row">,
  I32EnumAttrCase<"Column", 2, "column">,
  I32EnumAttrCase<"Scalar", 3, "scalar">
]>;

#endif // TESSERA_PTO_ENUMS_TD
