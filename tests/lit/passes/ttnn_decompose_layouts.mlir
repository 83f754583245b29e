// RUN: ttmlir-opt --ttnn-decompose-layouts --mlir-print-local-scope %s | FileCheck %s

#tiles = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>
#rows = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<33x7xbf16, #ttnn.buffer_type<dram>>, <interleaved>>
#rows_f32 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<33x7xf32, #ttnn.buffer_type<dram>>, <interleaved>>
#host = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<33x7xbf16, #ttnn.buffer_type<system_memory>>>
#l1 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>, <interleaved>>

// CHECK-LABEL: @tilize
// CHECK-NEXT: %[[A:.*]] = "ttnn.to_layout"(%arg0) : (tensor<33x7xbf16, {{.*}}memref<33x7xbf16, #ttnn.buffer_type<dram>>{{.*}}) -> tensor<33x7xbf16, {{.*}}memref<2x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>
// CHECK-NEXT: return %[[A]]
func.func @tilize(%a: tensor<33x7xbf16, #rows>) -> tensor<33x7xbf16, #tiles> {
  %0 = "ttnn.to_tensor_spec"(%a) : (tensor<33x7xbf16, #rows>) -> tensor<33x7xbf16, #tiles>
  return %0 : tensor<33x7xbf16, #tiles>
}

// CHECK-LABEL: @tilize_and_cast
// CHECK-NEXT: %[[A:.*]] = "ttnn.to_layout"(%arg0) : (tensor<33x7xf32{{.*}} -> tensor<33x7xbf16
// CHECK-NEXT: return %[[A]]
func.func @tilize_and_cast(%a: tensor<33x7xf32, #rows_f32>) -> tensor<33x7xbf16, #tiles> {
  %0 = "ttnn.to_tensor_spec"(%a) : (tensor<33x7xf32, #rows_f32>) -> tensor<33x7xbf16, #tiles>
  return %0 : tensor<33x7xbf16, #tiles>
}

// CHECK-LABEL: @untilize_and_cast
// CHECK-NEXT: %[[A:.*]] = "ttnn.typecast"(%arg0)
// CHECK-NEXT: %[[B:.*]] = "ttnn.to_layout"(%[[A]])
// CHECK-NEXT: return %[[B]]
func.func @untilize_and_cast(%a: tensor<33x7xbf16, #tiles>) -> tensor<33x7xf32, #rows_f32> {
  %0 = "ttnn.to_tensor_spec"(%a) : (tensor<33x7xbf16, #tiles>) -> tensor<33x7xf32, #rows_f32>
  return %0 : tensor<33x7xf32, #rows_f32>
}

// CHECK-LABEL: @from_host
// CHECK-NEXT: %[[D:.*]] = "ttnn.get_device"
// CHECK-NEXT: %[[A:.*]] = "ttnn.to_device"(%arg0, %[[D]])
// CHECK-SAME: -> tensor<33x7xbf16, {{.*}}memref<33x7xbf16, #ttnn.buffer_type<dram>>, <interleaved>
// CHECK-NEXT: %[[B:.*]] = "ttnn.to_layout"(%[[A]])
// CHECK-NEXT: return %[[B]]
func.func @from_host(%a: tensor<33x7xbf16, #host>) -> tensor<33x7xbf16, #tiles> {
  %0 = "ttnn.to_tensor_spec"(%a) : (tensor<33x7xbf16, #host>) -> tensor<33x7xbf16, #tiles>
  return %0 : tensor<33x7xbf16, #tiles>
}

// CHECK-LABEL: @to_host
// CHECK-NEXT: %[[A:.*]] = "ttnn.to_layout"(%arg0)
// CHECK-NEXT: %[[B:.*]] = "ttnn.from_device"(%[[A]])
// CHECK-NEXT: return %[[B]]
func.func @to_host(%a: tensor<33x7xbf16, #tiles>) -> tensor<33x7xbf16, #host> {
  %0 = "ttnn.to_tensor_spec"(%a) : (tensor<33x7xbf16, #tiles>) -> tensor<33x7xbf16, #host>
  return %0 : tensor<33x7xbf16, #host>
}

// CHECK-LABEL: @to_l1
// CHECK-NEXT: %[[A:.*]] = "ttnn.to_memory_config"(%arg0)
// CHECK-NEXT: return %[[A]]
func.func @to_l1(%a: tensor<33x7xbf16, #tiles>) -> tensor<33x7xbf16, #l1> {
  %0 = "ttnn.to_tensor_spec"(%a) : (tensor<33x7xbf16, #tiles>) -> tensor<33x7xbf16, #l1>
  return %0 : tensor<33x7xbf16, #l1>
}

// CHECK-LABEL: @nothing_to_do
// CHECK-NEXT: return %arg0
func.func @nothing_to_do(%a: tensor<33x7xbf16, #tiles>) -> tensor<33x7xbf16, #tiles> {
  %0 = "ttnn.to_tensor_spec"(%a) : (tensor<33x7xbf16, #tiles>) -> tensor<33x7xbf16, #tiles>
  return %0 : tensor<33x7xbf16, #tiles>
}
