// Remarks that differ in names and numbers only are one line, unless all are asked for.
// RUN: ttmlir-opt --ttir-to-tensix-pipeline %s -o %t 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: ttmlir-opt --ttir-to-tensix-pipeline --verbose %s -o %t 2>&1 | FileCheck %s --check-prefix=ALL
// The requested remarks are printed.
// RUN: ttmlir-opt --ttir-to-tensix-pipeline --print-memory-map %s -o %t 2>&1 | FileCheck %s --check-prefix=MAP

// ONE: remarks.mlir:[[#@LINE+12]]:8: remark: ttnn.relu is not fused into the product{{.*}} (2 remarks of this kind; --verbose shows all)
// ONE-NOT: remark:
// ALL: remarks.mlir:[[#@LINE+10]]:8: remark: ttnn.
// ALL-NEXT: ttir.relu
// ALL: remarks.mlir:[[#@LINE+10]]:8: remark: ttnn.
// ALL-NEXT: ttir.abs
// ALL-NOT: of this kind
// MAP-DAG: remark: memory of @forward_matmul_0 on tensix: nothing{{$}}
// MAP-DAG: remark: memory of @forward_relu_1 on tensix: nothing{{$}}

func.func @forward(%a: tensor<32x64xf32>, %b: tensor<64x32xf32>) -> (tensor<32x32xf32>, tensor<32x32xf32>) {
  %0 = "ttir.matmul"(%a, %b) : (tensor<32x64xf32>, tensor<64x32xf32>) -> tensor<32x32xf32>
  %1 = "ttir.relu"(%0) : (tensor<32x32xf32>) -> tensor<32x32xf32>
  %2 = "ttir.matmul"(%a, %b) {test.other} : (tensor<32x64xf32>, tensor<64x32xf32>) -> tensor<32x32xf32>
  %3 = "ttir.abs"(%2) : (tensor<32x32xf32>) -> tensor<32x32xf32>
  return %1, %3 : tensor<32x32xf32>, tensor<32x32xf32>
}
