// RUN: not ttmlir-opt --ttnn-decompose-layouts %s 2>&1 | FileCheck %s

#tiles = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>
#sharded = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <2x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>, <height_sharded>, core_ranges = <[#ttnn.core_range<(0, 0), (0, 1)>]>>

// CHECK: error: 'ttnn.to_tensor_spec' op cannot convert to or from 'tensor<64x32xbf16, #ttnn.ttnn_layout<{{.*}}<height_sharded>{{.*}}'; supported are interleaved DRAM and L1 and system memory
func.func @sharded(%a: tensor<64x32xbf16, #tiles>) -> tensor<64x32xbf16, #sharded> {
  %0 = "ttnn.to_tensor_spec"(%a) : (tensor<64x32xbf16, #tiles>) -> tensor<64x32xbf16, #sharded>
  return %0 : tensor<64x32xbf16, #sharded>
}
