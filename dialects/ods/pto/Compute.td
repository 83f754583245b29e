// Operations that compute tiles. `unit` says what computes; it is decided before expansion and never changed by it.

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
                       DefaultValuedAttr<PTO_BroadcastAttr, "Broadcast::None">:$broadcast);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)";
}

def PTO_TAddOp : PTO_Binary<"tadd", "Sum, element by element; into an accumulator if the left operand is one">;
def PTO_TSubOp : PTO_Binary<"tsub", "Difference, element by element">;
def PTO_TMulOp : PTO_Binary<"tmul", "Product, element by element">;
def PTO_TDivOp : PTO_Binary<"tdiv", "Quotient, element by element">;
def PTO_TMaxOp : PTO_Binary<"tmax", "The larger element">;
def PTO_TMinOp : PTO_Binary<"tmin", "The smaller element">;
def PTO_TPReluOp : PTO_Binary<"tprelu", "The left element, times the right one where it is negative">;

// 1 or 0; NaN is not zero, and no comparison with it holds but tne.
def PTO_TEqOp : PTO_Binary<"teq", "Whether both are equal">;
def PTO_TNeOp : PTO_Binary<"tne", "Whether they differ">;
def PTO_TGtOp : PTO_Binary<"tgt", "Whether the left element is larger">;
def PTO_TGeOp : PTO_Binary<"tge", "Whether the left element is as large or larger">;
def PTO_TLtOp : PTO_Binary<"tlt", "Whether the left element is smaller">;
def PTO_TLeOp : PTO_Binary<"tle", "Whether the left element is as small or smaller">;
def PTO_TLAndOp : PTO_Binary<"tland", "Whether neither is zero">;
def PTO_TLOrOp : PTO_Binary<"tlor", "Whether one is not zero">;
def PTO_TLXorOp : PTO_Binary<"tlxor", "Whether exactly one is zero">;

// Of integers.
def PTO_TAndOp : PTO_Binary<"tand", "The bits that both have">;
def PTO_TOrOp : PTO_Binary<"tor", "The bits that one has">;
def PTO_TXorOp : PTO_Binary<"txor", "The bits that they differ in">;
def PTO_TShlOp : PTO_Binary<"tshl", "The bits of the left element, moved up; 0 if by more than it has">;
def PTO_TShrOp : PTO_Binary<"tshr", "The bits of the left element, moved down, zeros behind them; 0 if by more than it has">;

class PTO_Unary<string mnemonic, string text> : PTO_Compute<mnemonic, text> {
  let arguments = (ins PTO_TileType:$source, PTO_UnitAttr:$unit);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
}

def PTO_TReluOp : PTO_Unary<"trelu", "Zero where the element is negative">;
def PTO_TNegOp : PTO_Unary<"tneg", "Negation">;
def PTO_TAbsOp : PTO_Unary<"tabs", "Absolute value">;
def PTO_TExpOp : PTO_Unary<"texp", "Exponential">;
def PTO_TLogOp : PTO_Unary<"tlog", "Natural logarithm">;
def PTO_TSqrtOp : PTO_Unary<"tsqrt", "Square root">;
def PTO_TRsqrtOp : PTO_Unary<"trsqrt", "Reciprocal of the square root">;
def PTO_TRecipOp : PTO_Unary<"trecip", "Reciprocal">;
def PTO_TSigmoidOp : PTO_Unary<"tsigmoid", "1 / (1 + exp(-x))">;
def PTO_TTanhOp : PTO_Unary<"ttanh", "Hyperbolic tangent">;
def PTO_TErfOp : PTO_Unary<"terf", "Error function">;
def PTO_TGeluOp : PTO_Unary<"tgelu", "x / 2 * (1 + erf(x / sqrt(2)))">;
def PTO_TSiluOp : PTO_Unary<"tsilu", "x / (1 + exp(-x))">;
def PTO_TLNotOp : PTO_Unary<"tlnot", "1 where the element is zero, else 0">;
def PTO_TNotOp : PTO_Unary<"tnot", "All bits of an integer changed">;
def PTO_TCvtOp : PTO_Unary<"tcvt", "Conversion to another element type; widening is exact, narrowing rounds to nearest, ties away from zero, to integers toward zero">;

def PTO_TSelOp : PTO_Compute<"tsel", "The second operand where the first is not zero, else the third"> {
  let arguments = (ins PTO_TileType:$condition, PTO_TileType:$lhs, PTO_TileType:$rhs, PTO_UnitAttr:$unit);
  let assemblyFormat = [{
    $condition `,` $lhs `,` $rhs attr-dict `:` type($condition) `,` type($lhs) `,` type($rhs) `->` type($result)
  }];
}

// What is left has one valid column or row; it is what a broadcast spreads.
def PTO_TRowSumOp : PTO_Unary<"trowsum", "Sum of each row, in a column">;
def PTO_TRowMaxOp : PTO_Unary<"trowmax", "Largest element of each row, in a column">;
def PTO_TRowMinOp : PTO_Unary<"trowmin", "Smallest element of each row, in a column">;
def PTO_TColSumOp : PTO_Unary<"tcolsum", "Sum of each column, in a row">;
def PTO_TColMaxOp : PTO_Unary<"tcolmax", "Largest element of each column, in a row">;
def PTO_TColMinOp : PTO_Unary<"tcolmin", "Smallest element of each column, in a row">;

def PTO_TTransOp : PTO_Unary<"ttrans", "Rows for columns">;

def PTO_TFillOp : PTO_Compute<"tfill", "The same number everywhere that is valid"> {
  let arguments = (ins F64Attr:$value, PTO_UnitAttr:$unit);
  let assemblyFormat = "$value attr-dict `:` type($result)";
}

#endif // TESSERA_PTO_COMPUTE_TD
