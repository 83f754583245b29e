// RUN: ttmlir-opt %s | FileCheck %s
// RUN: ttmlir-opt %s | ttmlir-opt | FileCheck %s
// RUN: ttmlir-opt --mlir-print-op-generic %s | ttmlir-opt - | FileCheck %s

// CHECK-LABEL: func.func @creation
func.func @creation() -> (tensor<2xbf16>, tensor<64x128xbf16>, tensor<4x4xbf16>, tensor<4x4xbf16>, tensor<4xbf16>) {
  // CHECK-NEXT: %0 = "ttir.constant"() <{value = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xbf16>}> : () -> tensor<2xbf16>
  %0 = "ttir.constant"() <{value = dense<[1.0, 2.0]> : tensor<2xbf16>}> : () -> tensor<2xbf16>
  // CHECK-NEXT: %1 = "ttir.full"() <{fill_value = 3.000000e+00 : f32, shape = array<i32: 64, 128>}> : () -> tensor<64x128xbf16>
  %1 = "ttir.full"() <{fill_value = 3.0 : f32, shape = array<i32: 64, 128>}> : () -> tensor<64x128xbf16>
  // CHECK-NEXT: %2 = "ttir.zeros"() <{shape = array<i32: 4, 4>}> : () -> tensor<4x4xbf16>
  %2 = "ttir.zeros"() <{shape = array<i32: 4, 4>}> : () -> tensor<4x4xbf16>
  // CHECK-NEXT: %3 = "ttir.ones"() <{shape = array<i32: 4, 4>}> : () -> tensor<4x4xbf16>
  %3 = "ttir.ones"() <{shape = array<i32: 4, 4>}> : () -> tensor<4x4xbf16>
  // CHECK-NEXT: %4 = ttir.empty() : tensor<4xbf16>
  %4 = "ttir.empty"() : () -> tensor<4xbf16>
  return %0, %1, %2, %3, %4 : tensor<2xbf16>, tensor<64x128xbf16>, tensor<4x4xbf16>, tensor<4x4xbf16>, tensor<4xbf16>
}

// Attributes that have a default are printed.
// CHECK-LABEL: func.func @products
func.func @products(%a: tensor<7x64x128xbf16>, %b: tensor<128x96xbf16>, %bias: tensor<96xbf16>, %v: tensor<128xbf16>) -> tensor<7x64x96xbf16> {
  // CHECK-NEXT: %0 = "ttir.matmul"(%arg0, %arg1) <{transpose_a = false, transpose_b = false}> : (tensor<7x64x128xbf16>, tensor<128x96xbf16>) -> tensor<7x64x96xbf16>
  %0 = "ttir.matmul"(%a, %b) : (tensor<7x64x128xbf16>, tensor<128x96xbf16>) -> tensor<7x64x96xbf16>
  // CHECK-NEXT: "ttir.matmul"(%arg3, %arg1) {{.*}} -> tensor<96xbf16>
  %1 = "ttir.matmul"(%v, %b) : (tensor<128xbf16>, tensor<128x96xbf16>) -> tensor<96xbf16>
  // CHECK-NEXT: "ttir.matmul"(%arg3, %arg3) {{.*}} -> tensor<1xbf16>
  %2 = "ttir.matmul"(%v, %v) : (tensor<128xbf16>, tensor<128xbf16>) -> tensor<1xbf16>
  // CHECK-NEXT: "ttir.matmul"(%arg1, %arg0) <{transpose_a = true, transpose_b = true}> {{.*}} -> tensor<7x96x64xbf16>
  %3 = "ttir.matmul"(%b, %a) <{transpose_a = true, transpose_b = true}> : (tensor<128x96xbf16>, tensor<7x64x128xbf16>) -> tensor<7x96x64xbf16>
  // CHECK-NEXT: "ttir.linear"(%arg0, %arg1, %arg2) {{.*}} -> tensor<7x64x96xbf16>
  %4 = "ttir.linear"(%a, %b, %bias) : (tensor<7x64x128xbf16>, tensor<128x96xbf16>, tensor<96xbf16>) -> tensor<7x64x96xbf16>
  // CHECK-NEXT: "ttir.linear"(%arg0, %arg1) {{.*}} -> tensor<7x64x96xbf16>
  %5 = "ttir.linear"(%a, %b) : (tensor<7x64x128xbf16>, tensor<128x96xbf16>) -> tensor<7x64x96xbf16>
  return %4 : tensor<7x64x96xbf16>
}

// CHECK-LABEL: func.func @eltwise
func.func @eltwise(%a: tensor<1x64xbf16>, %b: tensor<2x1x64xbf16>) -> tensor<2x1x64xbf16> {
  // CHECK-NEXT: "ttir.add"(%arg0, %arg1) : (tensor<1x64xbf16>, tensor<2x1x64xbf16>) -> tensor<2x1x64xbf16>
  %0 = "ttir.add"(%a, %b) : (tensor<1x64xbf16>, tensor<2x1x64xbf16>) -> tensor<2x1x64xbf16>
  // CHECK-NEXT: "ttir.subtract"
  %1 = "ttir.subtract"(%0, %b) : (tensor<2x1x64xbf16>, tensor<2x1x64xbf16>) -> tensor<2x1x64xbf16>
  // CHECK-NEXT: "ttir.multiply"
  %2 = "ttir.multiply"(%1, %a) : (tensor<2x1x64xbf16>, tensor<1x64xbf16>) -> tensor<2x1x64xbf16>
  // CHECK-NEXT: "ttir.relu"
  %3 = "ttir.relu"(%2) : (tensor<2x1x64xbf16>) -> tensor<2x1x64xbf16>
  // CHECK-NEXT: "ttir.neg"
  %4 = "ttir.neg"(%3) : (tensor<2x1x64xbf16>) -> tensor<2x1x64xbf16>
  return %4 : tensor<2x1x64xbf16>
}

// The older spelling, with the output operand last.
// CHECK-LABEL: func.func @older
func.func @older(%a: tensor<64x64xbf16>, %b: tensor<64xbf16>) -> tensor<64x64xbf16> {
  // CHECK: %[[E:.*]] = ttir.empty
  %e = ttir.empty() : tensor<64x64xbf16>
  // CHECK: %[[T:.*]] = tensor.empty
  %t = tensor.empty() : tensor<64x64xbf16>
  // CHECK: "ttir.relu"(%arg0, %[[E]])
  %0 = "ttir.relu"(%a, %e) : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  // CHECK: "ttir.add"(%{{.*}}, %arg0, %[[T]])
  %1 = "ttir.add"(%0, %a, %t) : (tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  // CHECK: "ttir.linear"(%{{.*}}, %arg0, %arg1, %[[E]])
  %2 = "ttir.linear"(%1, %a, %b, %e) : (tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  // CHECK: "ttir.linear"(%{{.*}}, %arg0, %[[E]])
  %3 = "ttir.linear"(%2, %a, %e) : (tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  return %3 : tensor<64x64xbf16>
}
