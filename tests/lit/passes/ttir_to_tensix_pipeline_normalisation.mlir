// Which normalisations Tensix computes in one kernel, and how it computes halves of rows of tiles.
// RUN: ttmlir-opt --ttir-to-tensix-pipeline %s | FileCheck %s
// RUN: ttmlir-opt --ttir-to-tensix-pipeline="placement=cluster" %s | FileCheck %s --check-prefix=APART
// APART-NOT: pto.alloc_tensor

// Eight rows of tiles for 64 workers: each piece is half of one.
// CHECK-LABEL: tensix.program @few_rows_max_subtract_exp_sum_divide_0_tensix
// CHECK-SAME: work 16 unpack
// The number of the half, and what the unpackers bring.
// CHECK: scf.for %[[PIECE:.*]] = %{{.*}} to
// CHECK: %[[HALF:.*]] = arith.remsi %[[PIECE]], %c2
// CHECK: %[[FIRST:.*]] = arith.muli %[[HALF]], %c524800
// CHECK: %[[ENDS:.*]] = arith.addi %[[FIRST]], %c523264
// CHECK: tensix.push "setadcxx" x_end2.x_start = %[[ENDS]] below 1048576  (cnt_set_mask 3)
// Two faces.
// CHECK: } math {
// CHECK: tensix.elwadd
// CHECK-NEXT: tensix.elwadd  (dst 8)
// CHECK-NEXT: tensix.elwadd  (dst 16)
// CHECK-NEXT: tensix.elwadd  (addr_mode 1, dst 24)
// CHECK: } pack {
// CHECK: tensix.pacr  (last 1, pack_sel 3)
// NC reads half of each tile to its place in L1, once for all stages.
// CHECK: } read {
// CHECK: %[[OFFSET:.*]] = arith.muli %{{.*}}, %c1024
// CHECK: tensix.noc_read page %{{.*}} of %[[BASE:.*]] bytes 2048 length 1024 to
// CHECK: scf.for
// CHECK: tensix.noc_read page %{{.*}} of %[[BASE]] bytes 2048 length 1024 to
// CHECK-NOT: tensix.noc_read
// CHECK: } write {
// CHECK: tensix.noc_write page %{{.*}} bytes 2048 length 1024 from
func.func @few_rows(%x: tensor<256x96xbf16>) -> tensor<256x96xbf16> {
  %0 = "ttir.softmax"(%x) <{dimension = 1 : si32}> : (tensor<256x96xbf16>) -> tensor<256x96xbf16>
  return %0 : tensor<256x96xbf16>
}

// Only first rows of the scale and the shift are read, after the first steps of a worker.
// CHECK-LABEL: tensix.program @layer_mean_subtract_multiply_mean_add_rsqrt_multiply_multiply_add_0_tensix
// CHECK: } math {
// CHECK: } read {
// CHECK: tensix.noc_read {{.*}} bytes 2048 length 1024
// CHECK: scf.if
// CHECK-COUNT-2: tensix.noc_read {{.*}} bytes 2048 length 32
// CHECK: scf.if
// CHECK-NOT: length 32
// CHECK: tensix.noc_read {{.*}} bytes 2048 length 1024
// CHECK: } write {
func.func @layer(%x: tensor<256x96xbf16>, %scale: tensor<96xbf16>, %shift: tensor<96xbf16>) -> tensor<256x96xbf16> {
  %0 = "ttir.layer_norm"(%x, %scale, %shift) <{normalized_shape = array<i64: 96>, epsilon = 1.0e-5 : f32, operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<256x96xbf16>, tensor<96xbf16>, tensor<96xbf16>) -> tensor<256x96xbf16>
  return %0 : tensor<256x96xbf16>
}

// Whole tiles keep all workers as busy.
// CHECK-LABEL: tensix.program @many_rows_max_subtract_exp_sum_divide_0_tensix
// CHECK-SAME: work 64 unpack
// CHECK-NOT: length
// CHECK: func.func @many_rows
func.func @many_rows(%x: tensor<2048x96xbf16>) -> tensor<2048x96xbf16> {
  %0 = "ttir.softmax"(%x) <{dimension = 1 : si32}> : (tensor<2048x96xbf16>) -> tensor<2048x96xbf16>
  return %0 : tensor<2048x96xbf16>
}

// With few rows and many columns, kernels of their own distribute the columns.
// CHECK-LABEL: tensix.program @many_columns_max_0_tensix
// CHECK: tensix.program @many_columns_subtract_exp_1_tensix
// CHECK: tensix.program @many_columns_sum_2_tensix
// CHECK: tensix.program @many_columns_divide_3_tensix
func.func @many_columns(%x: tensor<32x2048xbf16>) -> tensor<32x2048xbf16> {
  %0 = "ttir.softmax"(%x) <{dimension = 1 : si32}> : (tensor<32x2048xbf16>) -> tensor<32x2048xbf16>
  return %0 : tensor<32x2048xbf16>
}

// A row of exponentials does not fit into L1, so it goes through DRAM.
// CHECK-LABEL: tensix.program @wide_rows_max_subtract_exp_0_tensix
// CHECK: tensix.program @wide_rows_sum_divide_1_tensix
func.func @wide_rows(%x: tensor<2048x4000xf32>) -> tensor<2048x4000xf32> {
  %0 = "ttir.softmax"(%x) <{dimension = 1 : si32}> : (tensor<2048x4000xf32>) -> tensor<2048x4000xf32>
  return %0 : tensor<2048x4000xf32>
}
