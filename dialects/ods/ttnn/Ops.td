// Operations of the ttnn dialect.

#ifndef TESSERA_TTNN_OPS_TD
#define TESSERA_TTNN_OPS_TD

include "Forward.td"
include "ttcore/Attrs.td"
include "ttnn/Attrs.td"
include "ttnn/Types.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class TTNN_Op<string mnemonic, list<Trait> traits = []> : Op<TTNN_Dialect, mnemonic, traits>;

// An operation whose results depend on nothing but its operands.
class TTNN_PureOp<string mnemonic, list<Trait> traits = []>
    : TTNN_Op<mnemonic, [Pure, VerifiedInRust] # traits> {
  let results = (outs AnyRankedTensor:$result);
}

//===-- Device and layout -------------------------------------------------===//

def TTNN_GetDeviceOp : TTNN_Op<"get_device", [Pure]> {
  let summary = "The device the program runs on";
  let arguments = (ins OptionalAttr<TTNN_MeshShapeAttr>:$mesh_shape,
                       OptionalAttr<TTNN_MeshOffsetAttr>:$mesh_offset);
  let results = (outs TTNN_DeviceType:$device);
}

class TTNN_ConversionOp<string mnemonic> : TTNN_PureOp<mnemonic> {
  let arguments = (ins AnyRankedTensor:$input);
}

def TTNN_ToTensorSpecOp : TTNN_ConversionOp<"to_tensor_spec"> {
  let summary = "The tensor in the layout, memory and element type of the result";
  let description = "An aggregate; `ttnn-decompose-layouts` breaks it into the operations below.";
}

def TTNN_ToLayoutOp : TTNN_ConversionOp<"to_layout"> {
  let summary = "The tensor tiled or row-major, in the same memory";
}

def TTNN_ToMemoryConfigOp : TTNN_ConversionOp<"to_memory_config"> {
  let summary = "The tensor in another memory of the device or otherwise distributed";
}

def TTNN_TypecastOp : TTNN_ConversionOp<"typecast"> {
  let summary = "The tensor with another element type, which its layout says, too";
  let hasFolder = 1;
}

def TTNN_ToDeviceOp : TTNN_PureOp<"to_device"> {
  let summary = "A host tensor, on the device";
  let arguments = (ins AnyRankedTensor:$input, TTNN_DeviceType:$device);
}

def TTNN_FromDeviceOp : TTNN_ConversionOp<"from_device"> {
  let summary = "A device tensor, on the host";
}

def TTNN_DeallocateOp : TTNN_Op<"deallocate", [MemoryEffects<[MemFree]>]> {
  let summary = "Frees the memory of a tensor; nothing may use it afterwards";
  let arguments = (ins AnyRankedTensor:$input, DefaultValuedAttr<BoolAttr, "false">:$force);
}

//===-- Creation ----------------------------------------------------------===//

def TTNN_EmptyOp : TTNN_PureOp<"empty"> {
  let summary = "A tensor of unspecified values";
  let arguments = (ins TTNN_DeviceType:$device, TTNN_ShapeAttr:$shape);
}

class TTNN_NamedFullOp<string mnemonic> : TTNN_PureOp<mnemonic> {
  let arguments = (ins Optional<TTNN_DeviceType>:$device, TTNN_ShapeAttr:$shape);
}

def TTNN_ZerosOp : TTNN_NamedFullOp<"zeros"> {
  let summary = "A tensor of zeros";
}

def TTNN_OnesOp : TTNN_NamedFullOp<"ones"> {
  let summary = "A tensor of ones";
}

def TTNN_FullOp : TTNN_PureOp<"full"> {
  let summary = "A tensor of one value";
  let arguments = (ins Optional<TTNN_DeviceType>:$device,
                       TTNN_ShapeAttr:$shape,
                       AnyAttrOf<[F32Attr, I32Attr]>:$fill_value);
}

def TTNN_ConstantOp : TTNN_PureOp<"constant", [AllShapesMatch<["value", "result"]>]> {
  let summary = "A tensor of given values";
  let arguments = (ins Optional<TTNN_DeviceType>:$device, ElementsAttr:$value);
}

//===-- Element-wise ------------------------------------------------------===//

class TTNN_UnaryOp<string mnemonic> : TTNN_PureOp<mnemonic> {
  let arguments = (ins AnyRankedTensor:$input);
}

class TTNN_BinaryOp<string mnemonic> : TTNN_PureOp<mnemonic> {
  let arguments = (ins AnyRankedTensor:$lhs, AnyRankedTensor:$rhs);
}

def TTNN_AddOp : TTNN_BinaryOp<"add"> {
  let summary = "Sum, broadcast";
}

def TTNN_SubtractOp : TTNN_BinaryOp<"subtract"> {
  let summary = "Difference, broadcast";
}

def TTNN_MultiplyOp : TTNN_BinaryOp<"multiply"> {
  let summary = "Product, broadcast";
}

def TTNN_DivideOp : TTNN_BinaryOp<"divide"> {
  let summary = "Quotient, broadcast";
}

def TTNN_MaximumOp : TTNN_BinaryOp<"maximum"> {
  let summary = "The larger element, broadcast";
}

def TTNN_MinimumOp : TTNN_BinaryOp<"minimum"> {
  let summary = "The smaller element, broadcast";
}

def TTNN_EqualOp : TTNN_BinaryOp<"eq"> {
  let summary = "1 where both are equal, else 0, broadcast";
}

def TTNN_NotEqualOp : TTNN_BinaryOp<"ne"> {
  let summary = "1 where they differ, else 0, broadcast";
}

def TTNN_GreaterThanOp : TTNN_BinaryOp<"gt"> {
  let summary = "1 where the first is larger, else 0, broadcast";
}

def TTNN_GreaterEqualOp : TTNN_BinaryOp<"ge"> {
  let summary = "1 where the first is as large or larger, else 0, broadcast";
}

def TTNN_LessThanOp : TTNN_BinaryOp<"lt"> {
  let summary = "1 where the first is smaller, else 0, broadcast";
}

def TTNN_LessEqualOp : TTNN_BinaryOp<"le"> {
  let summary = "1 where the first is as small or smaller, else 0, broadcast";
}

def TTNN_LogicalAndOp : TTNN_BinaryOp<"logical_and"> {
  let summary = "1 where neither is zero, else 0, broadcast";
}

def TTNN_LogicalOrOp : TTNN_BinaryOp<"logical_or"> {
  let summary = "1 where one is not zero, else 0, broadcast";
}

def TTNN_LogicalXorOp : TTNN_BinaryOp<"logical_xor"> {
  let summary = "1 where exactly one is zero, else 0, broadcast";
}

def TTNN_BitwiseAndOp : TTNN_BinaryOp<"bitwise_and"> {
  let summary = "The bits that both integers have, broadcast";
}

def TTNN_BitwiseOrOp : TTNN_BinaryOp<"bitwise_or"> {
  let summary = "The bits that one integer has, broadcast";
}

def TTNN_BitwiseXorOp : TTNN_BinaryOp<"bitwise_xor"> {
  let summary = "The bits that integers differ in, broadcast";
}

def TTNN_LogicalLeftShiftOp : TTNN_BinaryOp<"logical_left_shift"> {
  let summary = "The bits of an integer moved up, broadcast; 0 if by more than it has";
}

def TTNN_LogicalRightShiftOp : TTNN_BinaryOp<"logical_right_shift"> {
  let summary = "The bits of an integer moved down, zeros behind them, broadcast; 0 if by more than it has";
}

def TTNN_AbsOp : TTNN_UnaryOp<"abs"> {
  let summary = "The element without its sign";
}

def TTNN_NegOp : TTNN_UnaryOp<"neg"> {
  let summary = "The element with its sign changed";
}

def TTNN_ExpOp : TTNN_UnaryOp<"exp"> {
  let summary = "The exponential";
}

def TTNN_LogOp : TTNN_UnaryOp<"log"> {
  let summary = "The natural logarithm";
}

def TTNN_SqrtOp : TTNN_UnaryOp<"sqrt"> {
  let summary = "The square root";
}

def TTNN_RsqrtOp : TTNN_UnaryOp<"rsqrt"> {
  let summary = "One over the square root";
}

def TTNN_ReciprocalOp : TTNN_UnaryOp<"reciprocal"> {
  let summary = "One over the element";
}

def TTNN_ReluOp : TTNN_UnaryOp<"relu"> {
  let summary = "The greater of the element and zero";
}

def TTNN_SigmoidOp : TTNN_UnaryOp<"sigmoid"> {
  let summary = "1 / (1 + exp(-x))";
}

def TTNN_TanhOp : TTNN_UnaryOp<"tanh"> {
  let summary = "The hyperbolic tangent";
}

def TTNN_ErfOp : TTNN_UnaryOp<"erf"> {
  let summary = "The error function";
}

def TTNN_GeluOp : TTNN_UnaryOp<"gelu"> {
  let summary = "x / 2 * (1 + erf(x / sqrt(2)))";
}

def TTNN_SiluOp : TTNN_UnaryOp<"silu"> {
  let summary = "x / (1 + exp(-x))";
}

def TTNN_LogicalNotOp : TTNN_UnaryOp<"logical_not"> {
  let summary = "1 where the element is zero, else 0";
}

def TTNN_BitwiseNotOp : TTNN_UnaryOp<"bitwise_not"> {
  let summary = "All bits of an integer changed";
}

def TTNN_LeakyReluOp : TTNN_UnaryOp<"leaky_relu"> {
  let summary = "The element, times a number where it is negative";
  let arguments = (ins AnyRankedTensor:$input, F32Attr:$parameter);
}

def TTNN_ClampScalarOp : TTNN_UnaryOp<"clamp_scalar"> {
  let summary = "The element, or the nearer of two numbers that it is beyond";
  let arguments = (ins AnyRankedTensor:$input,
                       AnyAttrOf<[F32Attr, I32Attr]>:$min,
                       AnyAttrOf<[F32Attr, I32Attr]>:$max);
}

def TTNN_ClampTensorOp : TTNN_PureOp<"clamp_tensor"> {
  let summary = "The first element, or the second if it is smaller, or the third if it is larger, broadcast";
  let arguments = (ins AnyRankedTensor:$input, AnyRankedTensor:$min, AnyRankedTensor:$max);
}

def TTNN_WhereOp : TTNN_PureOp<"where"> {
  let summary = "The second element where the first is not zero, else the third, broadcast";
  let arguments = (ins AnyRankedTensor:$first, AnyRankedTensor:$second, AnyRankedTensor:$third);
}

//===-- Reductions and movement -------------------------------------------===//

class TTNN_ReductionOp<string mnemonic> : TTNN_PureOp<mnemonic> {
  let arguments = (ins AnyRankedTensor:$input,
                       BoolAttr:$keep_dim,
                       OptionalAttr<I32ArrayAttr>:$dim_arg,
                       OptionalAttr<TTNN_DeviceComputeKernelConfigAttr>:$compute_config);
}

def TTNN_SumOp : TTNN_ReductionOp<"sum"> {
  let summary = "Sum along dimensions, as ttir.sum";
}

def TTNN_MeanOp : TTNN_ReductionOp<"mean"> {
  let summary = "Mean along dimensions, as ttir.mean";
}

def TTNN_MaxOp : TTNN_ReductionOp<"max"> {
  let summary = "Largest element along dimensions, as ttir.max";
}

def TTNN_MinOp : TTNN_ReductionOp<"min"> {
  let summary = "Smallest element along dimensions, as ttir.min";
}

def TTNN_SoftmaxOp : TTNN_PureOp<"softmax"> {
  let summary = "Exponentials, as shares of their sum along a dimension, as ttir.softmax";
  let arguments = (ins AnyRankedTensor:$input,
                       SI32Attr:$dimension,
                       DefaultValuedAttr<BoolAttr, "false">:$numericStable,
                       OptionalAttr<TTNN_DeviceComputeKernelConfigAttr>:$compute_config);
}

def TTNN_PermuteOp : TTNN_PureOp<"permute"> {
  let summary = "The dimensions in another order";
  let arguments = (ins AnyRankedTensor:$input, DenseI64ArrayAttr:$permutation);
}

//===-- Matrix products ---------------------------------------------------===//

def TTNN_MatmulOp : TTNN_PureOp<"matmul"> {
  let summary = "Matrix product, as ttir.matmul";
  let arguments = (ins AnyRankedTensor:$a,
                       AnyRankedTensor:$b,
                       DefaultValuedAttr<BoolAttr, "false">:$transpose_a,
                       DefaultValuedAttr<BoolAttr, "false">:$transpose_b,
                       OptionalAttr<StrAttr>:$activation,
                       OptionalAttr<TTNN_DeviceComputeKernelConfigAttr>:$compute_config);
}

def TTNN_LinearOp : TTNN_PureOp<"linear"> {
  let summary = "Matrix product plus bias, as ttir.linear";
  let arguments = (ins AnyRankedTensor:$a,
                       AnyRankedTensor:$b,
                       Optional<AnyRankedTensor>:$bias,
                       DefaultValuedAttr<BoolAttr, "false">:$transpose_a,
                       DefaultValuedAttr<BoolAttr, "false">:$transpose_b,
                       OptionalAttr<StrAttr>:$activation,
                       OptionalAttr<TTNN_DeviceComputeKernelConfigAttr>:$compute_config);
}

//===-- Kernels -----------------------------------------------------------===//

def TTNN_KernelRegionOp : TTNN_Op<"kernel_region", [
    IsolatedFromAbove, RecursiveMemoryEffects, SingleBlock, VerifiedInRust]> {
  let summary = "Operations that one kernel computes";
  let description = [{
    The operations stay, so that a reference can evaluate them and a golden can be compared with what the kernel gives.
    The block has one argument for each input, of its type, and ends in `ttnn.yield` of the results. `target` names the
    kind of device that runs `kernel`, which is a symbol of the surrounding module; `arch` says which generation of it.

    ```mlir
    %0 = "ttnn.kernel_region"(%a, %b) <{arch = #ttcore.arch<wormhole_b0>, kernel = @matmul_0, target = "tensix"}> ({
    ^bb0(%x: tensor<..., #layout>, %y: tensor<..., #layout>):
      %1 = "ttnn.add"(%x, %y) : (...) -> tensor<..., #layout>
      "ttnn.yield"(%1) : (tensor<..., #layout>) -> ()
    }) : (...) -> tensor<..., #layout>
    ```
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$inputs,
                       FlatSymbolRefAttr:$kernel,
                       StrAttr:$target,
                       OptionalAttr<TTCore_ArchAttr>:$arch);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
}

def TTNN_YieldOp : TTNN_Op<"yield", [Pure, Terminator, ReturnLike, HasParent<"KernelRegionOp">, VerifiedInRust]> {
  let summary = "The results of a kernel region";
  let arguments = (ins Variadic<AnyRankedTensor>:$values);
}

#endif // TESSERA_TTNN_OPS_TD
