// Operations that share a kernel.
// RUN: ttmlir-opt --ttir-to-ttnn-runtime-pipeline --convert-ttnn-to-pto --ttnn-deallocate %s | FileCheck %s
// RUN: ttmlir-opt --ttir-to-ttnn-runtime-pipeline --convert-ttnn-to-pto="block=2x1" %s | FileCheck %s --check-prefix=BLOCK
// RUN: ttmlir-opt --ttir-to-ttnn-runtime-pipeline --convert-ttnn-to-pto="fusion=none" %s | FileCheck %s --check-prefix=NONE
// RUN: not ttmlir-opt --convert-ttnn-to-pto="fusion=some" %s 2>&1 | FileCheck %s --check-prefix=BAD

// BAD: option 'fusion' takes {{.*}}, not 'some'

// NONE: pto.func @activated_linear_0(
// NONE: pto.func @activated_relu_1(

// A bias is added in the accumulator, relu is the packers': nothing crosses to the vector side.
// CHECK-LABEL: pto.func @activated_linear_relu_0(%arg0: memref<64x96xbf16>, %arg1: memref<96x64xbf16>, %arg2: memref<1x64xbf16>
// CHECK: %[[SUM:.*]] = pto.tadd %{{.*}} {broadcast = #pto.broadcast<row>, unit = #pto.unit<fpu>} : <tensor<32x32xf32>, acc>
// CHECK-NOT: pto.tmove
// CHECK: %[[RELU:.*]] = pto.trelu %[[SUM]] {unit = #pto.unit<pack>} : <tensor<32x32xf32>, acc>
// CHECK: %[[ROUNDED:.*]] = pto.tcvt %[[RELU]] {unit = #pto.unit<pack>}
// CHECK: pto.tstore %[[ROUNDED]], %arg3
// The region has both operations; the intermediate value has no deallocation.
// CHECK-LABEL: func.func @activated(
// CHECK: "ttnn.kernel_region"(%arg0, %arg1, %arg2) <{{.*}}kernel = @activated_linear_relu_0
// CHECK: %[[LINEAR:.*]] = "ttnn.linear"
// CHECK: %[[INNER:.*]] = "ttnn.relu"(%[[LINEAR]])
// CHECK: "ttnn.yield"(%[[INNER]])
// CHECK-COUNT-3: "ttnn.deallocate"(%arg
// CHECK-NOT: "ttnn.deallocate"
// CHECK: return
// BLOCK-LABEL: pto.func @activated_linear_relu_0(
// BLOCK: pto.tload %arg0{{.*}} : memref<64x96xbf16> -> <tensor<64x32xbf16>, mat>
// BLOCK: pto.tload %arg1{{.*}} : memref<96x64xbf16> -> <tensor<32x32xbf16>, mat>
// BLOCK: pto.tmatmul {{.*}} -> <tensor<64x32xf32>, acc>
// BLOCK: pto.tload %arg2{{.*}} -> <tensor<32x32xbf16>, mat>
// BLOCK: pto.tadd {{.*}} : <tensor<64x32xf32>, acc>, <tensor<32x32xbf16>, mat> -> <tensor<64x32xf32>, acc>
func.func @activated(%a: tensor<64x96xbf16>, %b: tensor<96x64xbf16>, %bias: tensor<64xbf16>) -> tensor<64x64xbf16> {
  %0 = "ttir.linear"(%a, %b, %bias) : (tensor<64x96xbf16>, tensor<96x64xbf16>, tensor<64xbf16>) -> tensor<64x64xbf16>
  %1 = "ttir.relu"(%0) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>
  return %1 : tensor<64x64xbf16>
}

// The first of two products is fused with its consumers. Relu in the middle, and everything after it, runs on the vector unit.
// CHECK-LABEL: pto.func @gated_matmul_0(
// CHECK-LABEL: pto.func @gated_matmul_relu_multiply_1(
// CHECK: %[[PRODUCT:.*]] = scf.for
// CHECK: %[[MOVED:.*]] = pto.tmove %[[PRODUCT]] : <tensor<32x32xf32>, acc> -> <tensor<32x32xf32>, vec>
// CHECK: %[[GATE:.*]] = pto.trelu %[[MOVED]] {unit = #pto.unit<sfpu>}
// CHECK: %[[UP:.*]] = pto.tload %arg2{{.*}} -> <tensor<32x32xbf16>, vec>
// CHECK: %[[WIDE:.*]] = pto.tcvt %[[UP]] {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, vec> -> <tensor<32x32xf32>, vec>
// CHECK: %[[GATED:.*]] = pto.tmul %[[GATE]], %[[WIDE]] {unit = #pto.unit<sfpu>}
// CHECK: pto.tcvt %[[GATED]] {unit = #pto.unit<pack>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xbf16>, vec>
// The region is placed after the other product, whose result it reads; its own inputs are deallocated after it.
// CHECK-LABEL: func.func @gated(
// CHECK: %[[OTHER:.*]] = "ttnn.kernel_region"(%arg0, %arg2) <{{.*}}kernel = @gated_matmul_0
// CHECK-NOT: "ttnn.deallocate"(%arg1)
// CHECK: "ttnn.kernel_region"(%arg0, %arg1, %[[OTHER]]) <{{.*}}kernel = @gated_matmul_relu_multiply_1
// CHECK: "ttnn.deallocate"(%arg1)
func.func @gated(%x: tensor<64x96xbf16>, %gate: tensor<96x64xbf16>, %up: tensor<96x64xbf16>) -> tensor<64x64xbf16> {
  %0 = "ttir.matmul"(%x, %gate) : (tensor<64x96xbf16>, tensor<96x64xbf16>) -> tensor<64x64xbf16>
  %1 = "ttir.relu"(%0) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %2 = "ttir.matmul"(%x, %up) : (tensor<64x96xbf16>, tensor<96x64xbf16>) -> tensor<64x64xbf16>
  %3 = "ttir.multiply"(%1, %2) : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  return %3 : tensor<64x64xbf16>
}

// A result that is read twice ends its group.
// CHECK-LABEL: pto.func @twice_matmul_0(
// CHECK-LABEL: pto.func @twice_multiply_1(
func.func @twice(%a: tensor<32x32xbf16>, %b: tensor<32x32xbf16>) -> tensor<32x32xbf16> {
  %0 = "ttir.matmul"(%a, %b) : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  %1 = "ttir.multiply"(%0, %0) : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %1 : tensor<32x32xbf16>
}

// So does one that the function returns.
// CHECK-LABEL: pto.func @returned_relu_1(
// CHECK: func.func @returned
// CHECK: kernel = @twice_matmul_0
// CHECK: kernel = @returned_relu_1
func.func @returned(%a: tensor<32x32xbf16>, %b: tensor<32x32xbf16>) -> (tensor<32x32xbf16>, tensor<32x32xbf16>) {
  %0 = "ttir.matmul"(%a, %b) : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  %1 = "ttir.relu"(%0) : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %0, %1 : tensor<32x32xbf16>, tensor<32x32xbf16>
}

// A group's values fit into half of Dst: four tiles, for what is computed and for each tensor that the vector unit reads.
// CHECK-LABEL: pto.func @many_matmul_multiply_multiply_multiply_0(
// CHECK-LABEL: pto.func @many_multiply_1(
func.func @many(%a: tensor<32x32xbf16>, %b: tensor<32x32xbf16>, %c: tensor<32x32xbf16>, %d: tensor<32x32xbf16>, %e: tensor<32x32xbf16>, %f: tensor<32x32xbf16>) -> tensor<32x32xbf16> {
  %0 = "ttir.matmul"(%a, %b) : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  %1 = "ttir.multiply"(%0, %c) : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  %2 = "ttir.multiply"(%1, %d) : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  %3 = "ttir.multiply"(%2, %e) : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  %4 = "ttir.multiply"(%3, %f) : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %4 : tensor<32x32xbf16>
}

// A result of another shape ends its group: here a row is broadcast to a matrix.
// CHECK-LABEL: pto.func @grows_matmul_0(
// CHECK-LABEL: pto.func @grows_add_1(
func.func @grows(%a: tensor<1x32xbf16>, %b: tensor<32x32xbf16>, %c: tensor<64x32xbf16>) -> tensor<64x32xbf16> {
  %0 = "ttir.matmul"(%a, %b) : (tensor<1x32xbf16>, tensor<32x32xbf16>) -> tensor<1x32xbf16>
  %1 = "ttir.add"(%0, %c) : (tensor<1x32xbf16>, tensor<64x32xbf16>) -> tensor<64x32xbf16>
  return %1 : tensor<64x32xbf16>
}

// Without a product, the matrix unit computes first if it can; the rest, except for the packers' part, is on the vector side.
// CHECK-LABEL: pto.func @chain_neg_add_relu_0(
// CHECK: %[[X:.*]] = pto.tload %arg0{{.*}} -> <tensor<32x32xbf16>, vec>
// CHECK: %[[WIDE:.*]] = pto.tcvt %[[X]] {unit = #pto.unit<fpu>}
// CHECK: %[[NEG:.*]] = pto.tneg %[[WIDE]] {unit = #pto.unit<sfpu>}
// CHECK: %[[SUM:.*]] = pto.tadd %[[NEG]], %{{.*}} {unit = #pto.unit<sfpu>}
// CHECK: pto.trelu %[[SUM]] {unit = #pto.unit<pack>}
func.func @chain(%a: tensor<32x32xbf16>, %b: tensor<32x32xbf16>) -> tensor<32x32xbf16> {
  %0 = "ttir.neg"(%a) : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
  %1 = "ttir.add"(%0, %b) : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  %2 = "ttir.relu"(%1) : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %2 : tensor<32x32xbf16>
}

// Large products are computed four tiles at a time.
// CHECK-LABEL: pto.func @large_matmul_0(
// CHECK: pto.tmatmul {{.*}} : <tensor<64x32xbf16>, mat>, <tensor<32x64xbf16>, mat> -> <tensor<64x64xf32>, acc>
func.func @large(%a: tensor<1024x32xbf16>, %b: tensor<32x1024xbf16>) -> tensor<1024x1024xbf16> {
  %0 = "ttir.matmul"(%a, %b) : (tensor<1024x32xbf16>, tensor<32x1024xbf16>) -> tensor<1024x1024xbf16>
  return %0 : tensor<1024x1024xbf16>
}
