// RUN: ttmlir-opt --ttnn-deallocate %s | FileCheck %s

#tiles = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>

// Deallocation follows the last use, in reverse order of definition. Returned tensors are not deallocated.
// CHECK-LABEL: @last_use
// CHECK-NEXT: %[[A:.*]] = "ttnn.add"(%arg0, %arg1)
// CHECK-NEXT: "ttnn.deallocate"(%arg1) <{force = false}>
// CHECK-NEXT: %[[B:.*]] = "ttnn.relu"(%[[A]])
// CHECK-NEXT: %[[C:.*]] = "ttnn.multiply"(%[[A]], %arg0)
// CHECK-NEXT: "ttnn.deallocate"(%[[A]])
// CHECK-NEXT: "ttnn.deallocate"(%arg0)
// CHECK-NEXT: return %[[B]], %[[C]]
func.func @last_use(%a: tensor<32x32xbf16, #tiles>, %b: tensor<32x32xbf16, #tiles>) -> (tensor<32x32xbf16, #tiles>, tensor<32x32xbf16, #tiles>) {
  %0 = "ttnn.add"(%a, %b) : (tensor<32x32xbf16, #tiles>, tensor<32x32xbf16, #tiles>) -> tensor<32x32xbf16, #tiles>
  %1 = "ttnn.relu"(%0) : (tensor<32x32xbf16, #tiles>) -> tensor<32x32xbf16, #tiles>
  %2 = "ttnn.multiply"(%0, %a) : (tensor<32x32xbf16, #tiles>, tensor<32x32xbf16, #tiles>) -> tensor<32x32xbf16, #tiles>
  return %1, %2 : tensor<32x32xbf16, #tiles>, tensor<32x32xbf16, #tiles>
}

// Unused tensors are deallocated at once; a device is not a tensor.
// CHECK-LABEL: @unused
// CHECK-NEXT: %[[D:.*]] = "ttnn.get_device"
// CHECK-NEXT: "ttnn.deallocate"(%arg1)
// CHECK-NEXT: %[[Z:.*]] = "ttnn.zeros"(%[[D]])
// CHECK-NEXT: "ttnn.deallocate"(%[[Z]])
// CHECK-NEXT: return %arg0
func.func @unused(%a: tensor<32x32xbf16, #tiles>, %b: tensor<32x32xbf16, #tiles>) -> tensor<32x32xbf16, #tiles> {
  %0 = "ttnn.get_device"() : () -> !ttnn.device
  %1 = "ttnn.zeros"(%0) <{shape = #ttnn.shape<32x32>}> : (!ttnn.device) -> tensor<32x32xbf16, #tiles>
  return %a : tensor<32x32xbf16, #tiles>
}

// CHECK-LABEL: func.func private @declaration
func.func private @declaration(tensor<32x32xbf16, #tiles>)

// CHECK-LABEL: @only_return
// CHECK-NEXT: return
func.func @only_return(%a: tensor<32x32xbf16, #tiles>) {
  return
}
