// RUN: ttmlir-opt --ttir-drop-outputs %s | FileCheck %s

// CHECK-LABEL: @older_spelling
// CHECK-NEXT: %[[C:.*]] = "ttir.matmul"(%arg0, %arg1)
// CHECK-NEXT: return %[[C]]
func.func @older_spelling(%a: tensor<2x3xbf16>, %b: tensor<3x4xbf16>) -> tensor<2x4xbf16> {
  %0 = tensor.empty() : tensor<2x4xbf16>
  %1 = "ttir.matmul"(%a, %b, %0) : (tensor<2x3xbf16>, tensor<3x4xbf16>, tensor<2x4xbf16>) -> tensor<2x4xbf16>
  return %1 : tensor<2x4xbf16>
}

// CHECK-LABEL: @two_operations_one_output
// CHECK-NEXT: %[[C:.*]] = "ttir.matmul"(%arg0, %arg0)
// CHECK-NEXT: %[[D:.*]] = "ttir.matmul"(%[[C]], %arg0) <{{.*}}transpose_a = true
// CHECK-NEXT: return %[[D]]
func.func @two_operations_one_output(%a: tensor<2x2xbf16>) -> tensor<2x2xbf16> {
  %0 = ttir.empty() : tensor<2x2xbf16>
  %1 = "ttir.matmul"(%a, %a, %0) : (tensor<2x2xbf16>, tensor<2x2xbf16>, tensor<2x2xbf16>) -> tensor<2x2xbf16>
  %2 = "ttir.matmul"(%1, %a, %0) <{transpose_a = true}> : (tensor<2x2xbf16>, tensor<2x2xbf16>, tensor<2x2xbf16>) -> tensor<2x2xbf16>
  return %2 : tensor<2x2xbf16>
}

// An empty tensor with another reader is kept.
// CHECK-LABEL: @returned
// CHECK-NEXT: %[[E:.*]] = ttir.empty()
// CHECK-NEXT: "ttir.matmul"(%arg0, %arg0)
// CHECK-NEXT: return %[[E]]
func.func @returned(%a: tensor<2x2xbf16>) -> tensor<2x2xbf16> {
  %0 = ttir.empty() : tensor<2x2xbf16>
  %1 = "ttir.matmul"(%a, %a, %0) : (tensor<2x2xbf16>, tensor<2x2xbf16>, tensor<2x2xbf16>) -> tensor<2x2xbf16>
  return %0 : tensor<2x2xbf16>
}

// A single operand is an input, whatever defines it.
// CHECK-LABEL: @input
// CHECK-NEXT: %[[E:.*]] = ttir.empty()
// CHECK-NEXT: "ttir.relu"(%[[E]])
func.func @input() -> tensor<2x2xbf16> {
  %0 = ttir.empty() : tensor<2x2xbf16>
  %1 = "ttir.relu"(%0) : (tensor<2x2xbf16>) -> tensor<2x2xbf16>
  return %1 : tensor<2x2xbf16>
}
