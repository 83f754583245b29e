// RUN: not ttmlir-opt --split-input-file %s 2>&1 | FileCheck %s

// CHECK: error: 'ttir.constant' op value attribute must be one of DenseResourceElementsAttr or DenseElementsAttr.
func.func @sparse() -> tensor<1x2xbf16> {
  %0 = "ttir.constant"() <{value = sparse<[[0, 0]], [2.0]> : tensor<1x2xbf16>}> : () -> tensor<1x2xbf16>
  return %0 : tensor<1x2xbf16>
}

// -----

// CHECK: error: 'ttir.constant' op value attribute must be of int or float type.
func.func @complex() -> tensor<2xcomplex<f32>> {
  %0 = "ttir.constant"() <{value = dense<(2.0, 0.0)> : tensor<2xcomplex<f32>>}> : () -> tensor<2xcomplex<f32>>
  return %0 : tensor<2xcomplex<f32>>
}

// -----

// CHECK: error: 'ttir.constant' op value has elements of type f32, but the result of type bf16
func.func @mismatch() -> tensor<2xbf16> {
  %0 = "ttir.constant"() <{value = dense<2.0> : tensor<2xf32>}> : () -> tensor<2xbf16>
  return %0 : tensor<2xbf16>
}
