// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline --convert-ttnn-to-pto=target=mncore --split-input-file %s | FileCheck %s

// A left operand that is broadcast is materialized first if the operands cannot be exchanged.

// CHECK-LABEL: pto.func @left_
// CHECK: %[[A:.*]] = pto.tload %{{.*}} : memref<32x32xf32>
// CHECK: %[[ROW:.*]] = pto.tload %{{.*}} : memref<1x32xf32>
// CHECK: %[[ONES:.*]] = pto.tfill 1.000000e+00
// CHECK: %[[FULL:.*]] = pto.tmul %[[ONES]], %[[ROW]] {broadcast = #pto.broadcast<row>
// CHECK: pto.tdiv %[[FULL]], %[[A]]
func.func @left(%a: tensor<32x32xf32>, %row: tensor<32xf32>) -> tensor<32x32xf32> {
  %0 = "ttir.div"(%row, %a) : (tensor<32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  return %0 : tensor<32x32xf32>
}

// -----

// Numbers are tiles of them.

// CHECK-LABEL: pto.func @numbers_
// CHECK: %[[LEAST:.*]] = pto.tfill 0.000000e+00
// CHECK: %[[ABOVE:.*]] = pto.tmax %{{.*}}, %[[LEAST]]
// CHECK: %[[MOST:.*]] = pto.tfill 6.000000e+00
// CHECK: pto.tmin %[[ABOVE]], %[[MOST]]
func.func @numbers(%a: tensor<32x32xbf16>) -> tensor<32x32xbf16> {
  %0 = "ttir.clamp_scalar"(%a) <{max = 6.0 : f32, min = 0.0 : f32}> : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %0 : tensor<32x32xbf16>
}

// -----

// Booleans of integers become floats, which select.

// CHECK-LABEL: pto.func @choice_
// CHECK: %[[TRUTH:.*]] = pto.tlt %{{.*}} : <tensor<32x32xi32>, vec>, <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
// CHECK: %[[FLOAT:.*]] = pto.tcvt %[[TRUTH]] {{.*}} -> <tensor<32x32xf32>, vec>
// CHECK: pto.tsel %[[FLOAT]]
func.func @choice(%a: tensor<32x32xi32>, %b: tensor<32x32xi32>) -> tensor<32x32xi32> {
  %0 = "ttir.lt"(%a, %b) : (tensor<32x32xi32>, tensor<32x32xi32>) -> tensor<32x32xi1>
  %1 = "ttir.where"(%0, %a, %b) : (tensor<32x32xi1>, tensor<32x32xi32>, tensor<32x32xi32>) -> tensor<32x32xi32>
  return %1 : tensor<32x32xi32>
}

// -----

// Two tiles are full; the last one has one column.

// CHECK-LABEL: pto.func @reduction_
// CHECK: %[[FIRST:.*]] = pto.trowmax %{{.*}} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec, valid = 32x1>
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[FIRST]])
// CHECK: pto.trowmax
// CHECK: pto.tmax
// CHECK: pto.tload %{{.*}} -> <tensor<32x32xbf16>, vec, valid = 32x1>
// CHECK: pto.trowmax %{{.*}} : <tensor<32x32xf32>, vec, valid = 32x1> -> <tensor<32x32xf32>, vec, valid = 32x1>
// CHECK: pto.tmax
// CHECK: pto.tstore %{{.*}} : <tensor<32x32xbf16>, vec, valid = 32x1> -> memref<33x1xbf16>
func.func @reduction(%a: tensor<33x65xbf16>) -> tensor<33x1xbf16> {
  %0 = "ttir.max"(%a) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<33x65xbf16>) -> tensor<33x1xbf16>
  return %0 : tensor<33x1xbf16>
}

// -----

// CHECK-LABEL: pto.func @transposed_
// CHECK: pto.ttrans %{{.*}} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
func.func @transposed(%a: tensor<64x32xf32>) -> tensor<32x64xf32> {
  %0 = "ttir.transpose"(%a) <{dim0 = 0 : si32, dim1 = 1 : si32}> : (tensor<64x32xf32>) -> tensor<32x64xf32>
  return %0 : tensor<32x64xf32>
}

// -----

// CHECK-LABEL: func.func @softmax
// CHECK: "ttnn.max"(%{{.*}}) <{dim_arg = [1 : i32], keep_dim = true}>
// CHECK: "ttnn.subtract"
// CHECK-NEXT: "ttnn.exp"
// CHECK: "ttnn.sum"(%[[E:.*]]) <{dim_arg = [1 : i32], keep_dim = true}>
// CHECK: "ttnn.divide"
func.func @softmax(%a: tensor<33x65xf32>) -> tensor<33x65xf32> {
  %0 = "ttir.softmax"(%a) <{dimension = -1 : si32}> : (tensor<33x65xf32>) -> tensor<33x65xf32>
  return %0 : tensor<33x65xf32>
}
