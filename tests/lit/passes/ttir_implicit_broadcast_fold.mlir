// RUN: ttmlir-opt --ttir-implicit-broadcast-fold %s | FileCheck %s

// CHECK-LABEL: func.func @folds
// CHECK-SAME: (%[[A:[a-z0-9]*]]: tensor<33x40xf32>, %[[B:[a-z0-9]*]]: tensor<1x1xf32>)
// CHECK-NEXT: %[[SUM:.*]] = "ttir.add"(%[[A]], %[[B]]) : (tensor<33x40xf32>, tensor<1x1xf32>) -> tensor<33x40xf32>
// CHECK-NEXT: return %[[SUM]]
func.func @folds(%a: tensor<33x40xf32>, %b: tensor<1x1xf32>) -> tensor<33x40xf32> {
  %0 = "ttir.broadcast"(%b) <{broadcast_dimensions = array<i64: 33, 1>}> : (tensor<1x1xf32>) -> tensor<33x1xf32>
  %1 = "ttir.broadcast"(%0) <{broadcast_dimensions = array<i64: 1, 40>}> : (tensor<33x1xf32>) -> tensor<33x40xf32>
  %2 = "ttir.add"(%a, %1) : (tensor<33x40xf32>, tensor<33x40xf32>) -> tensor<33x40xf32>
  return %2 : tensor<33x40xf32>
}

// Both operands together give the result its shape.
// CHECK-LABEL: func.func @both
// CHECK-NEXT: %[[SUM:.*]] = "ttir.add"(%{{.*}}, %{{.*}}) : (tensor<33x1xf32>, tensor<1x40xf32>) -> tensor<33x40xf32>
// CHECK-NEXT: return %[[SUM]]
func.func @both(%a: tensor<33x1xf32>, %b: tensor<1x40xf32>) -> tensor<33x40xf32> {
  %0 = "ttir.broadcast"(%a) <{broadcast_dimensions = array<i64: 1, 40>}> : (tensor<33x1xf32>) -> tensor<33x40xf32>
  %1 = "ttir.broadcast"(%b) <{broadcast_dimensions = array<i64: 33, 1>}> : (tensor<1x40xf32>) -> tensor<33x40xf32>
  %2 = "ttir.add"(%0, %1) : (tensor<33x40xf32>, tensor<33x40xf32>) -> tensor<33x40xf32>
  return %2 : tensor<33x40xf32>
}

// A broadcast stays where the result needs it, or another operation reads it.
// CHECK-LABEL: func.func @stays
// CHECK: %[[LONG:.*]] = "ttir.broadcast"
// CHECK: "ttir.multiply"(%[[LONG]], %{{.*}})
// CHECK: "ttir.exp"(%[[LONG]])
func.func @stays(%a: tensor<1x40xf32>) -> (tensor<33x40xf32>, tensor<33x40xf32>) {
  %0 = "ttir.broadcast"(%a) <{broadcast_dimensions = array<i64: 33, 1>}> : (tensor<1x40xf32>) -> tensor<33x40xf32>
  %1 = "ttir.multiply"(%0, %a) : (tensor<33x40xf32>, tensor<1x40xf32>) -> tensor<33x40xf32>
  %2 = "ttir.exp"(%0) : (tensor<33x40xf32>) -> tensor<33x40xf32>
  return %1, %2 : tensor<33x40xf32>, tensor<33x40xf32>
}
