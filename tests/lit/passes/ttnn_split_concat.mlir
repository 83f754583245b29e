// A concatenation of many tensors becomes several of a few tensors.
// RUN: ttmlir-opt --ttir-to-ttnn-runtime-pipeline --ttnn-split-concat=most=2 %s | FileCheck %s
// RUN: not ttmlir-opt --ttnn-split-concat=most=1 %s 2>&1 | FileCheck %s --check-prefix=OPTION

// OPTION: option 'most' must be at least 2

// CHECK-LABEL: func.func @five
// CHECK: %[[A:.*]] = "ttnn.concat"(%arg0, %arg1) <{dim = 1 : si32}> : ({{.*}}) -> tensor<2x7xf32
// CHECK: %[[B:.*]] = "ttnn.concat"(%arg0, %arg0) <{dim = 1 : si32}> : ({{.*}}) -> tensor<2x6xf32
// CHECK: %[[C:.*]] = "ttnn.concat"(%[[A]], %[[B]]) <{dim = 1 : si32}> : ({{.*}}) -> tensor<2x13xf32
// CHECK: "ttnn.concat"(%[[C]], %arg1) <{dim = 1 : si32}> : ({{.*}}) -> tensor<2x17xf32
func.func @five(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>) -> tensor<2x17xf32> {
  %0 = "ttir.concat"(%a, %b, %a, %a, %b) <{dim = 1 : si32}> : (tensor<2x3xf32>, tensor<2x4xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<2x17xf32>
  return %0 : tensor<2x17xf32>
}

// CHECK-LABEL: func.func @two
// CHECK: "ttnn.concat"(%arg0, %arg1) <{dim = 1 : si32}>
func.func @two(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>) -> tensor<2x7xf32> {
  %0 = "ttir.concat"(%a, %b) <{dim = 1 : si32}> : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<2x7xf32>
  return %0 : tensor<2x7xf32>
}
