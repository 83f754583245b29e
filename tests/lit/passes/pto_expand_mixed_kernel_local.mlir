// Tensors in the memory of a core go to the side that accesses them, and need no fences.
// RUN: ttmlir-opt --pto-expand-mixed-kernel %s | FileCheck %s
// RUN: ttmlir-opt --pto-expand-mixed-kernel %s -o %t.once.mlir
// RUN: ttmlir-opt --pto-expand-mixed-kernel %t.once.mlir | diff %t.once.mlir -
// RUN: ttmlir-opt --pto-expand-mixed-kernel --pto-check-pipes %s -o %t.checked.mlir

// One on each side. The cube side has none of the vector side's tensor, and the other way round. Nothing but the product crosses.
// CHECK-LABEL: pto.func @both_aic(
// CHECK:       %[[A:.*]] = pto.alloc_tensor : memref<32x64xbf16>
// CHECK-NOT:   pto.alloc_tensor
// CHECK-NOT:   pto.tfill
// CHECK:       pto.tstore %{{.*}}, %[[A]]
// CHECK-NEXT:  pto.tload %[[A]]
// CHECK-NOT:   pto.tpop
// CHECK-LABEL: pto.func @both_aiv(
// CHECK:       %[[S:.*]] = pto.alloc_tensor : memref<32x128xf32>
// CHECK-NOT:   pto.alloc_tensor
// CHECK-NOT:   pto.tpush
// CHECK:       scf.for %[[J:.*]] = %{{.*}} to %{{.*}} step
// CHECK:         pto.tpop
// CHECK:         pto.tstore %{{.*}}, %[[S]][%{{.*}}, %[[J]]]
// CHECK:       scf.for %[[K:.*]] = %{{.*}} to %{{.*}} step
// CHECK-NEXT:    pto.tload %[[S]][%{{.*}}, %[[K]]]
// CHECK-LABEL: pto.func @both(
// CHECK-NEXT:  pto.launch
pto.func @both(%a: memref<32x64xbf16>, %c: memref<32x128xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %4 = arith.constant 4 : index
  %kept = pto.alloc_tensor : memref<32x64xbf16>
  %scores = pto.alloc_tensor : memref<32x128xf32>
  %t = pto.tload %a[%0, %0] : memref<32x64xbf16> -> <tensor<32x32xbf16>, mat>
  pto.tstore %t, %kept[%0, %1] : <tensor<32x32xbf16>, mat> -> memref<32x64xbf16>
  %u = pto.tload %kept[%0, %1] : memref<32x64xbf16> -> <tensor<32x32xbf16>, mat>
  scf.for %j = %0 to %4 step %1 {
    %p = pto.tmatmul %t, %u : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
    %v = pto.tmove %p : <tensor<32x32xf32>, acc> -> <tensor<32x32xf32>, vec>
    pto.tstore %v, %scores[%0, %j] : <tensor<32x32xf32>, vec> -> memref<32x128xf32>
  }
  scf.for %k = %0 to %4 step %1 {
    %s = pto.tload %scores[%0, %k] : memref<32x128xf32> -> <tensor<32x32xf32>, vec>
    %e = pto.texp %s {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
    pto.tstore %e, %c[%0, %k] : <tensor<32x32xf32>, vec> -> memref<32x128xf32>
  }
  pto.return
}

// Work on one side only.
// CHECK-LABEL: pto.func @alone(
// CHECK-SAME:  kind = #pto.kind<vector>
// CHECK:       %[[S:.*]] = pto.alloc_tensor : memref<32x32xf32>
// CHECK:       pto.tstore %{{.*}}, %[[S]]
// CHECK-NEXT:  pto.tload %[[S]]
pto.func @alone(%a: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %kept = pto.alloc_tensor : memref<32x32xf32>
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  pto.tstore %t, %kept[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  %u = pto.tload %kept[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  pto.tstore %u, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// Each of two vector kernels has the halves that it stores, at their positions. The result of a row sum is split, too.
// CHECK-LABEL: pto.func @halves_aiv(
// CHECK:       %[[LANE:.*]] = pto.subblock_index
// CHECK:       %[[S:.*]] = pto.alloc_tensor : memref<2x32x64xf32>
// CHECK:       %[[SUMS:.*]] = pto.alloc_tensor : memref<2x32x1xf32>
// CHECK:       pto.tstore %{{.*}}, %[[S]][%{{.*}}, %{{.*}}] : <tensor<16x32xf32>, vec> -> memref<2x32x64xf32>
// CHECK:       pto.trowsum
// CHECK:       pto.tstore %{{.*}}, %[[SUMS]][%{{.*}}, %{{.*}}] : <tensor<16x1xf32>, vec> -> memref<2x32x1xf32>
// CHECK:       %[[TWICE:.*]] = arith.muli
// CHECK-NEXT:  %[[OWN:.*]] = arith.addi %[[TWICE]], %[[LANE]]
// CHECK-NEXT:  pto.tload %[[S]][%[[OWN]], %{{.*}}] : memref<2x32x64xf32> -> <tensor<16x32xf32>, vec>
// CHECK:       pto.tload %[[SUMS]][%{{.*}}, %{{.*}}] : memref<2x32x1xf32> -> <tensor<16x1xf32>, vec>
pto.func @halves(%a: memref<32x32xbf16>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>, split = #pto.split<up_down>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %kept = pto.alloc_tensor : memref<2x32x64xf32>
  %sums = pto.alloc_tensor : memref<2x32x1xf32>
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  %p = pto.tmatmul %t, %t : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  %v = pto.tmove %p : <tensor<32x32xf32>, acc> -> <tensor<32x32xf32>, vec>
  pto.tstore %v, %kept[%1, %1] : <tensor<32x32xf32>, vec> -> memref<2x32x64xf32>
  %sum = pto.trowsum %v {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x1xf32>, vec>
  pto.tstore %sum, %sums[%1, %0] : <tensor<32x1xf32>, vec> -> memref<2x32x1xf32>
  %again = pto.tload %kept[%1, %1] : memref<2x32x64xf32> -> <tensor<32x32xf32>, vec>
  %divisor = pto.tload %sums[%1, %0] : memref<2x32x1xf32> -> <tensor<32x1xf32>, vec>
  %q = pto.tdiv %again, %divisor {broadcast = #pto.broadcast<column>, unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x1xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %q, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// A matrix with half a tile: the second core neither stores nor loads the missing half.
// CHECK-LABEL: pto.func @one_half_aiv(
// CHECK:       %[[S:.*]] = pto.alloc_tensor : memref<16x32xf32>
// CHECK:       scf.if
// CHECK-NEXT:    pto.tstore %{{.*}}, %[[S]]
// CHECK:       scf.if
// CHECK-NEXT:    pto.tload %[[S]]
// CHECK:       } else {
// CHECK-NEXT:    pto.tfill 0.0
pto.func @one_half(%a: memref<32x32xbf16>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>, split = #pto.split<up_down>} {
  %0 = arith.constant 0 : index
  %kept = pto.alloc_tensor : memref<16x32xf32>
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  %p = pto.tmatmul %t, %t : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  %v = pto.tmove %p : <tensor<32x32xf32>, acc> -> <tensor<32x32xf32>, vec>
  pto.tstore %v, %kept[%0, %0] : <tensor<32x32xf32>, vec> -> memref<16x32xf32>
  %again = pto.tload %kept[%0, %0] : memref<16x32xf32> -> <tensor<32x32xf32>, vec>
  pto.tstore %again, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}
