// RUN: ttmlir-opt --split-input-file --verify-diagnostics %s

// expected-error@below {{Memory layout is not allowed for SystemMemory buffer type.}}
func.func private @f(tensor<64x64xf32, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x64xf32, #ttnn.buffer_type<system_memory>>, <interleaved>>>)

// -----

// expected-error@below {{Memory layout is required for non-SystemMemory buffer type.}}
func.func private @f(tensor<64x64xf32, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, f32>, #ttnn.buffer_type<l1>>>>)

// -----

// expected-error@below {{expected (1, 1) grid shape for dram buffer type with interleaved memory layout, got (8, 8)}}
func.func private @f(tensor<64x64xf32, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<2x2x!ttcore.tile<32x32, f32>, #ttnn.buffer_type<dram>>, <interleaved>>>)

// -----

// expected-error@below {{expected (1, 1) grid shape for system_memory buffer type, got (2, 2)}}
func.func private @f(tensor<64x64xf32, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <2x2>, memref<64x64xf32, #ttnn.buffer_type<system_memory>>>>)

// -----

// expected-error@below {{sharded TTNN layout (width_sharded) must carry a core_range_set}}
func.func private @f(tensor<64x64xf32, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, f32>, #ttnn.buffer_type<l1>>, <width_sharded>>>)

// -----

// expected-error@below {{non-sharded TTNN layout must not carry a core_range_set (got interleaved)}}
func.func private @f(tensor<64x64xf32, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, f32>, #ttnn.buffer_type<l1>>, <interleaved>, core_ranges = <[#ttnn.core_range<(0,0), (0,0)>]>>>)

// -----

// expected-error@below {{BlockSharded layout is not supported for DRAM buffer type; use WidthSharded, HeightSharded or Interleaved}}
func.func private @f(tensor<64x64xf32, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, f32>, #ttnn.buffer_type<dram>>, <block_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (0,0)>]>>>)

// -----

// expected-error@below {{expected a memref whose memory space is a #ttnn.buffer_type}}
func.func private @f(tensor<64x64xf32, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x64xf32>, <interleaved>>>)
