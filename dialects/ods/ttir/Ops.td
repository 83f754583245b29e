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

def TTIR_DivOp : TTIR_BinaryOp<"div"> {
  let summary = "Quotient, broadcast";
}

def TTIR_MaximumOp : TTIR_BinaryOp<"maximum"> {
  let summary = "The larger element, broadcast";
}

def TTIR_MinimumOp : TTIR_BinaryOp<"minimum"> {
  let summary = "The smaller element, broadcast";
}

def TTIR_EqualOp : TTIR_BinaryOp<"eq"> {
  let summary = "1 where both are equal, else 0, broadcast";
}

def TTIR_NotEqualOp : TTIR_BinaryOp<"ne"> {
  let summary = "1 where they differ, else 0, broadcast";
}

def TTIR_GreaterThanOp : TTIR_BinaryOp<"gt"> {
  let summary = "1 where the first is larger, else 0, broadcast";
}

def TTIR_GreaterEqualOp : TTIR_BinaryOp<"ge"> {
  let summary = "1 where the first is as large or larger, else 0, broadcast";
}

def TTIR_LessThanOp : TTIR_BinaryOp<"lt"> {
  let summary = "1 where the first is smaller, else 0, broadcast";
}

def TTIR_LessEqualOp : TTIR_BinaryOp<"le"> {
  let summary = "1 where the first is as small or smaller, else 0, broadcast";
}

def TTIR_LogicalAndOp : TTIR_BinaryOp<"logical_and"> {
  let summary = "1 where neither is zero, else 0, broadcast";
}

def TTIR_LogicalOrOp : TTIR_BinaryOp<"logical_or"> {
  let summary = "1 where one is not zero, else 0, broadcast";
}

def TTIR_LogicalXorOp : TTIR_BinaryOp<"logical_xor"> {
  let summary = "1 where exactly one is zero, else 0, broadcast";
}

def TTIR_BitwiseAndOp : TTIR_BinaryOp<"bitwise_and"> {
  let summary = "The bits that both integers have, broadcast";
}

def TTIR_BitwiseOrOp : TTIR_BinaryOp<"bitwise_or"> {
  let summary = "The bits that one integer has, broadcast";
}

def TTIR_BitwiseXorOp : TTIR_BinaryOp<"bitwise_xor"> {
  let summary = "The bits that integers differ in, broadcast";
}

def TTIR_LogicalLeftShiftOp : TTIR_BinaryOp<"logical_left_shift"> {
  let summary = "The bits of an integer moved up, broadcast; 0 if by more than it has";
}

def TTIR_LogicalRightShiftOp : TTIR_BinaryOp<"logical_right_shift"> {
  let summary = "The bits of an integer moved down, zeros behind them, broadcast; 0 if by more than it has";
}

def TTIR_AbsOp : TTIR_UnaryOp<"abs"> {
  let summary = "The element without its sign";
}

def TTIR_NegOp : TTIR_UnaryOp<"neg"> {
  let summary = "The element with its sign changed";
}

def TTIR_ExpOp : TTIR_UnaryOp<"exp"> {
  let summary = "The exponential";
}

def TTIR_LogOp : TTIR_UnaryOp<"log"> {
  let summary = "The natural logarithm";
}

def TTIR_SqrtOp : TTIR_UnaryOp<"sqrt"> {
  let summary = "The square root";
}

def TTIR_RsqrtOp : TTIR_UnaryOp<"rsqrt"> {
  let summary = "One over the square root";
}

def TTIR_ReciprocalOp : TTIR_UnaryOp<"reciprocal"> {
  let summary = "One over the element";
}

def TTIR_ReluOp : TTIR_UnaryOp<"relu"> {
  let summary = "The greater of the element and zero";
}

def TTIR_SigmoidOp : TTIR_UnaryOp<"sigmoid"> {
  let summary = "1 / (1 + exp(-x))";
}

def TTIR_TanhOp : TTIR_UnaryOp<"tanh"> {
  let summary = "The hyperbolic tangent";
}

def TTIR_ErfOp : TTIR_UnaryOp<"erf"> {
  let summary = "The error function";
}

def TTIR_GeluOp : TTIR_UnaryOp<"gelu"> {
  let summary = "x / 2 * (1 + erf(x / sqrt(2)))";
}

def TTIR_SiluOp : TTIR_UnaryOp<"silu"> {
  let summary = "x / (1 + exp(-x))";
}

def TTIR_LogicalNotOp : TTIR_UnaryOp<"logical_not"> {
  let summary = "1 where the element is zero, else 0";
}

def TTIR_BitwiseNotOp : TTIR_UnaryOp<"bitwise_not"> {
  let summary = "All bits of an integer changed";
}

def TTIR_LeakyReluOp : TTIR_UnaryOp<"leaky_relu"> {
  let summary = "The element, times a number where it is negative";
  let description = [{
    ```mlir
    %0 = "ttir.leaky_relu"(%a) <{parameter = 0.01 : f32}> : (tensor<64x96xbf16>) -> tensor<64x96xbf16>
    ```
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$inputs, F32Attr:$parameter);
}

def TTIR_ClampScalarOp : TTIR_UnaryOp<"clamp_scalar"> {
  let summary = "The element, or the nearer of two numbers that it is beyond";
  let description = [{
    ```mlir
    %0 = "ttir.clamp_scalar"(%a) <{max = 3.0 : f32, min = 2.0 : f32}> : (tensor<64x96xbf16>) -> tensor<64x96xbf16>
    ```
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$inputs,
                       AnyAttrOf<[F32Attr, I32Attr]>:$min,
                       AnyAttrOf<[F32Attr, I32Attr]>:$max);
}

// The operands broadcast against each other.
class TTIR_TernaryOp<string mnemonic> : TTIR_Function<mnemonic, 3, 3>;

def TTIR_ClampTensorOp : TTIR_TernaryOp<"clamp_tensor"> {
  let summary = "The first element, or the second if it is smaller, or the third if it is larger, broadcast";
}

def TTIR_WhereOp : TTIR_TernaryOp<"where"> {
  let summary = "The second element where the first is not zero, else the third, broadcast";
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

//===-- Reductions and movement -------------------------------------------===//

class TTIR_ReductionOp<string mnemonic> : TTIR_Function<mnemonic, 1, 1> {
  let description = [{
    Along all dimensions, if `dim_arg` does not say which; with `keep_dim` they stay, of extent 1.

    ```mlir
    %0 = "ttir.}] # mnemonic # [{"(%a) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<64x96xbf16>) -> tensor<64x1xbf16>
    ```
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$inputs,
                       BoolAttr:$keep_dim,
                       OptionalAttr<I32ArrayAttr>:$dim_arg);
}

def TTIR_SumOp : TTIR_ReductionOp<"sum"> {
  let summary = "Sum along dimensions";
}

def TTIR_MeanOp : TTIR_ReductionOp<"mean"> {
  let summary = "Mean along dimensions";
}

def TTIR_MaxOp : TTIR_ReductionOp<"max"> {
  let summary = "Largest element along dimensions";
}

def TTIR_MinOp : TTIR_ReductionOp<"min"> {
  let summary = "Smallest element along dimensions";
}

def TTIR_SoftmaxOp : TTIR_UnaryOp<"softmax"> {
  let summary = "Exponentials, as shares of their sum along a dimension";
  let description = [{
    The largest element is subtracted before, whatever `numericStable` says, so nothing overflows.

    ```mlir
    %0 = "ttir.softmax"(%a) <{dimension = 1 : si32}> : (tensor<64x96xbf16>) -> tensor<64x96xbf16>
    ```
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$inputs,
                       SI32Attr:$dimension,
                       DefaultValuedAttr<BoolAttr, "false">:$numericStable);
}

def TTIR_TransposeOp : TTIR_UnaryOp<"transpose"> {
  let summary = "Two dimensions, each in the place of the other";
  let description = [{
    ```mlir
    %0 = "ttir.transpose"(%a) <{dim0 = 0 : si32, dim1 = 1 : si32}> : (tensor<64x96xbf16>) -> tensor<96x64xbf16>
    ```
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$inputs, SI32Attr:$dim0, SI32Attr:$dim1);
}

def TTIR_PermuteOp : TTIR_UnaryOp<"permute"> {
  let summary = "The dimensions in another order";
  let description = [{
    ```mlir
    %0 = "ttir.permute"(%a) <{permutation = array<i64: 1, 0>}> : (tensor<64x96xbf16>) -> tensor<96x64xbf16>
    ```
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$inputs, DenseI64ArrayAttr:$permutation);
}

//===-- Matrix products ---------------------------------------------------===//

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
