// RUN: ttmlir-opt --split-input-file --verify-diagnostics %s

func.func @f(%a: tensor<64x64xbf16>) {
  // expected-error@+1 {{'ttnn.to_layout' op Input tensor type missing layout attribute}}
  %0 = "ttnn.to_layout"(%a) : (tensor<64x64xbf16>) -> tensor<64x64xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>>
  return
}

// -----

func.func @f(%a: tensor<64x64xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x64xbf16, #ttnn.buffer_type<dram>>, <interleaved>>>) {
  // expected-error@+1 {{'ttnn.to_layout' op Output tensor type missing layout attribute}}
  %0 = "ttnn.to_layout"(%a) : (tensor<64x64xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x64xbf16, #ttnn.buffer_type<dram>>, <interleaved>>>) -> tensor<64x64xbf16>
  return
}

// -----

func.func @f(%a: tensor<64x64xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x64xbf16, #ttnn.buffer_type<dram>>, <interleaved>>>) {
  // expected-error@+1 {{'ttnn.to_layout' op ttnn.to_layout cannot change buffer type from 'dram' to 'l1'; use ttnn.to_tensor_spec for memory-config or device placement changes}}
  %0 = "ttnn.to_layout"(%a) : (tensor<64x64xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x64xbf16, #ttnn.buffer_type<dram>>, <interleaved>>>) -> tensor<64x64xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>, <interleaved>>>
  return
}

// -----

func.func @f(%a: tensor<64x64xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>, <interleaved>>>) {
  // expected-error@+1 {{'ttnn.to_layout' op ttnn.to_layout cannot change grid shape; usettnn.to_tensor_spec for memory-config changes}}
  %0 = "ttnn.to_layout"(%a) : (tensor<64x64xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>, <interleaved>>>) -> tensor<64x64xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <2x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>, <interleaved>>>
  return
}

// -----

func.func @f(%a: tensor<64x64xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>, <interleaved>>>) {
  // expected-error@+1 {{'ttnn.to_layout' op ttnn.to_layout cannot change tensor memory layout; use ttnn.to_tensor_spec for memory-config changes}}
  %0 = "ttnn.to_layout"(%a) : (tensor<64x64xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>, <interleaved>>>) -> tensor<64x64xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>, <height_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (0,0)>]>>>
  return
}

// -----

func.func @f(%a: tensor<64x64xbf16>) {
  // expected-error@+1 {{'ttnn.to_memory_config' op Input tensor type missing layout attribute}}
  %0 = "ttnn.to_memory_config"(%a) : (tensor<64x64xbf16>) -> tensor<64x64xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>>
  return
}

// -----

func.func @f(%a: tensor<64x64xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x64xbf16, #ttnn.buffer_type<dram>>, <interleaved>>>) {
  // expected-error@+1 {{'ttnn.from_device' op result shape (64, 32) must be the input shape (64, 64)}}
  %0 = "ttnn.from_device"(%a) : (tensor<64x64xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x64xbf16, #ttnn.buffer_type<dram>>, <interleaved>>>) -> tensor<64x32xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x32xbf16, #ttnn.buffer_type<system_memory>>>>
  return
}

// -----

func.func @f(%a: tensor<64x64xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, f32>, #ttnn.buffer_type<dram>>, <interleaved>>>) {
  // expected-error@+1 {{'ttnn.relu' op Output element type must match the scalar element type from encoding. Element type: bf16, Scalar element type: f32.}}
  %0 = "ttnn.relu"(%a) : (tensor<64x64xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, f32>, #ttnn.buffer_type<dram>>, <interleaved>>>) -> tensor<64x64xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, f32>, #ttnn.buffer_type<dram>>, <interleaved>>>
  return
}
