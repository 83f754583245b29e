// Operations of the ttir dialect.

#ifndef TESSERA_TTIR_OPS_TD
#define TESSERA_TTIR_OPS_TD

include "Forward.td"
include "ttir/Dialect.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class TTIR_Op<string mnemonic, list<Trait> traits = []> : Op<TTIR_Dialect, mnemonic, traits>;

//===-- Creation ----------------------------------------------------------===//

def TTIR_EmptyOp : TTIR_Op<"empty", [Pure]> {
  let summary = "A tensor of unspecified values";
  let description = [{
    Stands where the older spelling of TTIR wants an output operand.

    ```mlir
    %0 = ttir.empty() : tensor<64x96xbf16>
    ```
  }];
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "`(` `)` attr-dict `:` type($result)";
}

class TTIR_CreationOp<string mnemonic, list<Trait> traits = []>
    : TTIR_Op<mnemonic, [Pure, VerifiedInRust] # traits> {
  let results = (outs AnyRankedTensor:$result);
}

def TTIR_ConstantOp : TTIR_CreationOp<"constant", [AllShapesMatch<["value", "result"]>]> {
  let summary = "A tensor of given values";
  let description = [{
    ```mlir
    %0 = "ttir.constant"() <{value = dense<[1.0, 2.0]> : tensor<2xbf16>}> : () -> tensor<2xbf16>
    ```
  }];
  let arguments = (ins ElementsAttr:$value);
}

def TTIR_FullOp : TTIR_CreationOp<"full"> {
  let summary = "A tensor of one value";
  let description = [{
    ```mlir
    %0 = "ttir.full"() <{fill_value = 3.0 : f32, shape = array<i32: 64, 128>}> : () -> tensor<64x128xbf16>
    ```
  }];
  let arguments = (ins DenseI32ArrayAttr:$shape, AnyAttrOf<[F32Attr, I32Attr]>:$fill_value);
}

class TTIR_NamedFullOp<string mnemonic> : TTIR_CreationOp<mnemonic> {
  let arguments = (ins DenseI32ArrayAttr:$shape);
}

def TTIR_ZerosOp : TTIR_NamedFullOp<"zeros"> {
  let summary = "A tensor of zeros";
}

def TTIR_OnesOp : TTIR_NamedFullOp<"ones"> {
  let summary = "A tensor of ones";
}

//===-- Functions of tensors ----------------------------------------------===//

// A function of `least` to `most` tensors.
//
// TTIR has two spellings: upstream dropped the output operand in November 2025,
// its guide still writes it. ODS would report a wrong operand count of an
// optional output as "expected 2 or more"; so the operands are one group, and
// the trait counts them and names the count that the op has today.
class TTIR_Function<string mnemonic, int least, int most, list<Trait> traits = []>
    : TTIR_Op<mnemonic, [Pure, InputsThenOutput<least, most>, VerifiedInRust] # traits> {
  let arguments = (ins Variadic<AnyRankedTensor>:$inputs);
  let results = (outs AnyRankedTensor:$result);
}

class TTIR_UnaryOp<string mnemonic> : TTIR_Function<mnemonic, 1, 1>;

// The operands broadcast against each other, aligned at their last dimensions.
class TTIR_BinaryOp<string mnemonic> : TTIR_Function<mnemonic, 2, 2>;

def TTIR_AddOp : TTIR_BinaryOp<"add"> {
  let summary = "Sum, broadcast";
}

def TTIR_SubtractOp : TTIR_BinaryOp<"subtract"> {
  let summary = "Difference, broadcast";
}

def TTIR_MultiplyOp : TTIR_BinaryOp<"multiply"> {
  let summary = "Product, broadcast";
}

def TTIR_ReluOp : TTIR_UnaryOp<"relu"> {
  let summary = "The greater of the element and zero";
}

def TTIR_NegOp : TTIR_UnaryOp<"neg"> {
  let summary = "The element with its sign changed";
}

def TTIR_TypecastOp : TTIR_UnaryOp<"typecast"> {
  let summary = "The tensor with another element type";
  let description = [{
    What rounds, rounds to nearest. A cast to the type that the tensor has is dropped, and so are two that take an element to a
    type that has it and back. What rounds is never dropped: `conservative_folding`, with which upstream asks for that, changes
    nothing here.

    ```mlir
    %0 = "ttir.typecast"(%a) : (tensor<64x96xf32>) -> tensor<64x96xbf16>
    ```
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$inputs,
                       DefaultValuedAttr<BoolAttr, "false">:$conservative_folding);
  let hasFolder = 1;
}

class TTIR_ProductOp<string mnemonic, int most> : TTIR_Function<mnemonic, 2, most> {
  let arguments = (ins Variadic<AnyRankedTensor>:$inputs,
                       DefaultValuedAttr<BoolAttr, "false">:$transpose_a,
                       DefaultValuedAttr<BoolAttr, "false">:$transpose_b);
}

def TTIR_MatmulOp : TTIR_ProductOp<"matmul", 2> {
  let summary = "Matrix product, batched over the leading dimensions";
  let description = [{
    `a : [.., m, k]` times `b : [.., k, n]` gives `[.., m, n]`; the leading dimensions
    broadcast against each other. A 1-D `a` is a row, a 1-D `b` a column, and the
    dimension so added is dropped from the result. `transpose_a` and `transpose_b` swap the
    last two dimensions first and mean nothing for a 1-D operand.

    ```mlir
    %0 = "ttir.matmul"(%a, %b) <{transpose_b = true}>
       : (tensor<64x128xbf16>, tensor<96x128xbf16>) -> tensor<64x96xbf16>
    ```
  }];
}

def TTIR_LinearOp : TTIR_ProductOp<"linear", 3> {
  let summary = "Matrix product plus bias";
  let description = [{
    As `ttir.matmul`, and the third input, if there is one, is added to the product, broadcast.

    ```mlir
    %0 = "ttir.linear"(%a, %b, %bias)
       : (tensor<64x128xbf16>, tensor<128x96xbf16>, tensor<96xbf16>) -> tensor<64x96xbf16>
    ```
  }];
}

#endif // TESSERA_TTIR_OPS_TD
