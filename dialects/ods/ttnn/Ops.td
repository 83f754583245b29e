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
  let summary = "Convert a tensor to the layout, memory and element type of the result";
  let description = "A composite conversion; `ttnn-decompose-layouts` decomposes it into the operations below.";
}

def TTNN_ToLayoutOp : TTNN_ConversionOp<"to_layout"> {
  let summary = "Convert a tensor to tiled or row-major order, in the same memory";
}

def TTNN_ToMemoryConfigOp : TTNN_ConversionOp<"to_memory_config"> {
  let summary = "Move a tensor to another memory of the device, or redistribute it";
}

def TTNN_ToDeviceOp : TTNN_PureOp<"to_device"> {
  let summary = "Move a tensor from the host to the device";
  let arguments = (ins AnyRankedTensor:$input, TTNN_DeviceType:$device);
}

def TTNN_FromDeviceOp : TTNN_ConversionOp<"from_device"> {
  let summary = "Move a tensor from the device to the host";
}

def TTNN_DeallocateOp : TTNN_Op<"deallocate", [MemoryEffects<[MemFree]>]> {
  let summary = "Frees the memory of a tensor; nothing may use it afterwards";
  let arguments = (ins AnyRankedTensor:$input, DefaultValuedAttr<BoolAttr, "false">:$force);
}

//===-- Creation ----------------------------------------------------------===//

// `more` are the attributes besides those that every operation of the class has.
class TTNN_CreationOp<string mnemonic, list<Trait> traits = []> : TTNN_PureOp<mnemonic, traits> {
  dag more = (ins);
}

class TTNN_EmptyTensorOp<string mnemonic> : TTNN_CreationOp<mnemonic> {
  let arguments = (ins TTNN_DeviceType:$device, TTNN_ShapeAttr:$shape);
}

class TTNN_FilledTensorOp<string mnemonic> : TTNN_CreationOp<mnemonic> {
  let arguments = !con((ins Optional<TTNN_DeviceType>:$device, TTNN_ShapeAttr:$shape), more);
}

class TTNN_RangeTensorOp<string mnemonic> : TTNN_CreationOp<mnemonic> {
  let arguments = !con((ins Optional<TTNN_DeviceType>:$device), more);
}

class TTNN_ConstantTensorOp<string mnemonic>
    : TTNN_CreationOp<mnemonic, [AllShapesMatch<["value", "result"]>]> {
  let arguments = !con((ins Optional<TTNN_DeviceType>:$device), more);
}

//===-- Operations on tensors, from the operation table (`runtime/ops`) ----===//

include "ttnn/Generated.td"

//===-- Kernels -----------------------------------------------------------===//

def TTNN_KernelRegionOp : TTNN_Op<"kernel_region", [
    IsolatedFromAbove, RecursiveMemoryEffects, SingleBlock, VerifiedInRust]> {
  let summary = "Operations that one kernel implements";
  let description = [{
    The operations are kept, so that a reference can evaluate them and golden results can be
    compared with the kernel's. The block has one argument for each input, of its type, and ends in
    `ttnn.yield` of the results. `target` names the kind of device that runs `kernel`, which is a
    symbol of the surrounding module; `arch` says which generation of it.

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
  let summary = "Yield the results of a kernel region";
  let arguments = (ins Variadic<AnyRankedTensor>:$values);
}

#endif // TESSERA_TTNN_OPS_TD
