// Casts, down to operations on tensors with layouts.
// RUN: ttmlir-opt --ttir-to-ttnn-runtime-pipeline %s | FileCheck %s

// CHECK-DAG: #[[F32:.*]] = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x3x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
// CHECK-DAG: #[[BF16:.*]] = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x3x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// The attribute that permits folding is removed.
// CHECK-LABEL: @there
// CHECK: %[[R:.*]] = "ttnn.typecast"(%arg0) : (tensor<40x70xf32, #[[F32]]>) -> tensor<40x70xbf16, #[[BF16]]>
// CHECK: return %[[R]]
func.func @there(%a: tensor<40x70xf32>) -> tensor<40x70xbf16> {
  %0 = ttir.empty() : tensor<40x70xbf16>
  %1 = "ttir.typecast"(%a, %0) <{conservative_folding = true}> : (tensor<40x70xf32>, tensor<40x70xbf16>) -> tensor<40x70xbf16>
  return %1 : tensor<40x70xbf16>
}

// A cast to the same type is removed.
// CHECK-LABEL: @from_double
// CHECK-NOT: ttnn.typecast
// CHECK: %[[R:.*]] = "ttnn.typecast"(%arg0) : (tensor<40x70xf32, #[[F32]]>) -> tensor<40x70xbf16, #[[BF16]]>
// CHECK-NOT: ttnn.typecast
// CHECK: return %[[R]]
func.func @from_double(%a: tensor<40x70xf64>) -> tensor<40x70xf16> {
  %0 = "ttir.typecast"(%a) : (tensor<40x70xf64>) -> tensor<40x70xf32>
  %1 = "ttir.typecast"(%0) : (tensor<40x70xf32>) -> tensor<40x70xf16>
  return %1 : tensor<40x70xf16>
}
