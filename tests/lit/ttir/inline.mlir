// RUN: ttmlir-opt --inline --symbol-dce %s | FileCheck %s

// CHECK-NOT: @callee
// CHECK-LABEL: func.func @f
// CHECK-NEXT: %[[R:.*]] = "ttir.relu"(%arg0)
// CHECK-NEXT: return %[[R]]
func.func private @callee(%a: tensor<64x64xbf16>) -> tensor<64x64xbf16> {
  %0 = "ttir.relu"(%a) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>
  return %0 : tensor<64x64xbf16>
}

func.func @f(%a: tensor<64x64xbf16>) -> tensor<64x64xbf16> {
  %0 = func.call @callee(%a) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>
  return %0 : tensor<64x64xbf16>
}
