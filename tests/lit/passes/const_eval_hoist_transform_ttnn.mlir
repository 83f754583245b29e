// Below layouts: the device is opened in the function, and deallocations are inserted again. Weights
// and cached results are kept for the next run.
// RUN: ttmlir-opt --ttir-to-ttnn-runtime-pipeline="enable-const-eval=true" %s | FileCheck %s
// RUN: ttmlir-opt --ttir-to-ttnn-runtime-pipeline %s | FileCheck %s --check-prefix=DEFAULT
// DEFAULT-NOT: load_cached

// CHECK-LABEL: func.func private @forward_const_eval_0
// CHECK: %[[DEVICE:.*]] = "ttnn.get_device"
// CHECK: %[[C:.*]] = "ttnn.constant"(%[[DEVICE]])
// CHECK: %[[D:.*]] = "ttnn.multiply"(%arg0, %[[C]])
// CHECK-NEXT: "ttnn.deallocate"(%[[C]])
// CHECK-NEXT: return %[[D]]
// CHECK-LABEL: func.func @forward(
// CHECK-NEXT: %[[CACHED:.*]] = ttcore.load_cached(@forward_const_eval_0, [%arg1])
// CHECK-NEXT: %[[SUM:.*]] = "ttnn.add"(%arg0, %[[CACHED]])
// CHECK-NEXT: "ttnn.deallocate"(%arg0)
// CHECK-NEXT: return %[[SUM]]
func.func @forward(%x: tensor<1x4xf32>, %w: tensor<1x4xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<1x4xf32> {
  %0 = "ttir.constant"() <{value = dense<[[1.0, 2.0, 3.0, 4.0]]> : tensor<1x4xf32>}> : () -> tensor<1x4xf32>
  %1 = "ttir.multiply"(%w, %0) : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  %2 = "ttir.add"(%x, %1) : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  return %2 : tensor<1x4xf32>
}
