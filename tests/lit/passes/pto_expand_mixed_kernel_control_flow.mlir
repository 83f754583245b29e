// Loops and branches that carry tiles and crossings. The kernels can be run: each ends in stores.
// RUN: ttmlir-opt --pto-expand-mixed-kernel %s | FileCheck %s
// RUN: ttmlir-opt --pto-expand-mixed-kernel --pto-check-pipes %s -o %t.checked.mlir

// One scf.if yields a tile of each side; each side has its own, and the loop around carries the sum on the cube side only. The
// tile that is moved is read in its branch after the push. A popped tile that a branch yields is copied and freed before.
// CHECK-LABEL: pto.func @branches_aic(
// CHECK:      %[[SUM:.*]] = scf.for {{.*}} iter_args(%[[SO_FAR:.*]] = %{{.*}}) -> (!pto.tile<tensor<32x32xf32>, acc>) {
// CHECK:        %[[P:.*]] = pto.tmatmul
// CHECK:        %[[R:.*]] = scf.if %{{.*}} -> (!pto.tile<tensor<32x32xf32>, acc>) {
// CHECK-NEXT:     pto.tpush %[[P]],
// CHECK-NEXT:     scf.yield %[[P]]
// CHECK-NEXT:   } else {
// CHECK-NEXT:     %[[Q:.*]] = pto.tmatmul_acc %[[SO_FAR]],
// CHECK-NEXT:     scf.yield %[[Q]]
// CHECK-NEXT:   }
// CHECK-NEXT:   scf.yield %[[R]]
// CHECK-LABEL: pto.func @branches_aiv(
// CHECK:      %[[ZERO:.*]] = pto.tfill
// CHECK-NEXT: scf.for
// CHECK-NOT:  iter_args
// CHECK:        %[[R:.*]] = scf.if %{{.*}} -> (!pto.tile<tensor<32x32xf32>, vec>) {
// CHECK-NEXT:     %[[V:.*]] = pto.tpop
// CHECK-NEXT:     %[[COPY:.*]] = pto.tmove %[[V]]
// CHECK-NEXT:     pto.tfree %[[V]]
// CHECK-NEXT:     scf.yield %[[COPY]]
// CHECK-NEXT:   } else {
// CHECK-NEXT:     scf.yield %[[ZERO]]
// CHECK-NEXT:   }
// CHECK-NEXT:   pto.tstore %[[R]]
pto.func @branches(%a: memref<96x32xbf16>, %c: memref<96x32xf32>, %d: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %3 = arith.constant 3 : index
  %zero = pto.tfill 0.0 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>
  %none = pto.tfill 0.0 {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, acc>
  %sum = scf.for %i = %0 to %3 step %1 iter_args(%so_far = %none) -> (!pto.tile<tensor<32x32xf32>, acc>) {
    %t = pto.tload %a[%i, %0] : memref<96x32xbf16> -> <tensor<32x32xbf16>, mat>
    %p = pto.tmatmul %t, %t : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
    %first = arith.cmpi slt, %i, %1 : index
    %both:2 = scf.if %first -> (!pto.tile<tensor<32x32xf32>, acc>, !pto.tile<tensor<32x32xf32>, vec>) {
      %v = pto.tmove %p : <tensor<32x32xf32>, acc> -> <tensor<32x32xf32>, vec>
      scf.yield %p, %v : !pto.tile<tensor<32x32xf32>, acc>, !pto.tile<tensor<32x32xf32>, vec>
    } else {
      %q = pto.tmatmul_acc %so_far, %t, %t : <tensor<32x32xf32>, acc>, <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
      scf.yield %q, %zero : !pto.tile<tensor<32x32xf32>, acc>, !pto.tile<tensor<32x32xf32>, vec>
    }
    pto.tstore %both#1, %c[%i, %0] : <tensor<32x32xf32>, vec> -> memref<96x32xf32>
    scf.yield %both#0 : !pto.tile<tensor<32x32xf32>, acc>
  }
  pto.tstore %sum, %d[%0, %0] : <tensor<32x32xf32>, acc> -> memref<32x32xf32>
  pto.return
}

// Crossings both ways in a loop in a loop in a loop whose end is a counter, first with no iteration; one of them in a branch.
// The initial value of a loop-carried tile comes from the same side of the enclosing body.
// CHECK-LABEL: pto.func @deep_aic(
// CHECK:      scf.for
// CHECK-NEXT:   %[[NONE:.*]] = pto.tfill
// CHECK-NEXT:   scf.for %[[J:.*]] =
// CHECK-NEXT:     %[[S:.*]] = scf.for {{.*}} to %[[J]] step {{.*}} iter_args(%[[SUM:.*]] = %[[NONE]])
// CHECK-NEXT:       %[[M:.*]] = pto.tpop
// CHECK-NEXT:       %[[NEXT:.*]] = pto.tmatmul_acc %[[SUM]], %[[M]], %[[M]]
// CHECK-NEXT:       pto.tfree %[[M]]
// CHECK-NEXT:       arith.cmpi
// CHECK-NEXT:       scf.if
// CHECK-NEXT:         pto.tpush %[[NEXT]]
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %[[NEXT]]
// CHECK-NEXT:     }
// CHECK-NEXT:     pto.tstore %[[S]]
// CHECK-LABEL: pto.func @deep_aiv(
// CHECK:      scf.for
// CHECK-NEXT:   %[[X:.*]] = pto.tload
// CHECK-NEXT:   %{{.*}} = scf.for %[[J:.*]] = {{.*}} iter_args(%[[CARRIED:.*]] = %[[X]])
// CHECK-NEXT:     scf.for {{.*}} to %[[J]] step %{{[a-z0-9]*}} {
// CHECK-NEXT:       %[[N:.*]] = pto.tneg %[[CARRIED]]
// CHECK-NEXT:       pto.tpush %[[N]]
// CHECK-NEXT:       arith.cmpi
// CHECK-NEXT:       scf.if
// CHECK-NEXT:         %[[V:.*]] = pto.tpop
// CHECK-NEXT:         pto.tstore %[[V]]
// CHECK-NEXT:         pto.tfree %[[V]]
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     %[[Y:.*]] = pto.tload
// CHECK-NEXT:     scf.yield %[[Y]]
pto.func @deep(%a: memref<64x64xbf16>, %c: memref<64x64xf32>, %d: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  scf.for %i = %0 to %2 step %1 {
    %x = pto.tload %a[%i, %0] : memref<64x64xbf16> -> <tensor<32x32xbf16>, vec>
    %none = pto.tfill 0.0 {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, acc>
    %r = scf.for %j = %0 to %2 step %1 iter_args(%carried = %x) -> (!pto.tile<tensor<32x32xbf16>, vec>) {
      %s = scf.for %k = %0 to %j step %1 iter_args(%sum = %none) -> (!pto.tile<tensor<32x32xf32>, acc>) {
        %n = pto.tneg %carried {unit = #pto.unit<sfpu>} : <tensor<32x32xbf16>, vec> -> <tensor<32x32xbf16>, vec>
        %m = pto.tmove %n : <tensor<32x32xbf16>, vec> -> <tensor<32x32xbf16>, mat>
        %next = pto.tmatmul_acc %sum, %m, %m : <tensor<32x32xf32>, acc>, <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
        %odd = arith.cmpi eq, %k, %0 : index
        scf.if %odd {
          %v = pto.tmove %next : <tensor<32x32xf32>, acc> -> <tensor<32x32xf32>, vec>
          pto.tstore %v, %c[%i, %j] : <tensor<32x32xf32>, vec> -> memref<64x64xf32>
        }
        scf.yield %next : !pto.tile<tensor<32x32xf32>, acc>
      }
      pto.tstore %s, %d[%0, %0] : <tensor<32x32xf32>, acc> -> memref<32x32xf32>
      %y = pto.tload %a[%i, %j] : memref<64x64xbf16> -> <tensor<32x32xbf16>, vec>
      scf.yield %y : !pto.tile<tensor<32x32xbf16>, vec>
    }
  }
  pto.return
}

// If one of two popped tiles is selected, both are freed after the last use of the selected one.
// CHECK-LABEL: pto.func @chosen_aiv(
// CHECK:      %[[V:.*]] = pto.tpop
// CHECK-NEXT: %[[W:.*]] = pto.tpop
// CHECK-NEXT: %[[ONE:.*]] = arith.select %{{.*}}, %[[V]], %[[W]]
// CHECK-NEXT: pto.tneg %[[ONE]]
// CHECK-NEXT: pto.tfree %[[V]]
// CHECK-NEXT: pto.tfree %[[W]]
pto.func @chosen(%a: memref<64x32xbf16>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %yes = arith.cmpi slt, %0, %1 : index
  %t = pto.tload %a[%0, %0] : memref<64x32xbf16> -> <tensor<32x32xbf16>, mat>
  %p = pto.tmatmul %t, %t : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  %u = pto.tload %a[%1, %0] : memref<64x32xbf16> -> <tensor<32x32xbf16>, mat>
  %q = pto.tmatmul %u, %t : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  %v = pto.tmove %p : <tensor<32x32xf32>, acc> -> <tensor<32x32xf32>, vec>
  %w = pto.tmove %q : <tensor<32x32xf32>, acc> -> <tensor<32x32xf32>, vec>
  %one = arith.select %yes, %v, %w : !pto.tile<tensor<32x32xf32>, vec>
  %n = pto.tneg %one {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %n, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}
