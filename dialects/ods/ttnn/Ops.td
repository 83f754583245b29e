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

def TTNN_ReluOp : TTNN_UnaryOp<"relu"> {
  let summary = "The greater of the element and zero";
}

def TTNN_NegOp : TTNN_UnaryOp<"neg"> {
  let summary = "The element with its sign changed";
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
