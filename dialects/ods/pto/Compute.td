// Operations that compute tiles. `unit` names the executing unit. It is decided before mixed
// kernels are expanded, and expansion never changes it, so that results stay the same bit for bit.
// `precision` is that of the tensor an element-wise function belongs to; tiles may be wider.

#ifndef TESSERA_PTO_COMPUTE_TD
#define TESSERA_PTO_COMPUTE_TD

include "pto/Base.td"

class PTO_Compute<string mnemonic, string text = ""> : PTO_Op<mnemonic, [Pure, VerifiedInRust]> {
  let summary = text;
  let results = (outs PTO_TileType:$result);
}

def PTO_TMatmulOp : PTO_Compute<"tmatmul", "Product of two tiles"> {
  let arguments = (ins PTO_TileType:$lhs, PTO_TileType:$rhs);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)";
}

def PTO_TMatmulAccOp : PTO_Compute<"tmatmul_acc", "Product of two tiles, added to an accumulator"> {
  let arguments = (ins PTO_TileType:$acc, PTO_TileType:$lhs, PTO_TileType:$rhs);
  let assemblyFormat = [{
    $acc `,` $lhs `,` $rhs attr-dict `:` type($acc) `,` type($lhs) `,` type($rhs) `->` type($result)
  }];
}

class PTO_Binary<string mnemonic, string text> : PTO_Compute<mnemonic, text> {
  let arguments = (ins PTO_TileType:$lhs, PTO_TileType:$rhs, PTO_UnitAttr:$unit,
                       DefaultValuedAttr<PTO_BroadcastAttr, "Broadcast::None">:$broadcast,
                       DefaultValuedAttr<PTO_PrecisionAttr, "Precision::F32">:$precision);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)";
}

class PTO_OfTile<string mnemonic, string text> : PTO_Compute<mnemonic, text> {
  let arguments = (ins PTO_TileType:$source, PTO_UnitAttr:$unit);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
}

class PTO_Unary<string mnemonic, string text> : PTO_OfTile<mnemonic, text> {
  let arguments = (ins PTO_TileType:$source, PTO_UnitAttr:$unit,
                       DefaultValuedAttr<PTO_PrecisionAttr, "Precision::F32">:$precision);
}

// The element-wise functions of the operation table (`runtime/ops`).
include "pto/Generated.td"

def PTO_TCvtOp : PTO_OfTile<"tcvt", "Conversion to another element type; widening is exact, narrowing rounds to nearest, ties away from zero, to integers toward zero">;

def PTO_TSelOp : PTO_Compute<"tsel", "Select: the second operand where the first is not zero, else the third"> {
  let arguments = (ins PTO_TileType:$condition, PTO_TileType:$lhs, PTO_TileType:$rhs, PTO_UnitAttr:$unit);
  let assemblyFormat = [{
    $condition `,` $lhs `,` $rhs attr-dict `:` type($condition) `,` type($lhs) `,` type($rhs) `->` type($result)
  }];
}

// Reductions. The result has one valid column or row, which a broadcast can expand again.
def PTO_TRowSumOp : PTO_OfTile<"trowsum", "Sum of each row, in a column">;
def PTO_TRowMaxOp : PTO_OfTile<"trowmax", "Largest element of each row, in a column">;
def PTO_TRowMinOp : PTO_OfTile<"trowmin", "Smallest element of each row, in a column">;
def PTO_TColSumOp : PTO_OfTile<"tcolsum", "Sum of each column, in a row">;
def PTO_TColMaxOp : PTO_OfTile<"tcolmax", "Largest element of each column, in a row">;
def PTO_TColMinOp : PTO_OfTile<"tcolmin", "Smallest element of each column, in a row">;

def PTO_TTransOp : PTO_OfTile<"ttrans", "Transposition">;

def PTO_TFillOp : PTO_Compute<"tfill", "Tile with the same number in every valid element"> {
  let arguments = (ins F64Attr:$value, PTO_UnitAttr:$unit);
  let assemblyFormat = "$value attr-dict `:` type($result)";
}

#endif // TESSERA_PTO_COMPUTE_TD
