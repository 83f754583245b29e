// Diagnostics of operations that a program file cannot represent. Each run changes one thing of a valid module.

// RUN: ttmlir-opt --ttcore-register-device %s -o %t.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mlir -o %t.ttnn

// RUN: echo 'module {}' | ttmlir-opt --ttcore-register-device | not ttmlir-translate --ttnn-to-flatbuffer 2>&1 | FileCheck %s --check-prefix=FUNCTION
// FUNCTION: <stdin>:{{.*}}: error: 'builtin.module' op has no function; a program file needs one

// RUN: echo 'func.func private @f()' | ttmlir-opt --ttcore-register-device | not ttmlir-translate --ttnn-to-flatbuffer 2>&1 | FileCheck %s --check-prefix=BODY
// BODY: error: 'func.func' op has no body to translate

// RUN: sed 's/ttnn.relu/ttir.relu/' %t.mlir | not ttmlir-translate --ttnn-to-flatbuffer 2>&1 | FileCheck %s --check-prefix=DIALECT
// DIALECT: error: 'ttir.relu' op has no counterpart in a program file; lower it to ttnn first

// RUN: sed 's/, #ttnn_layout[0-9]*>/>/g' %t.mlir | not ttmlir-translate --ttnn-to-flatbuffer 2>&1 | FileCheck %s --check-prefix=LAYOUT
// LAYOUT: error: 'func.func' op tensor<32x32xbf16> has no #ttnn.ttnn_layout; run ttnn-layout first

// RUN: echo 'func.func @f(%%a: i32) { return }' | ttmlir-opt --ttcore-register-device | not ttmlir-translate --ttnn-to-flatbuffer 2>&1 | FileCheck %s --check-prefix=TENSOR
// TENSOR: error: 'func.func' op i32 is not a tensor of static shape

// RUN: sed 's/<dram>/<l1_small>/' %t.mlir | not ttmlir-translate --ttnn-to-flatbuffer 2>&1 | FileCheck %s --check-prefix=MEMORY
// MEMORY: is in l1_small, which a program file does not support

// RUN: sed 's/tile<32x32, bf16>/tile<32x32, bfp_bf8>/' %t.mlir | not ttmlir-translate --ttnn-to-flatbuffer 2>&1 | FileCheck %s --check-prefix=ELEMENTS
// ELEMENTS: has elements that a program file cannot hold

// RUN: sed 's/transpose_a = false/activation = "relu", &/' %t.mlir | not ttmlir-translate --ttnn-to-flatbuffer 2>&1 | FileCheck %s --check-prefix=ACTIVATION
// ACTIVATION: error: 'ttnn.matmul' op has an activation, which a program file cannot represent; apply it in its own operation

// RUN: sed 's/value = dense<.*> : tensor<32x32xbf16>/value = dense_resource<elements> : tensor<32x32xbf16>/' %t.mlir | not ttmlir-translate --ttnn-to-flatbuffer 2>&1 | FileCheck %s --check-prefix=CONSTANT
// CONSTANT: error: 'ttnn.constant' op refers to the resource 'elements', which the input does not hold; add it to 'dialect_resources', or write dense<...>

// Kernels: missing, for another chip, with another number of tensors, with a number that no group has.
// RUN: ttmlir-opt --ttcore-register-device --convert-ttnn-to-pto=fusion=none %s -o %t.pto.mlir
// RUN: sed 's/@model_matmul_0(/@another(/' %t.pto.mlir | not ttmlir-translate --ttnn-to-flatbuffer 2>&1 | FileCheck %s --check-prefix=KERNEL
// KERNEL: error: 'ttnn.kernel_region' op names kernel @model_matmul_0, which the module has neither as a pto.func nor as a compiled kernel
// RUN: sed '/pto.func @model_relu_1/s/%%arg1/%%more: memref<1x1xbf16>, &/' %t.pto.mlir | not ttmlir-translate --ttnn-to-flatbuffer 2>&1 | FileCheck %s --check-prefix=TENSORS
// TENSORS: error: 'ttnn.kernel_region' op has 1 inputs and 1 results, but kernel @model_relu_1 takes 3 tensors
// RUN: sed '/pto.func @model_relu_1/a %%number = arith.constant 0.5 : f32' %t.pto.mlir | not ttmlir-translate --ttnn-to-flatbuffer 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: error: 'arith.constant' op is not a value of a group; kernels compute with tiles, index and i1
// RUN: ttmlir-opt --convert-pto-to-tensix %t.pto.mlir -o %t.tensix.mlir
// RUN: sed 's/on "wormhole_b0"/on "blackhole"/; /no_op/d; s/pack_sel/read_intf_sel/' %t.tensix.mlir | not ttmlir-translate --ttnn-to-flatbuffer 2>&1 | FileCheck %s --check-prefix=ARCH
// ARCH: error: 'tensix.program' op is not made for wormhole_b0, the chip of the module
// RUN: sed 's/ arguments 3 / arguments 4 /' %t.tensix.mlir | not ttmlir-translate --ttnn-to-flatbuffer 2>&1 | FileCheck %s --check-prefix=ARGUMENTS
// ARGUMENTS: error: 'ttnn.kernel_region' op has 2 inputs and 1 results, but kernel @model_matmul_0 takes 4 tensors

// A kernel of MN-Core 2 that takes other tensors than the region that runs it.
// RUN: ttmlir-opt --convert-pto-to-mncore --mncore-schedule %t.pto.mlir -o %t.mncore.mlir
// RUN: sed 's/ inputs 2 / inputs 1 /' %t.mncore.mlir | not ttmlir-translate --ttnn-to-flatbuffer 2>&1 | FileCheck %s --check-prefix=INPUTS
// INPUTS: error: 'mncore.kernel' op reads arguments [0] and writes [1, 2], but a region that runs @model_matmul_0 has 2 inputs and 1 results, which are the arguments after them

#layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>
func.func @model(%a: tensor<32x32xbf16, #layout>) -> tensor<32x32xbf16, #layout> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %c = "ttnn.constant"(%d) <{value = dense<2.0> : tensor<32x32xbf16>}> : (!ttnn.device) -> tensor<32x32xbf16, #layout>
  %0 = "ttnn.matmul"(%a, %c) <{transpose_a = false, transpose_b = false}> : (tensor<32x32xbf16, #layout>, tensor<32x32xbf16, #layout>) -> tensor<32x32xbf16, #layout>
  %1 = "ttnn.relu"(%0) : (tensor<32x32xbf16, #layout>) -> tensor<32x32xbf16, #layout>
  return %1 : tensor<32x32xbf16, #layout>
}
