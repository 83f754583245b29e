// RUN: not ttmlir-opt --ttnn-layout --split-input-file %s 2>&1 | FileCheck %s

// CHECK: error: 'func.func' op cannot lay out 'tensor<?x2xbf16>': give every dimension a size
func.func @dynamic(%a: tensor<?x2xbf16>) -> tensor<?x2xbf16> {
  return %a : tensor<?x2xbf16>
}

// -----

// CHECK: error: 'ttir.neg' op cannot write its result as 'tensor<32x32xf32, #ttnn.ttnn_layout<
// CHECK-SAME: leave out the layout, then tiles in DRAM are written
#host = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x32xf32, #ttnn.buffer_type<system_memory>>>
func.func @host(%a: tensor<32x32xf32>) -> tensor<32x32xf32, #host> {
  %0 = "ttir.neg"(%a) : (tensor<32x32xf32>) -> tensor<32x32xf32, #host>
  return %0 : tensor<32x32xf32, #host>
}

// -----

// CHECK: error: 'func.func' op has 2 blocks; branches are not supported, write one block
func.func @branch(%a: tensor<2xbf16> {ttcore.argument_type = #ttcore.argument_type<input>}) -> tensor<2xbf16> {
  cf.br ^next
^next:
  return %a : tensor<2xbf16>
}

// -----

// CHECK: error: 'func.func' op cannot lay out 'tensor<*xbf16>': give it a shape
func.func @unranked(%a: tensor<*xbf16>) {
  return
}

// -----

// CHECK: error: 'func.func' op cannot lay out 'tensor<0x5xbf16>': it has no elements
func.func @no_elements(%a: tensor<0x5xbf16>) {
  return
}

// -----

// CHECK: error: 'ttir.empty' op cannot lay out 'tensor<4294967296x4294967296x4294967296xbf16>': it is larger than the memory of any chip
func.func @too_large() {
  %0 = ttir.empty() : tensor<4294967296x4294967296x4294967296xbf16>
  return
}

// -----

#tiles = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>
// CHECK: error: 'func.func' op has input 0, which is to be 'tensor<8x8xbf16, {{.*}}', but TTNN operations read it as 'tensor<8x8xbf16, {{.*}}'; lay tensors out before TTIR becomes TTNN
func.func @lowered_before(%a: tensor<8x8xbf16, #tiles> {ttcore.argument_type = #ttcore.argument_type<input>}) -> tensor<8x8xbf16, #tiles> {
  %0 = "ttnn.relu"(%a) : (tensor<8x8xbf16, #tiles>) -> tensor<8x8xbf16, #tiles>
  return %0 : tensor<8x8xbf16, #tiles>
}
