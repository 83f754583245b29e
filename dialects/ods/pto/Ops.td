// Operations of the pto dialect.

#ifndef TESSERA_PTO_OPS_TD
#define TESSERA_PTO_OPS_TD

include "Forward.td"
include "pto/Types.td"
include "mlir/IR/CommonTypeConstraints.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class PTO_Op<string mnemonic, list<Trait> traits = []> : Op<PTO_Dialect, mnemonic, traits>;

def PTO_FuncOp : PTO_Op<"func", [IsolatedFromAbove, FunctionOpInterface, VerifiedInRust]> {
  let summary = "A kernel";
  let description = [{
    Its arguments are tensors in global memory, row-major in tiles: inputs first, then what it writes. A `memref` gives the
    extent that holds data: a matrix, or a sequence of matrices, each of which begins with a tile of its own. What is
    stored beyond it, up to the next tile, is +0.

    ```mlir
    pto.func @neg(%a: memref<64x40xbf16>, %result: memref<64x40xbf16>)
        attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
      ...
      pto.return
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type, PTO_KindAttr:$kind,
                       PTO_FidelityAttr:$fidelity, PTO_DstAttr:$dst, OptionalAttr<StrAttr>:$sym_visibility,
                       OptionalAttr<DictArrayAttr>:$arg_attrs, OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region MinSizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    ::mlir::Region *getCallableRegion() { return &getBody(); }
  }];
}

def PTO_ReturnOp : PTO_Op<"return", [Pure, HasParent<"FuncOp">, ReturnLike, Terminator]> {
  let summary = "End of a kernel";
  let assemblyFormat = "attr-dict";
}

def PTO_TLoadOp : PTO_Op<"tload", [VerifiedInRust, MemoryEffects<[MemRead]>]> {
  let summary = "Tile of a tensor in global memory";
  let description = [{
    `row` and `column` count tiles, rows through all matrices.

    ```mlir
    %t = pto.tload %a[%i, %k] : memref<64x128xbf16> -> !pto.tile<tensor<32x32xbf16>, mat>
    ```
  }];
  let arguments = (ins AnyMemRef:$source, Index:$row, Index:$column);
  let results = (outs PTO_TileType:$result);
  let assemblyFormat = "$source `[` $row `,` $column `]` attr-dict `:` type($source) `->` type($result)";
}

def PTO_TStoreOp : PTO_Op<"tstore", [VerifiedInRust, MemoryEffects<[MemWrite]>]> {
  let summary = "Write a tile to a tensor in global memory";
  let arguments = (ins PTO_TileType:$tile, AnyMemRef:$target, Index:$row, Index:$column);
  let assemblyFormat = "$tile `,` $target `[` $row `,` $column `]` attr-dict `:` type($tile) `->` type($target)";
}

class PTO_Compute<string mnemonic> : PTO_Op<mnemonic, [Pure, VerifiedInRust]> {
  let results = (outs PTO_TileType:$result);
}

def PTO_TMatmulOp : PTO_Compute<"tmatmul"> {
  let summary = "Product of two tiles";
  let arguments = (ins PTO_TileType:$lhs, PTO_TileType:$rhs);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)";
}

def PTO_TMatmulAccOp : PTO_Compute<"tmatmul_acc"> {
  let summary = "Product of two tiles, added to an accumulator";
  let arguments = (ins PTO_TileType:$acc, PTO_TileType:$lhs, PTO_TileType:$rhs);
  let assemblyFormat = [{
    $acc `,` $lhs `,` $rhs attr-dict `:` type($acc) `,` type($lhs) `,` type($rhs) `->` type($result)
  }];
}

class PTO_Binary<string mnemonic> : PTO_Compute<mnemonic> {
  let arguments = (ins PTO_TileType:$lhs, PTO_TileType:$rhs, PTO_UnitAttr:$unit,
                       DefaultValuedAttr<PTO_BroadcastAttr, "Broadcast::None">:$broadcast);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)";
}

def PTO_TAddOp : PTO_Binary<"tadd"> {
  let summary = "Sum, element by element; into an accumulator if the left operand is one";
}

def PTO_TSubOp : PTO_Binary<"tsub"> {
  let summary = "Difference, element by element";
}

def PTO_TMulOp : PTO_Binary<"tmul"> {
  let summary = "Product, element by element";
}

class PTO_Unary<string mnemonic> : PTO_Compute<mnemonic> {
  let arguments = (ins PTO_TileType:$source, PTO_UnitAttr:$unit);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
}

def PTO_TReluOp : PTO_Unary<"trelu"> {
  let summary = "Zero where the element is negative";
}

def PTO_TNegOp : PTO_Unary<"tneg"> {
  let summary = "Negation";
}

def PTO_TCvtOp : PTO_Unary<"tcvt"> {
  let summary = "Conversion to another element type; widening is exact, narrowing rounds to nearest, ties away from zero";
}

#endif // TESSERA_PTO_OPS_TD
