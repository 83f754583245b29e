// Element-wise operations, broadcast, in both spellings.
// RUN: ttmlir-opt --ttir-to-ttnn-runtime-pipeline %s | FileCheck %s

// CHECK-DAG: #[[MANY:.*]] = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), <1x1>, memref<4x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
// CHECK-DAG: #[[ROW:.*]] = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
// CHECK-LABEL: @forward
// CHECK: %[[A:.*]] = "ttnn.add"(%arg0, %arg1) : (tensor<2x40x7xbf16, #[[MANY]]>, tensor<7xbf16, #[[ROW]]>) -> tensor<2x40x7xbf16, #[[MANY]]>
// CHECK: %[[S:.*]] = "ttnn.subtract"(%[[A]], %arg0)
// CHECK: "ttnn.deallocate"(%[[A]])
// CHECK: %[[M:.*]] = "ttnn.multiply"(%[[S]], %arg1)
// CHECK: %[[R:.*]] = "ttnn.relu"(%[[M]])
// CHECK: %[[N:.*]] = "ttnn.neg"(%[[R]])
// CHECK: return %[[N]]
func.func @forward(%a: tensor<2x40x7xbf16>, %b: tensor<7xbf16>) -> tensor<2x40x7xbf16> {
  %0 = ttir.empty() : tensor<2x40x7xbf16>
  %1 = "ttir.add"(%a, %b, %0) : (tensor<2x40x7xbf16>, tensor<7xbf16>, tensor<2x40x7xbf16>) -> tensor<2x40x7xbf16>
  %2 = "ttir.subtract"(%1, %a) : (tensor<2x40x7xbf16>, tensor<2x40x7xbf16>) -> tensor<2x40x7xbf16>
  %3 = "ttir.multiply"(%2, %b) : (tensor<2x40x7xbf16>, tensor<7xbf16>) -> tensor<2x40x7xbf16>
  %4 = tensor.empty() : tensor<2x40x7xbf16>
  %5 = "ttir.relu"(%3, %4) : (tensor<2x40x7xbf16>, tensor<2x40x7xbf16>) -> tensor<2x40x7xbf16>
  %6 = "ttir.neg"(%5) : (tensor<2x40x7xbf16>) -> tensor<2x40x7xbf16>
  return %6 : tensor<2x40x7xbf16>
}
