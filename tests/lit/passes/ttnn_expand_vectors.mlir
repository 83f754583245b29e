// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline --ttnn-expand-vectors --split-input-file %s | FileCheck %s

// CHECK-LABEL: func.func @right
// CHECK: %[[COLUMN:.*]] = "ttnn.reshape"(%{{.*}}) <{shape = [40 : i32, 1 : i32]}>
// CHECK: %[[PRODUCT:.*]] = "ttnn.matmul"(%{{.*}}, %[[COLUMN]]){{.*}} -> tensor<2x33x1xf32,
// CHECK: "ttnn.reshape"(%[[PRODUCT]]) <{shape = [2 : i32, 33 : i32]}>
func.func @right(%a: tensor<2x33x40xf32>, %b: tensor<40xf32>) -> tensor<2x33xf32> {
  %0 = "ttir.matmul"(%a, %b) <{transpose_b = true}> : (tensor<2x33x40xf32>, tensor<40xf32>) -> tensor<2x33xf32>
  return %0 : tensor<2x33xf32>
}

// -----

// CHECK-LABEL: func.func @left
// CHECK: %[[ROW:.*]] = "ttnn.reshape"(%{{.*}}) <{shape = [1 : i32, 40 : i32]}>
// CHECK: %[[PRODUCT:.*]] = "ttnn.matmul"(%[[ROW]], %{{.*}}){{.*}} -> tensor<2x1x33xf32,
// CHECK: "ttnn.reshape"(%[[PRODUCT]]) <{shape = [2 : i32, 33 : i32]}>
func.func @left(%a: tensor<40xf32>, %b: tensor<2x40x33xf32>) -> tensor<2x33xf32> {
  %0 = "ttir.matmul"(%a, %b) : (tensor<40xf32>, tensor<2x40x33xf32>) -> tensor<2x33xf32>
  return %0 : tensor<2x33xf32>
}

// -----

// CHECK-LABEL: func.func @matrices
// CHECK-NOT: ttnn.reshape
func.func @matrices(%a: tensor<33x40xf32>, %b: tensor<40x5xf32>) -> tensor<33x5xf32> {
  %0 = "ttir.matmul"(%a, %b) : (tensor<33x40xf32>, tensor<40x5xf32>) -> tensor<33x5xf32>
  return %0 : tensor<33x5xf32>
}
