// A product of f32: the unpackers cut the factors to TF32, Dst and the result are f32. What else is computed has a kernel of its own.
// RUN: ttmlir-opt --ttir-to-tensix-pipeline %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --check-prefix=IR
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mlir -o %t.ttnn
// RUN: ttrt run %t.ttnn --golden | FileCheck %s
// RUN: ttrt run %t.ttnn --golden --device interpreter | FileCheck %s
// RUN: ttmlir-opt --ttir-to-tensix-pipeline=mock-system-desc-arch=blackhole %s -o %t.blackhole.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.blackhole.mlir -o %t.blackhole.ttnn
// RUN: ttrt run %t.blackhole.ttnn --golden | FileCheck %s

// IR: pto.func @forward_matmul_0(
// IR: pto.func @forward_add_relu_1(
// CHECK: matmul
// CHECK: add + relu
// CHECK: golden: 2 of 2 results are within their bounds

func.func @forward(%a: tensor<70x97xf32>, %b: tensor<97x33xf32>, %bias: tensor<33xf32>) -> tensor<70x33xf32> {
  %0 = "ttir.linear"(%a, %b, %bias) : (tensor<70x97xf32>, tensor<97x33xf32>, tensor<33xf32>) -> tensor<70x33xf32>
  %1 = "ttir.relu"(%0) : (tensor<70x33xf32>) -> tensor<70x33xf32>
  return %1 : tensor<70x33xf32>
}
