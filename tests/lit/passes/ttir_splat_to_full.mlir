// RUN: ttmlir-opt --ttir-splat-to-full --split-input-file %s | FileCheck %s

// CHECK-LABEL: @splats
// CHECK-NEXT: "ttir.full"() <{fill_value = -2.500000e+00 : f32, shape = array<i32: 2, 3>}> : () -> tensor<2x3xbf16>
// CHECK-NEXT: "ttir.full"() <{fill_value = 0xFF800000 : f32, shape = array<i32: 4>}> : () -> tensor<4xf32>
// CHECK-NEXT: "ttir.full"() <{fill_value = -1 : i32, shape = array<i32: 4>}> : () -> tensor<4xsi32>
// CHECK-NEXT: "ttir.full"() <{fill_value = 255 : i32, shape = array<i32: 4>}> : () -> tensor<4xui8>
// CHECK-NEXT: "ttir.full"() <{fill_value = 65535 : i32, shape = array<i32: 4>}> : () -> tensor<4xui16>
// CHECK-NEXT: "ttir.full"() <{fill_value = 2147483647 : i32, shape = array<i32: 4>}> : () -> tensor<4xui32>
// CHECK-NEXT: "ttir.full"() <{fill_value = 7.000000e+00 : f32, shape = array<i32>}> : () -> tensor<f32>
func.func @splats() -> (tensor<2x3xbf16>, tensor<4xf32>, tensor<4xsi32>, tensor<4xui8>, tensor<4xui16>, tensor<4xui32>, tensor<f32>) {
  %0 = "ttir.constant"() <{value = dense<-2.5> : tensor<2x3xbf16>}> : () -> tensor<2x3xbf16>
  %1 = "ttir.constant"() <{value = dense<0xFF800000> : tensor<4xf32>}> : () -> tensor<4xf32>
  %2 = "ttir.constant"() <{value = dense<-1> : tensor<4xsi32>}> : () -> tensor<4xsi32>
  %3 = "ttir.constant"() <{value = dense<255> : tensor<4xui8>}> : () -> tensor<4xui8>
  %4 = "ttir.constant"() <{value = dense<65535> : tensor<4xui16>}> : () -> tensor<4xui16>
  %5 = "ttir.constant"() <{value = dense<2147483647> : tensor<4xui32>}> : () -> tensor<4xui32>
  %6 = "ttir.constant"() <{value = dense<7.0> : tensor<f32>}> : () -> tensor<f32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<2x3xbf16>, tensor<4xf32>, tensor<4xsi32>, tensor<4xui8>, tensor<4xui16>, tensor<4xui32>, tensor<f32>
}

// -----

// CHECK-LABEL: @others
// CHECK-NOT: ttir.full
func.func @others() -> (tensor<2xf32>, tensor<4xui32>, tensor<4xf64>) {
  %0 = "ttir.constant"() <{value = dense<[1.0, 2.0]> : tensor<2xf32>}> : () -> tensor<2xf32>
  %1 = "ttir.constant"() <{value = dense<2147483648> : tensor<4xui32>}> : () -> tensor<4xui32>
  %2 = "ttir.constant"() <{value = dense<1.0> : tensor<4xf64>}> : () -> tensor<4xf64>
  return %0, %1, %2 : tensor<2xf32>, tensor<4xui32>, tensor<4xf64>
}
