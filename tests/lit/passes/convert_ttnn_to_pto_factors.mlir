// Element-wise operations before a product, in the product's kernel.
// RUN: ttmlir-opt --ttir-to-ttnn-runtime-pipeline --convert-ttnn-to-pto="fusion=auto" --ttnn-deallocate %s | FileCheck %s
// RUN: ttmlir-opt --ttir-to-ttnn-runtime-pipeline --convert-ttnn-to-pto="fusion=all" %s | FileCheck %s --check-prefix=ALL
// RUN: ttmlir-opt --ttir-to-ttnn-runtime-pipeline --convert-ttnn-to-pto="fusion=all block=1x1" %s | FileCheck %s --check-prefix=SMALL
// RUN: ttmlir-opt --ttir-to-ttnn-runtime-pipeline --convert-ttnn-to-pto="fusion=all placement=same_core" %s | FileCheck %s --check-prefix=SAME
// RUN: ttmlir-opt --ttir-to-ttnn-runtime-pipeline --convert-ttnn-to-pto="placement=cluster" %s | FileCheck %s --check-prefix=CLUSTER
// RUN: ttmlir-opt --ttir-to-ttnn-runtime-pipeline --convert-ttnn-to-pto %s | FileCheck %s --check-prefix=APART

// The vector side computes, rounds and hands over tiles of the factor; each is computed once, because the block is as wide as the
// result.
// CHECK-LABEL: pto.func @left_add_relu_matmul_multiply_0(%arg0: memref<64x96xbf16>, %arg1: memref<64x96xbf16>, %arg2: memref<96x64xbf16>, %arg3: memref<64x64xbf16>
// CHECK-SAME: kind = #pto.kind<mixed>, placement = #pto.placement<cluster>
// CHECK: %[[X:.*]] = pto.tload %arg0[%[[ROW:.*]], %[[K:.*]]] : memref<64x96xbf16> -> <tensor<32x32xbf16>, vec>
// CHECK: %[[WIDE:.*]] = pto.tcvt %[[X]] {unit = #pto.unit<fpu>}
// CHECK: pto.tload %arg1[%[[ROW]], %[[K]]]{{.*}} vec>
// CHECK: %[[SUM:.*]] = pto.tadd %[[WIDE]], %{{.*}} {unit = #pto.unit<sfpu>}
// CHECK: %[[RELU:.*]] = pto.trelu %[[SUM]] {unit = #pto.unit<pack>}
// CHECK: %[[ROUNDED:.*]] = pto.tcvt %[[RELU]] {unit = #pto.unit<pack>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xbf16>, vec>
// CHECK: %[[FACTOR:.*]] = pto.tmove %[[ROUNDED]] : <tensor<32x32xbf16>, vec> -> <tensor<32x32xbf16>, mat>
// CHECK: pto.tmatmul %[[FACTOR]], %{{.*}} -> <tensor<32x64xf32>, acc>
// CHECK: scf.for
// CHECK: pto.tmove %{{.*}} : <tensor<32x32xbf16>, vec> -> <tensor<32x32xbf16>, mat>
// CHECK: pto.tmatmul_acc
// CHECK: pto.tmove %{{.*}} : <tensor<32x64xf32>, acc> -> <tensor<32x64xf32>, vec>
// CHECK: pto.tmul
// Intermediate values have no deallocation; inputs are deallocated after the region.
// CHECK-LABEL: func.func @left(
// CHECK: "ttnn.kernel_region"(%arg0, %arg1, %arg2, %arg3)
// CHECK: "ttnn.yield"
// CHECK-COUNT-4: "ttnn.deallocate"(%arg
// CHECK-NOT: "ttnn.deallocate"
// CHECK: return
// On one core nothing can cross to the cube side; by default nothing does yet.
// SAME-LABEL: pto.func @left_add_relu_0(
// SAME-LABEL: pto.func @left_matmul_multiply_1(
// SAME-SAME: placement = #pto.placement<same_core>
// CLUSTER-LABEL: pto.func @left_add_relu_0(
// CLUSTER-SAME: kind = #pto.kind<mixed>}
// CLUSTER-LABEL: pto.func @left_matmul_multiply_1(
// CLUSTER-SAME: placement = #pto.placement<cluster>
// APART-LABEL: pto.func @left_add_relu_0(
// APART-LABEL: pto.func @left_matmul_multiply_1(
// APART-SAME: placement = #pto.placement<same_core>
func.func @left(%x: tensor<64x96xbf16>, %y: tensor<64x96xbf16>, %w: tensor<96x64xbf16>, %r: tensor<64x64xbf16>) -> tensor<64x64xbf16> {
  %0 = "ttir.add"(%x, %y) : (tensor<64x96xbf16>, tensor<64x96xbf16>) -> tensor<64x96xbf16>
  %1 = "ttir.relu"(%0) : (tensor<64x96xbf16>) -> tensor<64x96xbf16>
  %2 = "ttir.matmul"(%1, %w) : (tensor<64x96xbf16>, tensor<96x64xbf16>) -> tensor<64x64xbf16>
  %3 = "ttir.multiply"(%2, %r) : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  return %3 : tensor<64x64xbf16>
}

// Operations on both factors; extents are odd, and padding stays +0.
// CHECK-LABEL: pto.func @both_neg_relu_linear_relu_0(%arg0: memref<33x65xbf16>, %arg1: memref<65x40xbf16>, %arg2: memref<1x40xbf16>
// CHECK: pto.tload %arg0{{.*}} -> <tensor<64x32xbf16>, vec>
// CHECK: pto.tneg {{.*}} {unit = #pto.unit<sfpu>}
// CHECK: pto.tmove
// CHECK: pto.tload %arg1{{.*}} -> <tensor<32x64xbf16>, vec>
// CHECK: pto.trelu {{.*}} {unit = #pto.unit<pack>}
// CHECK: pto.tmove
// CHECK: pto.tmatmul
func.func @both(%x: tensor<33x65xbf16>, %w: tensor<65x40xbf16>, %b: tensor<40xbf16>) -> tensor<33x40xbf16> {
  %0 = "ttir.neg"(%x) : (tensor<33x65xbf16>) -> tensor<33x65xbf16>
  %1 = "ttir.relu"(%w) : (tensor<65x40xbf16>) -> tensor<65x40xbf16>
  %2 = "ttir.linear"(%0, %1, %b) : (tensor<33x65xbf16>, tensor<65x40xbf16>, tensor<40xbf16>) -> tensor<33x40xbf16>
  %3 = "ttir.relu"(%2) : (tensor<33x40xbf16>) -> tensor<33x40xbf16>
  return %3 : tensor<33x40xbf16>
}

// A result wider than any block: the factor would be computed again for each, which must be asked for.
// CHECK-LABEL: pto.func @wide_relu_0(
// CHECK-LABEL: pto.func @wide_matmul_1(
// ALL-LABEL: pto.func @wide_relu_matmul_0(
// ALL: pto.tmatmul {{.*}} -> <tensor<32x128xf32>, acc>
// SMALL-LABEL: pto.func @wide_relu_matmul_0(
// SMALL: pto.tmatmul {{.*}} -> <tensor<32x32xf32>, acc>
func.func @wide(%x: tensor<64x32xbf16>, %w: tensor<32x256xbf16>) -> tensor<64x256xbf16> {
  %0 = "ttir.relu"(%x) : (tensor<64x32xbf16>) -> tensor<64x32xbf16>
  %1 = "ttir.matmul"(%0, %w) : (tensor<64x32xbf16>, tensor<32x256xbf16>) -> tensor<64x256xbf16>
  return %1 : tensor<64x256xbf16>
}

// A matrix that is broadcast to several would be computed for each of them.
// CHECK-LABEL: pto.func @matrices_relu_0(
// CHECK-LABEL: pto.func @matrices_matmul_1(
// ALL-LABEL: pto.func @matrices_relu_matmul_0(
func.func @matrices(%x: tensor<3x32x32xbf16>, %w: tensor<32x32xbf16>) -> tensor<3x32x32xbf16> {
  %0 = "ttir.relu"(%w) : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
  %1 = "ttir.matmul"(%x, %0) : (tensor<3x32x32xbf16>, tensor<32x32xbf16>) -> tensor<3x32x32xbf16>
  return %1 : tensor<3x32x32xbf16>
}

// Broadcast values must not reach padding: 0 times infinity would be added to the sums.
// ALL-LABEL: pto.func @scaled_multiply_matmul_0(
// ALL: pto.tmul {{.*}} {broadcast = #pto.broadcast<scalar>, unit = #pto.unit<sfpu>}
func.func @scaled(%x: tensor<32x64xbf16>, %s: tensor<1x1xbf16>, %w: tensor<64x32xbf16>) -> tensor<32x32xbf16> {
  %0 = "ttir.multiply"(%x, %s) : (tensor<32x64xbf16>, tensor<1x1xbf16>) -> tensor<32x64xbf16>
  %1 = "ttir.matmul"(%0, %w) : (tensor<32x64xbf16>, tensor<64x32xbf16>) -> tensor<32x32xbf16>
  return %1 : tensor<32x32xbf16>
}
// ALL-LABEL: pto.func @padded_multiply_0(
// ALL-LABEL: pto.func @padded_matmul_1(
func.func @padded(%x: tensor<32x65xbf16>, %s: tensor<1x1xbf16>, %w: tensor<65x32xbf16>) -> tensor<32x32xbf16> {
  %0 = "ttir.multiply"(%x, %s) : (tensor<32x65xbf16>, tensor<1x1xbf16>) -> tensor<32x65xbf16>
  %1 = "ttir.matmul"(%0, %w) : (tensor<32x65xbf16>, tensor<65x32xbf16>) -> tensor<32x32xbf16>
  return %1 : tensor<32x32xbf16>
}

// A row is broadcast down only, a column across only.
// ALL-LABEL: pto.func @rows_add_subtract_matmul_0(
// ALL: pto.tadd {{.*}} {broadcast = #pto.broadcast<row>, unit = #pto.unit<sfpu>}
// ALL: pto.tsub {{.*}} {broadcast = #pto.broadcast<column>, unit = #pto.unit<sfpu>}
func.func @rows(%x: tensor<64x7xbf16>, %row: tensor<7xbf16>, %w: tensor<7x32xbf16>, %v: tensor<7x32xbf16>, %column: tensor<7x1xbf16>) -> tensor<64x32xbf16> {
  %0 = "ttir.add"(%x, %row) : (tensor<64x7xbf16>, tensor<7xbf16>) -> tensor<64x7xbf16>
  %1 = "ttir.subtract"(%w, %column) : (tensor<7x32xbf16>, tensor<7x1xbf16>) -> tensor<7x32xbf16>
  %2 = "ttir.matmul"(%0, %1) : (tensor<64x7xbf16>, tensor<7x32xbf16>) -> tensor<64x32xbf16>
  return %2 : tensor<64x32xbf16>
}
// ALL-LABEL: pto.func @padded_rows_add_0(
// ALL-LABEL: pto.func @padded_rows_subtract_1(
// ALL-LABEL: pto.func @padded_rows_matmul_2(
func.func @padded_rows(%x: tensor<33x7xbf16>, %row: tensor<7xbf16>, %w: tensor<7x33xbf16>, %column: tensor<7x1xbf16>) -> tensor<33x33xbf16> {
  %0 = "ttir.add"(%x, %row) : (tensor<33x7xbf16>, tensor<7xbf16>) -> tensor<33x7xbf16>
  %1 = "ttir.subtract"(%w, %column) : (tensor<7x33xbf16>, tensor<7x1xbf16>) -> tensor<7x33xbf16>
  %2 = "ttir.matmul"(%0, %1) : (tensor<33x7xbf16>, tensor<7x33xbf16>) -> tensor<33x33xbf16>
  return %2 : tensor<33x33xbf16>
}

// Two operations that meet before a factor are no chain: one of them is with the product. What both factors read, and what is added
// to the product, is computed apart.
// ALL-LABEL: pto.func @tree_relu_0(
// ALL-LABEL: pto.func @tree_neg_add_matmul_1(
func.func @tree(%x: tensor<32x32xbf16>, %y: tensor<32x32xbf16>, %w: tensor<32x32xbf16>) -> tensor<32x32xbf16> {
  %0 = "ttir.relu"(%x) : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
  %1 = "ttir.neg"(%y) : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
  %2 = "ttir.add"(%0, %1) : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  %3 = "ttir.matmul"(%2, %w) : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %3 : tensor<32x32xbf16>
}
// Operations that compute the same share a kernel.
// ALL-LABEL: pto.func @squared_neg_1(
// ALL-LABEL: pto.func @squared_linear_add_3(
// ALL: func.func @squared
// ALL: kernel = @tree_relu_0
// ALL: kernel = @squared_neg_1
// ALL: kernel = @tree_relu_0
// ALL: kernel = @squared_linear_add_3
func.func @squared(%x: tensor<32x32xbf16>, %b: tensor<32xbf16>, %c: tensor<32x32xbf16>) -> tensor<32x32xbf16> {
  %0 = "ttir.relu"(%x) : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
  %1 = "ttir.neg"(%b) : (tensor<32xbf16>) -> tensor<32xbf16>
  %2 = "ttir.linear"(%0, %0, %1) : (tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32xbf16>) -> tensor<32x32xbf16>
  %3 = "ttir.relu"(%c) : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
  %4 = "ttir.add"(%2, %3) : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %4 : tensor<32x32xbf16>
}
