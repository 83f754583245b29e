// A token orders a store on one side before a load on the other.
// RUN: ttmlir-opt --pto-expand-mixed-kernel %s | FileCheck %s
// RUN: ttmlir-opt --pto-expand-mixed-kernel --pto-check-pipes %s -o %t.checked.mlir

// The vector side loads what the cube side has stored.
// CHECK-LABEL: pto.func @straight_aic(
// CHECK:      pto.tstore
// CHECK-NEXT: %[[TOKEN:.*]] = pto.tfill 0.000000e+00 {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, acc>
// CHECK-NEXT: pto.tpush %[[TOKEN]]
// CHECK-LABEL: pto.func @straight_aiv(
// CHECK:      %[[TOKEN:.*]] = pto.tpop
// CHECK-NEXT: pto.tfree %[[TOKEN]]
// CHECK-NEXT: pto.tload
// CHECK-NEXT: pto.tneg
// CHECK-NEXT: pto.tstore
pto.func @straight(%a: memref<32x32xbf16>, %b: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  pto.tstore %t, %b[%0, %0] : <tensor<32x32xbf16>, mat> -> memref<32x32xbf16>
  %v = pto.tload %b[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, vec>
  %n = pto.tneg %v {unit = #pto.unit<sfpu>} : <tensor<32x32xbf16>, vec> -> <tensor<32x32xbf16>, vec>
  pto.tstore %n, %c[%0, %0] : <tensor<32x32xbf16>, vec> -> memref<32x32xbf16>
  pto.return
}

// The cube side waits for a whole loop of the vector side: one token before the loop that loads. What is stored in the
// same iteration of a loop as it is loaded, at the place of the iteration, needs no token the other way.
// CHECK-LABEL: pto.func @loops_aic(
// CHECK:      %[[TOKEN:.*]] = pto.tpop {{.*}} -> <tensor<32x32xf32>, mat>
// CHECK-NEXT: pto.tfree %[[TOKEN]]
// CHECK-NEXT: scf.for
// CHECK-NEXT:   pto.tload
// CHECK-NEXT:   pto.tstore
// CHECK-NEXT:   pto.tfill
// CHECK-NEXT:   pto.tpush
// CHECK-NEXT: }
// CHECK-LABEL: pto.func @loops_aiv(
// CHECK:      scf.for
// CHECK-NEXT:   pto.tload
// CHECK-NEXT:   pto.tstore
// CHECK-NEXT: }
// CHECK-NEXT: pto.tfill 0.000000e+00 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>
// CHECK-NEXT: pto.tpush
// CHECK-NEXT: scf.for
// CHECK-NEXT:   pto.tpop
// CHECK-NEXT:   pto.tfree
// CHECK-NEXT:   pto.tload
// CHECK-NEXT:   pto.tstore
// CHECK-NEXT: }
pto.func @loops(%a: memref<64x32xbf16>, %b: memref<64x32xbf16>, %c: memref<64x32xbf16>, %d: memref<64x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  scf.for %i = %0 to %2 step %1 {
    %v = pto.tload %a[%i, %0] : memref<64x32xbf16> -> <tensor<32x32xbf16>, vec>
    pto.tstore %v, %b[%i, %0] : <tensor<32x32xbf16>, vec> -> memref<64x32xbf16>
  }
  scf.for %i = %0 to %2 step %1 {
    %t = pto.tload %b[%i, %0] : memref<64x32xbf16> -> <tensor<32x32xbf16>, mat>
    pto.tstore %t, %c[%i, %0] : <tensor<32x32xbf16>, mat> -> memref<64x32xbf16>
    %v = pto.tload %c[%i, %0] : memref<64x32xbf16> -> <tensor<32x32xbf16>, vec>
    pto.tstore %v, %d[%i, %0] : <tensor<32x32xbf16>, vec> -> memref<64x32xbf16>
  }
  pto.return
}

// A place that every iteration uses again: the vector side says when it has loaded. A crossing that is there already orders
// as a token does: nothing is added from the cube side to the vector side.
// CHECK-LABEL: pto.func @again_aic(
// CHECK:      scf.for
// CHECK-NEXT:   pto.tload
// CHECK-NEXT:   pto.tstore
// CHECK-NEXT:   pto.tpush
// CHECK-NEXT:   pto.tpop
// CHECK-NEXT:   pto.tfree
// CHECK-NEXT: }
// CHECK-LABEL: pto.func @again_aiv(
// CHECK:      scf.for
// CHECK-NEXT:   %[[V:.*]] = pto.tpop
// CHECK-NEXT:   pto.tload
// CHECK-NEXT:   pto.tadd
// CHECK-NEXT:   pto.tfree %[[V]]
// CHECK-NEXT:   pto.tstore
// CHECK-NEXT:   pto.tfill
// CHECK-NEXT:   pto.tpush
// CHECK-NEXT: }
pto.func @again(%a: memref<64x32xf32>, %b: memref<32x32xf32>, %c: memref<64x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  scf.for %i = %0 to %2 step %1 {
    %t = pto.tload %a[%i, %0] : memref<64x32xf32> -> <tensor<32x32xf32>, mat>
    pto.tstore %t, %b[%0, %0] : <tensor<32x32xf32>, mat> -> memref<32x32xf32>
    %v = pto.tmove %t : <tensor<32x32xf32>, mat> -> <tensor<32x32xf32>, vec>
    %w = pto.tload %b[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
    %s = pto.tadd %v, %w {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
    pto.tstore %s, %c[%i, %0] : <tensor<32x32xf32>, vec> -> memref<64x32xf32>
  }
  pto.return
}

// Loads on both sides need no order, nor do different tensors, nor the two branches of an scf.if.
// CHECK-LABEL: pto.func @apart_aic(
// CHECK-NOT:  pto.tp
// CHECK-LABEL: pto.func @apart_aiv(
// CHECK-NOT:  pto.tp
// CHECK-LABEL: pto.func @apart(
pto.func @apart(%a: memref<32x32xbf16>, %b: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %yes = arith.constant true
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  %v = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, vec>
  pto.tstore %t, %b[%0, %0] : <tensor<32x32xbf16>, mat> -> memref<32x32xbf16>
  scf.if %yes {
    pto.tstore %v, %c[%0, %0] : <tensor<32x32xbf16>, vec> -> memref<32x32xbf16>
  } else {
    pto.tstore %t, %c[%0, %0] : <tensor<32x32xbf16>, mat> -> memref<32x32xbf16>
  }
  pto.return
}

// What one iteration stores in one branch another one loads in the other: a token each way, whichever branch is taken.
// CHECK-LABEL: pto.func @branches_aic(
// CHECK:      scf.if
// CHECK:        pto.tstore
// CHECK-NEXT: }
// CHECK-NEXT: pto.tfill
// CHECK-NEXT: pto.tpush
// CHECK-NEXT: pto.tpop
// CHECK-NEXT: pto.tfree
// CHECK-NEXT: }
// CHECK-LABEL: pto.func @branches_aiv(
// CHECK:      scf.if
// CHECK:        pto.tload
// CHECK-NEXT:   pto.tstore
// CHECK-NEXT: }
// CHECK-NEXT: pto.tpop
// CHECK-NEXT: pto.tfree
// CHECK-NEXT: pto.tfill
// CHECK-NEXT: pto.tpush
// CHECK-NEXT: }
pto.func @branches(%a: memref<64x32xf32>, %b: memref<32x32xf32>, %c: memref<64x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  scf.for %i = %0 to %2 step %1 {
    %first = arith.cmpi slt, %i, %1 : index
    scf.if %first {
      %t = pto.tload %a[%i, %0] : memref<64x32xf32> -> <tensor<32x32xf32>, mat>
      pto.tstore %t, %b[%0, %0] : <tensor<32x32xf32>, mat> -> memref<32x32xf32>
    } else {
      %w = pto.tload %b[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
      pto.tstore %w, %c[%i, %0] : <tensor<32x32xf32>, vec> -> memref<64x32xf32>
    }
  }
  pto.return
}

// The cube side loads in a loop in a branch what the vector side has stored: one token, before the branch. The other way
// one at the end of the loop around both, and none in the loop inside.
// CHECK-LABEL: pto.func @inside_aic(
// CHECK:      scf.for
// CHECK-NEXT:   pto.tpop
// CHECK-NEXT:   pto.tfree
// CHECK-NEXT:   scf.if
// CHECK-NEXT:     scf.for
// CHECK-NEXT:       pto.tload
// CHECK-NEXT:       pto.tstore
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   pto.tfill
// CHECK-NEXT:   pto.tpush
// CHECK-NEXT: }
pto.func @inside(%a: memref<32x32xf32>, %b: memref<32x32xf32>, %c: memref<64x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %yes = arith.constant true
  scf.for %i = %0 to %2 step %1 {
    %v = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
    pto.tstore %v, %b[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
    scf.if %yes {
      scf.for %j = %0 to %2 step %1 {
        %t = pto.tload %b[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, mat>
        pto.tstore %t, %c[%j, %0] : <tensor<32x32xf32>, mat> -> memref<64x32xf32>
      }
    }
  }
  pto.return
}
