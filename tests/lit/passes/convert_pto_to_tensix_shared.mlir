// Kernels of equal code share it: one body in the module, and one in the program file.
// RUN: ttmlir-opt --ttir-to-tensix-pipeline %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mlir -o %t.ttnn
// RUN: ttrt read --section kernels %t.ttnn | FileCheck %s --check-prefix=FILE
// RUN: ttrt run --device tensix --golden %t.ttnn 2>&1 | FileCheck %s --check-prefix=GOLDEN

// CHECK: tensix.program @first_relu_0_tensix implements @first_relu_0
func.func @first(%a: tensor<7x64xbf16>) -> tensor<7x64xbf16> {
  %0 = "ttir.relu"(%a) : (tensor<7x64xbf16>) -> tensor<7x64xbf16>
  return %0 : tensor<7x64xbf16>
}

// CHECK: tensix.alias @second_relu_0_tensix implements @second_relu_0 of @first_relu_0_tensix
func.func @second(%a: tensor<3x64xbf16>) -> tensor<3x64xbf16> {
  %0 = "ttir.relu"(%a) : (tensor<3x64xbf16>) -> tensor<3x64xbf16>
  return %0 : tensor<3x64xbf16>
}

// More tiles: other code.
// CHECK: tensix.program @wide_relu_0_tensix implements @wide_relu_0
func.func @wide(%a: tensor<33x64xbf16>) -> tensor<33x64xbf16> {
  %0 = "ttir.relu"(%a) : (tensor<33x64xbf16>) -> tensor<33x64xbf16>
  return %0 : tensor<33x64xbf16>
}

// What is beyond the tensor becomes zero there, so its extent matters.
// CHECK: tensix.program @one_exp_0_tensix implements @one_exp_0
func.func @one(%a: tensor<3x64xbf16>) -> tensor<3x64xbf16> {
  %0 = "ttir.exp"(%a) : (tensor<3x64xbf16>) -> tensor<3x64xbf16>
  return %0 : tensor<3x64xbf16>
}
// CHECK: tensix.program @other_exp_0_tensix implements @other_exp_0
func.func @other(%a: tensor<7x64xbf16>) -> tensor<7x64xbf16> {
  %0 = "ttir.exp"(%a) : (tensor<7x64xbf16>) -> tensor<7x64xbf16>
  return %0 : tensor<7x64xbf16>
}

// The place of an operation in shared code is found by its number, so operations that come from one
// place in one kernel do so in the other.
// CHECK: tensix.program @two_places_relu_neg_0_tensix implements @two_places_relu_neg_0
func.func @two_places(%a: tensor<3x64xbf16>) -> tensor<3x64xbf16> {
  %0 = "ttir.relu"(%a) : (tensor<3x64xbf16>) -> tensor<3x64xbf16> loc("model":1:1)
  %1 = "ttir.neg"(%0) : (tensor<3x64xbf16>) -> tensor<3x64xbf16> loc("model":2:1)
  return %1 : tensor<3x64xbf16>
}
// CHECK: tensix.program @one_place_relu_neg_0_tensix implements @one_place_relu_neg_0
func.func @one_place(%a: tensor<7x64xbf16>) -> tensor<7x64xbf16> {
  %0 = "ttir.relu"(%a) : (tensor<7x64xbf16>) -> tensor<7x64xbf16> loc("model":1:1)
  %1 = "ttir.neg"(%0) : (tensor<7x64xbf16>) -> tensor<7x64xbf16> loc("model":1:1)
  return %1 : tensor<7x64xbf16>
}
// CHECK: tensix.alias @other_places_relu_neg_0_tensix implements @other_places_relu_neg_0 of @two_places_relu_neg_0_tensix
func.func @other_places(%a: tensor<9x64xbf16>) -> tensor<9x64xbf16> {
  %0 = "ttir.relu"(%a) : (tensor<9x64xbf16>) -> tensor<9x64xbf16> loc("other":1:1)
  %1 = "ttir.neg"(%0) : (tensor<9x64xbf16>) -> tensor<9x64xbf16> loc("other":7:1)
  return %1 : tensor<9x64xbf16>
}

// FILE-COUNT-6: "name": "{{.*}}_tensix"
// FILE-NOT: _tensix"
// GOLDEN-COUNT-8: golden: 1 of 1 results are within their bounds
