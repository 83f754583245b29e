// RUN: ttmlir-opt --ttir-to-ttnn-runtime-pipeline %s | FileCheck %s

// One device serves all; equal tensors are made once; constants of one value are full.
// CHECK-LABEL: @forward
// CHECK-NEXT: %[[D:.*]] = "ttnn.get_device"
// CHECK-NEXT: %[[Z:.*]] = "ttnn.full"(%[[D]]) <{fill_value = 1.500000e+00 : f32, shape = #ttnn.shape<4x4>}> : (!ttnn.device) -> tensor<4x4xbf16, #
// CHECK-NEXT: %[[O:.*]] = "ttnn.ones"(%[[D]]) <{shape = #ttnn.shape<4x4>}>
// CHECK-NEXT: %[[C:.*]] = "ttnn.constant"(%[[D]]) <{value = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xbf16>}>
// CHECK-NEXT: %[[X:.*]] = "ttnn.add"(%arg0, %[[Z]])
// CHECK: %[[A:.*]] = "ttnn.add"(%[[X]], %[[O]])
// CHECK-NOT: "ttnn.ones"
// CHECK: "ttnn.multiply"(%[[A]], %[[C]])
// CHECK: "ttnn.add"({{.*}}, %[[O]])
func.func @forward(%x: tensor<4x4xbf16>) -> tensor<4x4xbf16> {
  %0 = "ttir.constant"() <{value = dense<1.5> : tensor<4x4xbf16>}> : () -> tensor<4x4xbf16>
  %1 = "ttir.ones"() <{shape = array<i32: 4, 4>}> : () -> tensor<4x4xbf16>
  %2 = "ttir.constant"() <{value = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xbf16>}> : () -> tensor<4xbf16>
  %3 = "ttir.ones"() <{shape = array<i32: 4, 4>}> : () -> tensor<4x4xbf16>
  %4 = "ttir.add"(%x, %0) : (tensor<4x4xbf16>, tensor<4x4xbf16>) -> tensor<4x4xbf16>
  %5 = "ttir.add"(%4, %1) : (tensor<4x4xbf16>, tensor<4x4xbf16>) -> tensor<4x4xbf16>
  %6 = "ttir.multiply"(%5, %2) : (tensor<4x4xbf16>, tensor<4xbf16>) -> tensor<4x4xbf16>
  %7 = "ttir.add"(%6, %3) : (tensor<4x4xbf16>, tensor<4x4xbf16>) -> tensor<4x4xbf16>
  return %7 : tensor<4x4xbf16>
}
