// RUN: not ttmlir-opt --ttir-splat-to-full %s 2>&1 | FileCheck %s

// CHECK: error: 'ttir.constant' op has a dimension of 2^31 or more elements; split it
func.func @long() -> tensor<2147483648xui8> {
  %0 = "ttir.constant"() <{value = dense<1> : tensor<2147483648xui8>}> : () -> tensor<2147483648xui8>
  return %0 : tensor<2147483648xui8>
}
