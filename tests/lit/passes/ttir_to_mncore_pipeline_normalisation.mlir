// Which normalisations MN-Core 2 computes in one kernel.
// RUN: ttmlir-opt --ttir-to-ttnn-runtime-pipeline=mock-system-desc-arch=mncore2 --convert-ttnn-to-pto=target=mncore %s | FileCheck %s
// RUN: ttmlir-opt --ttir-to-ttnn-runtime-pipeline=mock-system-desc-arch=mncore2 --convert-ttnn-to-pto="target=mncore fusion=auto" %s | FileCheck %s --check-prefix=AUTO

// Many rows.
// CHECK-LABEL: pto.func @many_rows_max_subtract_exp_sum_divide_0
// CHECK: pto.alloc_tensor : memref<32x1xf32>
// CHECK: func.func @many_rows
// CHECK-COUNT-1: ttnn.kernel_region
func.func @many_rows(%x: tensor<1024x128xf32>) -> tensor<1024x128xf32> {
  %0 = "ttir.softmax"(%x) <{dimension = 1 : si32}> : (tensor<1024x128xf32>) -> tensor<1024x128xf32>
  return %0 : tensor<1024x128xf32>
}

// With few rows, kernels of their own distribute the columns.
// CHECK-LABEL: pto.func @few_rows_max_0
// CHECK: pto.func @few_rows_subtract_exp_1
// CHECK: pto.func @few_rows_sum_2
// CHECK: pto.func @few_rows_divide_3
func.func @few_rows(%x: tensor<64x512xf32>) -> tensor<64x512xf32> {
  %0 = "ttir.softmax"(%x) <{dimension = 1 : si32}> : (tensor<64x512xf32>) -> tensor<64x512xf32>
  return %0 : tensor<64x512xf32>
}

// Kernels of their own compute matrix after matrix.
// CHECK-LABEL: pto.func @many_matrices_max_subtract_exp_sum_divide_0
func.func @many_matrices(%x: tensor<12x16x128xf32>) -> tensor<12x16x128xf32> {
  %0 = "ttir.softmax"(%x) <{dimension = 2 : si32}> : (tensor<12x16x128xf32>) -> tensor<12x16x128xf32>
  return %0 : tensor<12x16x128xf32>
}

// The squares and the scale belong to it.
// CHECK-LABEL: pto.func @scaled_multiply_mean_add_rsqrt_multiply_multiply_0
func.func @scaled(%x: tensor<2048x32xbf16>, %scale: tensor<1x32xbf16>) -> tensor<2048x32xbf16> {
  %small = "ttir.full"() <{shape = array<i32: 2048, 1>, fill_value = 1.0e-5 : f32}> : () -> tensor<2048x1xbf16>
  %0 = "ttir.multiply"(%x, %x) : (tensor<2048x32xbf16>, tensor<2048x32xbf16>) -> tensor<2048x32xbf16>
  %1 = "ttir.mean"(%0) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<2048x32xbf16>) -> tensor<2048x1xbf16>
  %2 = "ttir.add"(%1, %small) : (tensor<2048x1xbf16>, tensor<2048x1xbf16>) -> tensor<2048x1xbf16>
  %3 = "ttir.rsqrt"(%2) : (tensor<2048x1xbf16>) -> tensor<2048x1xbf16>
  %4 = "ttir.multiply"(%x, %3) : (tensor<2048x32xbf16>, tensor<2048x1xbf16>) -> tensor<2048x32xbf16>
  %5 = "ttir.multiply"(%4, %scale) : (tensor<2048x32xbf16>, tensor<1x32xbf16>) -> tensor<2048x32xbf16>
  return %5 : tensor<2048x32xbf16>
}

// A result that something else reads leaves the chip, and so do those that only it reads.
// CHECK-LABEL: pto.func @read_twice_exp_0
// CHECK: pto.func @read_twice_sum_divide_1
func.func @read_twice(%x: tensor<1024x32xf32>) -> (tensor<1024x32xf32>, tensor<1024x32xf32>) {
  %0 = "ttir.exp"(%x) : (tensor<1024x32xf32>) -> tensor<1024x32xf32>
  %1 = "ttir.sum"(%0) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<1024x32xf32>) -> tensor<1024x1xf32>
  %2 = "ttir.div"(%0, %1) : (tensor<1024x32xf32>, tensor<1024x1xf32>) -> tensor<1024x32xf32>
  return %0, %2 : tensor<1024x32xf32>, tensor<1024x32xf32>
}

// A product before it has a kernel of its own.
// CHECK-LABEL: pto.func @product_matmul_0
// CHECK: pto.func @product_max_subtract_exp_sum_divide_1
func.func @product(%x: tensor<1024x32xf32>, %y: tensor<32x64xf32>) -> tensor<1024x64xf32> {
  %0 = "ttir.matmul"(%x, %y) : (tensor<1024x32xf32>, tensor<32x64xf32>) -> tensor<1024x64xf32>
  %1 = "ttir.softmax"(%0) <{dimension = 1 : si32}> : (tensor<1024x64xf32>) -> tensor<1024x64xf32>
  return %1 : tensor<1024x64xf32>
}

// A reduction of columns keeps no rows.
// CHECK-LABEL: pto.func @columns_sum_0
// CHECK: pto.func @columns_divide_1
func.func @columns(%x: tensor<1024x32xf32>) -> tensor<1024x32xf32> {
  %1 = "ttir.sum"(%x) <{dim_arg = [0 : i32], keep_dim = true}> : (tensor<1024x32xf32>) -> tensor<1x32xf32>
  %2 = "ttir.div"(%x, %1) : (tensor<1024x32xf32>, tensor<1x32xf32>) -> tensor<1024x32xf32>
  return %2 : tensor<1024x32xf32>
}

// Long functions before it have a kernel of their own, which has more room for constants.
// AUTO-LABEL: pto.func @long_sigmoid_asin_0
// AUTO: pto.func @long_mean_subtract_1
func.func @long(%x: tensor<1024x32xf32>) -> tensor<1024x32xf32> {
  %0 = "ttir.sigmoid"(%x) : (tensor<1024x32xf32>) -> tensor<1024x32xf32>
  %1 = "ttir.asin"(%0) : (tensor<1024x32xf32>) -> tensor<1024x32xf32>
  %2 = "ttir.mean"(%1) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<1024x32xf32>) -> tensor<1024x1xf32>
  %3 = "ttir.subtract"(%1, %2) : (tensor<1024x32xf32>, tensor<1024x1xf32>) -> tensor<1024x32xf32>
  return %3 : tensor<1024x32xf32>
}
