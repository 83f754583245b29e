// Enumerations of the pto dialect.

#ifndef TESSERA_PTO_ENUMS_TD
#define TESSERA_PTO_ENUMS_TD

include "pto/Dialect.td"
include "mlir/IR/EnumAttr.td"

class PTO_Enum<string name, string summary, list<I32EnumAttrCase> cases> : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::tessera::pto";
  let genSpecializedAttr = 0;
}

// Which side of a core a kernel runs on.
def PTO_Kind : PTO_Enum<"Kind", "kind of kernel", [
  I32EnumAttrCase<"Mixed", 0, "mixed">,
  I32EnumAttrCase<"Cube", 1, "cube">,
  I32EnumAttrCase<"Vector", 2, "vector">,
  I32EnumAttrCase<"Orchestration", 3, "orchestration">
]>;

// How many passes a product takes over the bits of its operands.
def PTO_Fidelity : PTO_Enum<"Fidelity", "math fidelity", [
  I32EnumAttrCase<"LoFi", 1, "lofi">,
  I32EnumAttrCase<"HiFi2", 2, "hifi2">,
  I32EnumAttrCase<"HiFi3", 3, "hifi3">,
  I32EnumAttrCase<"HiFi4", 4, "hifi4">
]>;

// What accumulators hold.
def PTO_Dst : PTO_Enum<"Dst", "accumulator format", [
  I32EnumAttrCase<"F32", 0, "f32">,
  I32EnumAttrCase<"B16", 1, "b16">
]>;

// Where a tile lies.
def PTO_Space : PTO_Enum<"Space", "memory space of a tile", [
  I32EnumAttrCase<"Mat", 0, "mat">,
  I32EnumAttrCase<"Acc", 1, "acc">
]>;

// What computes an operation; decided before expansion and never changed by it.
def PTO_Unit : PTO_Enum<"Unit", "executing unit", [
  I32EnumAttrCase<"Fpu", 0, "fpu">,
  I32EnumAttrCase<"Sfpu", 1, "sfpu">,
  I32EnumAttrCase<"Pack", 2, "pack">
]>;

// How the right operand is spread over the tile.
def PTO_Broadcast : PTO_Enum<"Broadcast", "broadcast of the right operand", [
  I32EnumAttrCase<"None", 0, "none">,
  I32EnumAttrCase<"Row", 1, "row">,
  I32EnumAttrCase<"Column", 2, "column">,
  I32EnumAttrCase<"Scalar", 3, "scalar">
]>;

#endif // TESSERA_PTO_ENUMS_TD
