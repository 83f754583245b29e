// RUN: ttmlir-opt --ttir-to-ttnn-runtime-pipeline --convert-ttnn-to-pto="fusion=none block=1x1" %s | FileCheck %s
// RUN: ttmlir-opt --ttir-to-ttnn-runtime-pipeline="mock-system-desc-arch=blackhole" --convert-ttnn-to-pto="fusion=none block=1x1" %s | FileCheck %s --check-prefix=BLACKHOLE

// BLACKHOLE: arch = #ttcore.arch<blackhole>

// Tiles of the result, down and across; the first product begins the sum that the loop over K adds to.
// CHECK-LABEL: pto.func @kernels_matmul_0(%arg0: memref<33x65xbf16>, %arg1: memref<65x40xbf16>, %arg2: memref<33x40xbf16>)
// CHECK-SAME: dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>
// CHECK: %[[DOWN:.*]] = arith.constant 2 : index
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[DOWN]] step
// CHECK: %[[ACROSS:.*]] = arith.constant 2 : index
// CHECK: scf.for %[[J:.*]] = %{{.*}} to %[[ACROSS]] step
// CHECK: pto.tload %arg0[%[[I]], %[[ZERO:.*]]] : memref<33x65xbf16>
// CHECK: pto.tload %arg1[%[[ZERO]], %[[J]]] : memref<65x40xbf16>
// CHECK: %[[FIRST:.*]] = pto.tmatmul %
// CHECK: %[[DEPTH:.*]] = arith.constant 3 : index
// CHECK: %[[SUM:.*]] = scf.for %[[K:.*]] = %{{.*}} to %[[DEPTH]] step %{{.*}} iter_args(%[[ACC:.*]] = %[[FIRST]])
// CHECK: %[[A:.*]] = pto.tload %arg0[%[[I]], %[[K]]]
// CHECK: %[[B:.*]] = pto.tload %arg1[%[[K]], %[[J]]]
// CHECK: %[[NEXT:.*]] = pto.tmatmul_acc %[[ACC]], %[[A]], %[[B]]
// CHECK: scf.yield %[[NEXT]]
// CHECK: %[[ROUNDED:.*]] = pto.tcvt %[[SUM]] {unit = #pto.unit<pack>}
// CHECK: pto.tstore %[[ROUNDED]], %arg2[%[[I]], %[[J]]]
// CHECK: pto.return

// The matrix unit broadcasts the right operand only: row - x is -(x - row).
// CHECK-LABEL: pto.func @kernels_subtract_1(%arg0: memref<1x40xbf16>, %arg1: memref<33x40xbf16>, %arg2: memref<33x40xbf16>)
// CHECK: %[[X:.*]] = pto.tload %arg1[%[[I:.*]], %[[J:.*]]] : memref<33x40xbf16>
// CHECK: %[[ROW:.*]] = pto.tload %arg0[%{{.*}}, %[[J]]] : memref<1x40xbf16>
// CHECK: %[[DIFFERENCE:.*]] = pto.tsub %[[X]], %[[ROW]] {broadcast = #pto.broadcast<row>, unit = #pto.unit<fpu>}
// CHECK: %[[MOVED:.*]] = pto.tmove %[[DIFFERENCE]] : <tensor<32x32xf32>, acc> -> <tensor<32x32xf32>, vec>
// CHECK: %[[NEGATED:.*]] = pto.tneg %[[MOVED]] {unit = #pto.unit<sfpu>}
// CHECK: pto.tcvt %[[NEGATED]] {unit = #pto.unit<pack>}

// CHECK-LABEL: pto.func @kernels_relu_2(
// CHECK: %[[WIDE:.*]] = pto.tcvt %{{.*}} {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
// CHECK: %[[RELU:.*]] = pto.trelu %[[WIDE]] {unit = #pto.unit<pack>}
// CHECK: pto.tcvt %[[RELU]] {unit = #pto.unit<pack>}

// The bias is added to the sum before it is rounded.
// CHECK-LABEL: pto.func @kernels_linear_3(
// CHECK: %[[SUM:.*]] = scf.for
// CHECK: %[[BIAS:.*]] = pto.tload %arg2[%{{.*}}, %{{.*}}] : memref<1x7xbf16>
// CHECK: %[[ALL:.*]] = pto.tadd %[[SUM]], %[[BIAS]] {broadcast = #pto.broadcast<row>, unit = #pto.unit<fpu>}
// CHECK: pto.tcvt %[[ALL]] {unit = #pto.unit<pack>}

// CHECK-LABEL: pto.func @kernels_multiply_4(
// CHECK: pto.tmul %{{.*}}, %{{.*}} {broadcast = #pto.broadcast<scalar>, unit = #pto.unit<fpu>}

// The operations stay, in regions that name their kernels.
// CHECK-LABEL: func.func @kernels(
// CHECK: %[[PRODUCT:.*]] = "ttnn.kernel_region"(%arg0, %arg1) <{arch = #ttcore.arch<wormhole_b0>, kernel = @kernels_matmul_0, target = "tensix"}> ({
// CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<33x65xbf16, #{{.*}}>, %[[B:.*]]: tensor<65x40xbf16, #{{.*}}>):
// CHECK-NEXT: %[[INNER:.*]] = "ttnn.matmul"(%[[A]], %[[B]])
// CHECK-NEXT: "ttnn.yield"(%[[INNER]])
// CHECK: "ttnn.kernel_region"(%arg2, %[[PRODUCT]]) <{{.*}}kernel = @kernels_subtract_1
// CHECK: kernel = @kernels_relu_2
// CHECK: kernel = @kernels_linear_3
// CHECK: kernel = @kernels_multiply_4
func.func @kernels(%a: tensor<33x65xbf16>, %b: tensor<65x40xbf16>, %row: tensor<40xbf16>, %w: tensor<40x7xbf16>, %bias: tensor<7xbf16>, %one: tensor<1x1xbf16>) -> tensor<33x7xbf16> {
  %0 = "ttir.matmul"(%a, %b) : (tensor<33x65xbf16>, tensor<65x40xbf16>) -> tensor<33x40xbf16>
  %1 = "ttir.subtract"(%row, %0) : (tensor<40xbf16>, tensor<33x40xbf16>) -> tensor<33x40xbf16>
  %2 = "ttir.relu"(%1) : (tensor<33x40xbf16>) -> tensor<33x40xbf16>
  %3 = "ttir.linear"(%2, %w, %bias) : (tensor<33x40xbf16>, tensor<40x7xbf16>, tensor<7xbf16>) -> tensor<33x7xbf16>
  %4 = "ttir.multiply"(%3, %one) : (tensor<33x7xbf16>, tensor<1x1xbf16>) -> tensor<33x7xbf16>
  return %4 : tensor<33x7xbf16>
}
