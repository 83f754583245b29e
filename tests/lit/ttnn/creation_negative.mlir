// RUN: ttmlir-opt --split-input-file --verify-diagnostics %s

func.func @f(%d: !ttnn.device) {
  // expected-error@+1 {{'ttnn.empty' op Output tensor shape must be 64, 32, but got 64, 64}}
  %0 = "ttnn.empty"(%d) <{shape = #ttnn.shape<64x32>}> : (!ttnn.device) -> tensor<64x64xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>>
  return
}

// -----

func.func @f(%d: !ttnn.device) {
  // expected-error@+1 {{'ttnn.empty' op Unsupported layout encoding type}}
  %0 = "ttnn.empty"(%d) <{shape = #ttnn.shape<64x64>}> : (!ttnn.device) -> tensor<64x64xbf16>
  return
}

// -----

func.func @f(%d: !ttnn.device) {
  // expected-error@+1 {{'ttnn.zeros' op Output tensor shape must be 64, 32, but got 64, 64}}
  %0 = "ttnn.zeros"(%d) <{shape = #ttnn.shape<64x32>}> : (!ttnn.device) -> tensor<64x64xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>>
  return
}

// -----

func.func @f(%d: !ttnn.device) {
  // expected-error@+1 {{'ttnn.full' op Output tensor shape must be 32, but got 64, 64}}
  %0 = "ttnn.full"(%d) <{fill_value = 1.0 : f32, shape = #ttnn.shape<32>}> : (!ttnn.device) -> tensor<64x64xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>>
  return
}

// -----

func.func @f(%d: !ttnn.device) {
  // expected-error@+1 {{'ttnn.constant' op device operand must be specified for non-system memory buffer type}}
  %0 = "ttnn.constant"() <{value = dense<1.0> : tensor<64x64xbf16>}> : () -> tensor<64x64xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>>
  return
}

// -----

func.func @f(%d: !ttnn.device) {
  // expected-error@+1 {{'ttnn.constant' op device operand must not be specified for system memory buffer type}}
  %0 = "ttnn.constant"(%d) <{value = dense<1.0> : tensor<64x64xbf16>}> : (!ttnn.device) -> tensor<64x64xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x64xbf16, #ttnn.buffer_type<system_memory>>>>
  return
}

// -----

func.func @f(%d: !ttnn.device) {
  // expected-error@+1 {{'ttnn.constant' op value has elements of type f32, but the result of type bf16}}
  %0 = "ttnn.constant"(%d) <{value = dense<1.0> : tensor<64x64xf32>}> : (!ttnn.device) -> tensor<64x64xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>>
  return
}
