// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline %s | FileCheck %s

// Empty tensors that are output operands are removed, also in a callee.
// CHECK-LABEL: func.func @outputs
// CHECK-NOT: empty
// CHECK: return
func.func private @callee(%a: tensor<32x32xbf16>, %out: tensor<32x32xbf16>) -> tensor<32x32xbf16> {
  %0 = "ttir.relu"(%a) : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %0 : tensor<32x32xbf16>
}
func.func @outputs(%a: tensor<32x32xbf16>) -> tensor<32x32xbf16> {
  %0 = ttir.empty() : tensor<32x32xbf16>
  %1 = "ttir.add"(%a, %a, %0) : (tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  %2 = tensor.empty() : tensor<32x32xbf16>
  %3 = "ttir.relu"(%1, %2) : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  %4 = ttir.empty() : tensor<32x32xbf16>
  %5 = func.call @callee(%3, %4) : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %5 : tensor<32x32xbf16>
}
