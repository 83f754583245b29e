// RUN: ttmlir-opt --ttcore-mark-functions-as-forward %s | FileCheck %s

// CHECK: func.func @public
// CHECK-SAME: attributes {tt.function_type = "forward_device"}
func.func @public(%a: tensor<2xbf16>) -> tensor<2xbf16> {
  return %a : tensor<2xbf16>
}

// CHECK: func.func private @private
// CHECK-NOT: tt.function_type
func.func private @private(%a: tensor<2xbf16>) -> tensor<2xbf16> {
  return %a : tensor<2xbf16>
}

// CHECK: func.func @has_a_type
// CHECK-SAME: attributes {tt.function_type = "const_eval"}
func.func @has_a_type(%a: tensor<2xbf16>) -> tensor<2xbf16> attributes {tt.function_type = "const_eval"} {
  return %a : tensor<2xbf16>
}
