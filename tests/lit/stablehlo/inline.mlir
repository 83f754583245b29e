// RUN: ttmlir-opt --allow-unregistered-dialect --stablehlo-inline-calls %s | FileCheck %s
// RUN: ttmlir-opt --stablehlo-to-ttir-pipeline %s | FileCheck %s --check-prefix=TTIR

// Calls are inlined with their properties and regions, and calls of callees as well.
// CHECK-LABEL: func.func public @main
// CHECK-SAME: (%[[A:.*]]: tensor<4xf32>, %[[B:.*]]: tensor<f32>)
// CHECK-NEXT: %[[C:.*]] = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<4xf32>}>
// CHECK-NEXT: %[[P:.*]] = "stablehlo.multiply"(%[[A]], %[[C]])
// CHECK-NEXT: %[[D:.*]] = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<4xf32>}>
// CHECK-NEXT: %[[Q:.*]] = "stablehlo.multiply"(%[[P]], %[[D]])
// CHECK-NEXT: %[[S:.*]] = "stablehlo.reduce"(%[[Q]], %[[B]]) <{dimensions = array<i64: 0>}> ({
// CHECK-NEXT: ^bb0(%[[X:.*]]: tensor<f32>, %[[Y:.*]]: tensor<f32>)
// CHECK-NEXT: "stablehlo.add"(%[[X]], %[[Y]])
// CHECK: return %[[S]], %[[A]]
// CHECK-NOT: func.func
// TTIR-COUNT-2: "ttir.multiply"
// TTIR: "ttir.sum"
func.func public @main(%a: tensor<4xf32>, %b: tensor<f32>) -> (tensor<f32>, tensor<4xf32>) {
  %0:2 = func.call @sum(%a, %b) : (tensor<4xf32>, tensor<f32>) -> (tensor<f32>, tensor<4xf32>)
  return %0#0, %0#1 : tensor<f32>, tensor<4xf32>
}
func.func private @sum(%a: tensor<4xf32>, %b: tensor<f32>) -> (tensor<f32>, tensor<4xf32>) {
  %0 = func.call @twice(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = func.call @twice(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "stablehlo.reduce"(%1, %b) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %3 = "stablehlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%3) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %2, %a : tensor<f32>, tensor<4xf32>
}
func.func private @twice(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.constant"() <{value = dense<2.0> : tensor<4xf32>}> : () -> tensor<4xf32>
  %1 = "stablehlo.multiply"(%a, %0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @unused(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
