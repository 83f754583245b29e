// The vector side on two cores.
// RUN: ttmlir-opt --pto-expand-mixed-kernel="split=up_down" %s | FileCheck %s --check-prefixes=CHECK,UD
// RUN: ttmlir-opt --pto-expand-mixed-kernel=split=left_right --pto-check-pipes %s -o %t.left_right.mlir
// RUN: ttmlir-opt --pto-expand-mixed-kernel=split=up_down --pto-check-pipes %s -o %t.up_down.mlir
// RUN: ttmlir-opt --pto-expand-mixed-kernel="split=left_right" %s | FileCheck %s --check-prefixes=CHECK,LR

// CHECK-LABEL: pto.func @row_aic(
// CHECK:       pto.import_peer_buffer "row_c2v" of @row_aiv : <16384, vec>
// UD:          -> !pto.pipe<c2v, 8 x 2048, up_down>
// LR:          -> !pto.pipe<c2v, 8 x 2048, left_right>
// CHECK:       pto.tpush %{{.*}} : <tensor<32x32xf32>, acc>
// CHECK-LABEL: pto.func @row_aiv(
// CHECK:       %[[LANE:.*]] = pto.subblock_index
// CHECK-NEXT:  %[[TWO:.*]] = arith.constant 2
// CHECK-NEXT:  %[[ZERO:.*]] = arith.constant 0
// The bias is one row: both cores need all of it if they have rows each, its columns if they have columns each.
// CHECK-NEXT:  %[[TWICE:.*]] = arith.muli %[[ZERO]], %[[TWO]]
// UD-NEXT:     pto.tload %{{.*}}[%[[TWICE]], %[[ZERO]]] : memref<1x64xf32> -> <tensor<16x32xf32>, vec>
// LR-NEXT:     %[[OWN:.*]] = arith.addi %[[TWICE]], %[[LANE]]
// LR-NEXT:     pto.tload %{{.*}}[%[[ZERO]], %[[OWN]]] : memref<1x64xf32> -> <tensor<32x16xf32>, vec>
// CHECK-NEXT:  %[[V:.*]] = pto.tpop
// UD-SAME:     -> <tensor<16x32xf32>, vec>
// LR-SAME:     -> <tensor<32x16xf32>, vec>
// CHECK-NEXT:  pto.tadd
// CHECK-NEXT:  pto.tfree %[[V]]
// CHECK-NEXT:  %[[TWICE:.*]] = arith.muli
// CHECK-NEXT:  %[[OWN:.*]] = arith.addi %[[TWICE]], %[[LANE]]
// UD-NEXT:     pto.tstore %{{.*}}[%[[OWN]], %[[ZERO]]] : <tensor<16x32xf32>, vec>
// LR-NEXT:     pto.tstore %{{.*}}[%[[ZERO]], %[[OWN]]] : <tensor<32x16xf32>, vec>
// CHECK-LABEL: pto.func @row(
// CHECK-NEXT:  pto.launch cube @row_aic vector [@row_aiv, @row_aiv](
pto.func @row(%a: memref<32x32xbf16>, %bias: memref<1x64xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  %p = pto.tmatmul %t, %t : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  %b = pto.tload %bias[%0, %0] : memref<1x64xf32> -> <tensor<32x32xf32>, vec>
  %v = pto.tmove %p : <tensor<32x32xf32>, acc> -> <tensor<32x32xf32>, vec>
  %s = pto.tadd %v, %b {broadcast = #pto.broadcast<row>, unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %s, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// To the cube side halves are pushed and whole tiles are popped. What the kernel says goes before the option.
// CHECK-LABEL: pto.func @down_aic(
// CHECK:       pto.reserve_buffer "down_v2c" auto : <6144, mat>
// CHECK:       -> !pto.pipe<v2c, 3 x 2048, up_down>
// CHECK:       pto.tpop %{{.*}} -> <tensor<32x32xbf16>, mat>
// CHECK-LABEL: pto.func @down_aiv(
// The scalar is read by both cores, and carried as it is by the loop.
// CHECK:       %[[S:.*]] = pto.tload %{{.*}} : memref<1x1xbf16> -> <tensor<16x32xbf16>, vec>
// CHECK:       scf.for {{.*}} iter_args(%[[BEFORE:.*]] = %[[S]]) -> (!pto.tile<tensor<16x32xbf16>, vec>)
// CHECK:         pto.tmul %{{.*}}, %[[BEFORE]]
// CHECK-NEXT:    pto.tpush %{{.*}} : <tensor<16x32xbf16>, vec>, <v2c, 3 x 2048, up_down>
pto.func @down(%a: memref<64x32xbf16>, %s: memref<1x1xbf16>, %c: memref<64x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>, slot_num = 3 : i64, split = #pto.split<up_down>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %first = pto.tload %s[%0, %0] : memref<1x1xbf16> -> <tensor<32x32xbf16>, vec>
  %last = scf.for %i = %0 to %2 step %1 iter_args(%scale = %first) -> (!pto.tile<tensor<32x32xbf16>, vec>) {
    %t = pto.tload %a[%i, %0] : memref<64x32xbf16> -> <tensor<32x32xbf16>, vec>
    %p = pto.tmul %t, %scale {broadcast = #pto.broadcast<scalar>, unit = #pto.unit<sfpu>} : <tensor<32x32xbf16>, vec>, <tensor<32x32xbf16>, vec> -> <tensor<32x32xbf16>, vec>
    %m = pto.tmove %p : <tensor<32x32xbf16>, vec> -> <tensor<32x32xbf16>, mat>
    pto.tstore %m, %c[%i, %0] : <tensor<32x32xbf16>, mat> -> memref<64x32xbf16>
    scf.yield %scale : !pto.tile<tensor<32x32xbf16>, vec>
  }
  pto.return
}

// Where a matrix has three halves the second core has no half of the last tile: it gets +0 there, and stores nothing. Halves of the
// matrices before are counted as many as there are.
// CHECK-LABEL: pto.func @behind_the_end_aiv(
// CHECK:       %[[LANE:.*]] = pto.subblock_index
// CHECK:       scf.for %[[I:.*]] =
// UD-NEXT:       %[[TWICE:.*]] = arith.muli %[[I]], %{{.*}}
// UD-NEXT:       %[[TILES:.*]] = arith.constant 2
// UD-NEXT:       %[[MATRIX:.*]] = arith.divsi %[[I]], %[[TILES]]
// UD-NEXT:       %[[FIRST:.*]] = arith.subi %[[TWICE]], %[[MATRIX]]
// UD-NEXT:       %[[OWN:.*]] = arith.addi %[[FIRST]], %[[LANE]]
// UD-NEXT:       %[[TILE:.*]] = arith.remsi %[[I]], %[[TILES]]
// UD-NEXT:       %[[TWICE:.*]] = arith.muli %[[TILE]]
// UD-NEXT:       %[[HALF:.*]] = arith.addi %[[TWICE]], %[[LANE]]
// UD-NEXT:       %[[HALVES:.*]] = arith.constant 3
// UD-NEXT:       %[[INSIDE:.*]] = arith.cmpi slt, %[[HALF]], %[[HALVES]]
// UD-NEXT:       %[[T:.*]] = scf.if %[[INSIDE]] -> (!pto.tile<tensor<16x32xf32>, vec>) {
// UD-NEXT:         %[[T:.*]] = pto.tload %{{.*}}[%[[OWN]],
// UD-NEXT:         scf.yield %[[T]]
// UD-NEXT:       } else {
// UD-NEXT:         %[[ZERO:.*]] = pto.tfill 0.000000e+00
// UD-NEXT:         scf.yield %[[ZERO]]
// UD-NEXT:       }
// LR-NEXT:       %[[TWICE:.*]] = arith.muli
// LR-NEXT:       %[[OWN:.*]] = arith.addi %[[TWICE]], %[[LANE]]
// LR-NEXT:       pto.tload %{{.*}}[%[[I]], %[[OWN]]]
// CHECK:         pto.tpop
// CHECK:         pto.tadd
// UD:            arith.divsi %[[I]], %{{.*}}
// UD:            %[[INSIDE:.*]] = arith.cmpi slt
// UD-NEXT:       scf.if %[[INSIDE]] {
// UD-NEXT:         pto.tstore
// UD-NEXT:       }
// LR-NOT:        scf.if
// CHECK-LABEL: pto.func @behind_the_end(
pto.func @behind_the_end(%a: memref<2x42x32xf32>, %b: memref<2x42x32xf32>, %c: memref<2x42x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %4 = arith.constant 4 : index
  scf.for %i = %0 to %4 step %1 {
    %t = pto.tload %a[%i, %0] : memref<2x42x32xf32> -> <tensor<32x32xf32>, mat>
    %u = pto.tload %b[%i, %0] : memref<2x42x32xf32> -> <tensor<32x32xf32>, vec>
    %v = pto.tmove %t : <tensor<32x32xf32>, mat> -> <tensor<32x32xf32>, vec>
    %s = pto.tadd %v, %u {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
    pto.tstore %s, %c[%i, %0] : <tensor<32x32xf32>, vec> -> memref<2x42x32xf32>
  }
  pto.return
}
