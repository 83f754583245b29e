// RUN: ttmlir-opt --ttcore-wrap-device-module %s | FileCheck %s
// The pass is idempotent.
// RUN: ttmlir-opt --ttcore-wrap-device-module --ttcore-wrap-device-module %s | FileCheck %s

// CHECK: module @model attributes {test.kept = 1 : i32} {
// CHECK-NEXT: ttcore.device_module {
// CHECK-NEXT: builtin.module @model attributes {test.kept = 1 : i32} {
// CHECK-NEXT: func.func @first
// CHECK: func.func @second
// CHECK-NOT: func.func
module @model attributes {test.kept = 1 : i32} {
  func.func @first(%a: tensor<2xbf16>) -> tensor<2xbf16> {
    return %a : tensor<2xbf16>
  }
  func.func @second(%a: tensor<2xbf16>) -> tensor<2xbf16> {
    return %a : tensor<2xbf16>
  }
}
