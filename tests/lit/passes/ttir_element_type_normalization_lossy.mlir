// Constants whose values the element types of the chip do not have: allowed, each is a warning that names the first.
// RUN: ttmlir-opt --ttir-element-type-normalization=allow-lossy-constants --split-input-file --verify-diagnostics %s
// RUN: ttmlir-opt --ttir-element-type-normalization=allow-lossy-constants --split-input-file %s 2>%t.err | FileCheck %s
// RUN: ttmlir-opt --ttir-to-ttnn-runtime-pipeline=allow-lossy-constants --split-input-file %s -o %t.mlir

// CHECK-LABEL: @constants
// CHECK: "ttir.constant"() <{value = dense<[-2147483648, 2147483647, 3]> : tensor<3xsi32>}>
// CHECK: "ttir.constant"() <{value = dense<[0x7F800000, 0.000000e+00, 1.500000e+00, 1.000000e-01]> : tensor<4xf32>}>
// CHECK: "ttir.constant"() <{value = dense<1.000000e+00> : tensor<4xbf16>}>
func.func @constants() -> (tensor<3xi64>, tensor<4xf64>, tensor<4xf16>) {
  // expected-warning@+1 {{'ttir.constant' loses 2 of 3 values: -9223372036854775808 becomes -2147483648, since i64 is kept as si32}}
  %0 = "ttir.constant"() <{value = dense<[-9223372036854775808, 9223372036854775807, 3]> : tensor<3xi64>}> : () -> tensor<3xi64>
  // expected-warning@+2 {{'ttir.constant' loses 2 of 4 values: 1e300 becomes inf, since f64 is kept as f32}}
  // expected-warning@+1 {{'ttir.constant' rounds 1 of 4 values: 0.1 becomes 0.10000000149011612, since f64 is kept as f32}}
  %1 = "ttir.constant"() <{value = dense<[1.0e300, 1.0e-300, 1.5, 0.1]> : tensor<4xf64>}> : () -> tensor<4xf64>
  // expected-warning@+1 {{'ttir.constant' loses 1 of 1 values: 1.0009765625 becomes 1.0, since f16 is kept as bf16}}
  %2 = "ttir.constant"() <{value = dense<1.001> : tensor<4xf16>}> : () -> tensor<4xf16>
  return %0, %1, %2 : tensor<3xi64>, tensor<4xf64>, tensor<4xf16>
}

// -----

// CHECK-LABEL: @fills
// CHECK: "ttir.full"() <{fill_value = 2 : i32, shape = array<i32: 3>}> : () -> tensor<3xsi32>
// CHECK: "ttir.full"() <{fill_value = 255 : i32, shape = array<i32: 3>}> : () -> tensor<3xui8>
// CHECK: "ttir.full"() <{fill_value = 1.000000e+00 : f32, shape = array<i32: 3>}> : () -> tensor<3xbf16>
func.func @fills() -> (tensor<3xi32>, tensor<3xui8>, tensor<3xf16>) {
  // expected-warning@+1 {{'ttir.full' loses 1 of 1 values: 2.5 becomes 2, since its tensor has elements of i32}}
  %0 = "ttir.full"() <{fill_value = 2.5 : f32, shape = array<i32: 3>}> : () -> tensor<3xi32>
  // expected-warning@+1 {{'ttir.full' loses 1 of 1 values: 300 becomes 255, since its tensor has elements of ui8}}
  %1 = "ttir.full"() <{fill_value = 300 : i32, shape = array<i32: 3>}> : () -> tensor<3xui8>
  // expected-warning@+1 {{'ttir.full' loses 1 of 1 values: 1.0009765625 becomes 1.0, since f16 is kept as bf16}}
  %2 = "ttir.full"() <{fill_value = 1.001 : f32, shape = array<i32: 3>}> : () -> tensor<3xf16>
  return %0, %1, %2 : tensor<3xi32>, tensor<3xui8>, tensor<3xf16>
}
