// RUN: not ttmlir-opt --ttnn-materialize-broadcasts %s 2>&1 | FileCheck %s

#sharded = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <2x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>, <height_sharded>, core_ranges = <[#ttnn.core_range<(0, 0), (0, 1)>]>>

// CHECK: error: 'ttnn.add' op has an operand without an interleaved layout; run ttnn-layout first
func.func @sharded(%a: tensor<2x3x32x5xbf16>, %b: tensor<2x1x32x1xbf16, #sharded>) -> tensor<2x3x32x5xbf16> {
  %0 = "ttnn.add"(%a, %b) : (tensor<2x3x32x5xbf16>, tensor<2x1x32x1xbf16, #sharded>) -> tensor<2x3x32x5xbf16>
  return %0 : tensor<2x3x32x5xbf16>
}
