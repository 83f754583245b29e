// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline --ttnn-materialize-broadcasts --ttnn-deallocate --split-input-file %s | FileCheck %s

// Rows and columns that are broadcast in one way stay.

// CHECK-LABEL: func.func @stays
// CHECK-NOT: ttnn.repeat
func.func @stays(%a: tensor<4x1x8xf32>, %b: tensor<1x5x8xf32>) -> tensor<4x5x8xf32> {
  %0 = "ttir.add"(%a, %b) : (tensor<4x1x8xf32>, tensor<1x5x8xf32>) -> tensor<4x5x8xf32>
  return %0 : tensor<4x5x8xf32>
}

// -----

// Other broadcasts are materialized before the operation, along one run of dimensions, and freed after it.

// CHECK-LABEL: func.func @alternates
// CHECK-SAME: %[[A:.*]]: tensor<2x3x7x5xf32, {{.*}}, %[[B:.*]]: tensor<2x1x7x1xf32,
// CHECK: %[[FULL:.*]] = "ttnn.repeat"(%[[B]]) <{repeat_dimensions = array<i64: 1, 3, 1, 1>}>
// CHECK-SAME: -> tensor<2x3x7x1xf32,
// CHECK: "ttnn.add"(%[[A]], %[[FULL]])
// CHECK: "ttnn.deallocate"(%[[FULL]])
func.func @alternates(%a: tensor<2x3x7x5xf32>, %b: tensor<2x1x7x1xf32>) -> tensor<2x3x7x5xf32> {
  %0 = "ttir.add"(%a, %b) : (tensor<2x3x7x5xf32>, tensor<2x1x7x1xf32>) -> tensor<2x3x7x5xf32>
  return %0 : tensor<2x3x7x5xf32>
}

// -----

// Integers, and both factors of a product.

// CHECK-LABEL: func.func @integers
// CHECK: "ttnn.repeat"{{.*}} -> tensor<2x3x7x1xsi32,
// CHECK: "ttnn.repeat"{{.*}} -> tensor<2x3x1x50xsi32,
// CHECK: "ttnn.gt"
func.func @integers(%a: tensor<2x1x7x1xi32>, %b: tensor<1x3x1x50xi32>) -> tensor<2x3x7x50xi32> {
  %0 = "ttir.gt"(%a, %b) : (tensor<2x1x7x1xi32>, tensor<1x3x1x50xi32>) -> tensor<2x3x7x50xi32>
  return %0 : tensor<2x3x7x50xi32>
}

// -----

// CHECK-LABEL: func.func @factors
// CHECK: "ttnn.repeat"{{.*}} -> tensor<2x3x4x5xf32,
// CHECK: "ttnn.repeat"{{.*}} -> tensor<2x3x5x6xf32,
// CHECK: "ttnn.matmul"
func.func @factors(%a: tensor<2x1x4x5xf32>, %b: tensor<1x3x5x6xf32>) -> tensor<2x3x4x6xf32> {
  %0 = "ttir.matmul"(%a, %b) : (tensor<2x1x4x5xf32>, tensor<1x3x5x6xf32>) -> tensor<2x3x4x6xf32>
  return %0 : tensor<2x3x4x6xf32>
}

// -----

// Leading dimensions that an operand lacks are added first.

// CHECK-LABEL: func.func @lacks
// CHECK: %[[FULL:.*]] = "ttnn.reshape"{{.*}} -> tensor<1x3x1x5xf32,
// CHECK: "ttnn.repeat"(%[[FULL]]) <{repeat_dimensions = array<i64: 2, 1, 1, 1>}>
func.func @lacks(%a: tensor<2x3x7x5xf32>, %b: tensor<3x1x5xf32>) -> tensor<2x3x7x5xf32> {
  %0 = "ttir.add"(%a, %b) : (tensor<2x3x7x5xf32>, tensor<3x1x5xf32>) -> tensor<2x3x7x5xf32>
  return %0 : tensor<2x3x7x5xf32>
}

// -----

// After a batched product, others have one matrix for each of its: here, and after operations in between.

// CHECK-LABEL: func.func @masks
// CHECK: %[[SCORES:.*]] = "ttnn.matmul"
// CHECK: %[[FULL:.*]] = "ttnn.repeat"(%{{.*}}) <{repeat_dimensions = array<i64: 1, 3, 1, 1>}>
// CHECK-SAME: -> tensor<2x3x1x5xf32,
// CHECK: %[[SUM:.*]] = "ttnn.add"(%[[SCORES]], %[[FULL]])
// CHECK: %[[HALF:.*]] = "ttnn.neg"(%[[SUM]])
// CHECK: %[[HEADS:.*]] = "ttnn.repeat"(%{{.*}}) <{repeat_dimensions = array<i64: 2, 1, 1, 1>}>
// CHECK-SAME: -> tensor<2x3x7x5xf32,
// CHECK: "ttnn.add"(%[[HALF]], %[[HEADS]])
func.func @masks(%a: tensor<2x3x7x4xf32>, %b: tensor<2x3x4x5xf32>, %mask: tensor<2x1x1x5xf32>, %heads: tensor<1x3x7x5xf32>) -> tensor<2x3x7x5xf32> {
  %0 = "ttir.matmul"(%a, %b) : (tensor<2x3x7x4xf32>, tensor<2x3x4x5xf32>) -> tensor<2x3x7x5xf32>
  %1 = "ttir.add"(%0, %mask) : (tensor<2x3x7x5xf32>, tensor<2x1x1x5xf32>) -> tensor<2x3x7x5xf32>
  %2 = "ttir.neg"(%1) : (tensor<2x3x7x5xf32>) -> tensor<2x3x7x5xf32>
  %3 = "ttir.add"(%2, %heads) : (tensor<2x3x7x5xf32>, tensor<1x3x7x5xf32>) -> tensor<2x3x7x5xf32>
  return %3 : tensor<2x3x7x5xf32>
}
