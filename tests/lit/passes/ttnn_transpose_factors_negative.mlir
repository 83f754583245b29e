// RUN: not ttmlir-opt --ttnn-transpose-factors %s 2>&1 | FileCheck %s

#sharded = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <2x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>, <height_sharded>, core_ranges = <[#ttnn.core_range<(0, 0), (0, 1)>]>>

// CHECK: error: 'ttnn.matmul' op has a factor without an interleaved layout; run ttnn-layout first
func.func @sharded(%a: tensor<64x32xbf16, #sharded>) -> tensor<64x64xbf16> {
  %0 = "ttnn.matmul"(%a, %a) <{transpose_b = true}> : (tensor<64x32xbf16, #sharded>, tensor<64x32xbf16, #sharded>) -> tensor<64x64xbf16>
  return %0 : tensor<64x64xbf16>
}
