// The result of each rule on a mixed kernel. The kernels can be executed: each ends in stores.
// RUN: ttmlir-opt --pto-expand-mixed-kernel %s | FileCheck %s
// RUN: ttmlir-opt --pto-expand-mixed-kernel --pto-check-pipes %s -o %t.checked.mlir
// Running it again changes nothing.
// RUN: ttmlir-opt --pto-expand-mixed-kernel %s -o %t.once.mlir
// RUN: ttmlir-opt --pto-expand-mixed-kernel --pto-expand-mixed-kernel %s -o %t.twice.mlir
// RUN: diff %t.once.mlir %t.twice.mlir
// Push, pop and free come from where the move stood.
// RUN: ttmlir-opt --pto-expand-mixed-kernel --mlir-print-debuginfo --mlir-print-local-scope %s | FileCheck %s --check-prefix=PLACE
// PLACE: pto.tpush {{.*}} loc([[MOVE:.*]])
// PLACE: pto.tpop {{.*}} loc([[MOVE]])
// PLACE: pto.tfree {{.*}} loc([[MOVE]])

// A sum that crosses once. The loop around stands on both sides, the sum over k only where it is computed.
// CHECK-LABEL: pto.func @exp_aic(
// CHECK-SAME: %[[A:.*]]: memref<64x64xbf16>, %[[B:.*]]: memref<64x32xbf16>, %[[C:.*]]: memref<64x32xf32>)
// CHECK-SAME: attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>}
// CHECK-NEXT: %[[PEER:.*]] = pto.import_peer_buffer "exp_c2v" of @exp_aiv : <32768, vec>
// CHECK-NEXT: %[[SUMS:.*]] = pto.aic_initialize_pipe %[[PEER]] : !pto.buffer<32768, vec> -> !pto.pipe<c2v, 8 x 4096>
// CHECK:      scf.for
// CHECK:        %[[SUM:.*]] = scf.for
// CHECK:        pto.tpush %[[SUM]], %[[SUMS]] : <tensor<32x32xf32>, acc>, <c2v, 8 x 4096>
// CHECK-NOT:  pto.texp
// CHECK:      pto.return
// CHECK-LABEL: pto.func @exp_aiv(
// CHECK-SAME: kind = #pto.kind<vector>
// CHECK-NEXT: %[[OWN:.*]] = pto.reserve_buffer "exp_c2v" auto : <32768, vec>
// CHECK-NEXT: %[[SUMS:.*]] = pto.aiv_initialize_pipe %[[OWN]] : !pto.buffer<32768, vec> -> !pto.pipe<c2v, 8 x 4096>
// CHECK-NOT:  pto.tload
// CHECK:      scf.for %[[I:.*]] =
// CHECK-NEXT:   %[[SUM:.*]] = pto.tpop %[[SUMS]] : <c2v, 8 x 4096> -> <tensor<32x32xf32>, vec>
// CHECK-NEXT:   %[[EXP:.*]] = pto.texp %[[SUM]] {unit = #pto.unit<sfpu>}
// CHECK-NEXT:   pto.tfree %[[SUM]], %[[SUMS]]
// CHECK-NEXT:   pto.tstore %[[EXP]], %{{.*}}[%[[I]], %{{.*}}]
// CHECK-NEXT: }
// CHECK-LABEL: pto.func @exp(
// CHECK-SAME: attributes {kind = #pto.kind<orchestration>, placement = #pto.placement<same_core>}
// CHECK-NEXT: pto.launch cube @exp_aic vector [@exp_aiv](%{{.*}}, %{{.*}}, %{{.*}})
// CHECK-NEXT: pto.return
pto.func @exp(%a: memref<64x64xbf16>, %b: memref<64x32xbf16>, %c: memref<64x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>, placement = #pto.placement<same_core>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  scf.for %i = %0 to %2 step %1 {
    %a0 = pto.tload %a[%i, %0] : memref<64x64xbf16> -> <tensor<32x32xbf16>, mat>
    %b0 = pto.tload %b[%0, %0] : memref<64x32xbf16> -> <tensor<32x32xbf16>, mat>
    %first = pto.tmatmul %a0, %b0 : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
    %sum = scf.for %k = %1 to %2 step %1 iter_args(%so_far = %first) -> (!pto.tile<tensor<32x32xf32>, acc>) {
      %ak = pto.tload %a[%i, %k] : memref<64x64xbf16> -> <tensor<32x32xbf16>, mat>
      %bk = pto.tload %b[%k, %0] : memref<64x32xbf16> -> <tensor<32x32xbf16>, mat>
      %next = pto.tmatmul_acc %so_far, %ak, %bk : <tensor<32x32xf32>, acc>, <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
      scf.yield %next : !pto.tile<tensor<32x32xf32>, acc>
    }
    %v = pto.tmove %sum : <tensor<32x32xf32>, acc> -> <tensor<32x32xf32>, vec>
    %e = pto.texp %v {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
    pto.tstore %e, %c[%i, %0] : <tensor<32x32xf32>, vec> -> memref<64x32xf32>
  }
  pto.return
}

// Both ways, with slots of different sizes; a factor is popped to mat and moved on.
// CHECK-LABEL: pto.func @both_aic(
// CHECK-DAG:  %[[OUT:.*]] = pto.import_peer_buffer "both_c2v" of @both_aiv : <16384, vec>
// CHECK-DAG:  %[[IN:.*]] = pto.reserve_buffer "both_v2c" auto : <8192, mat>
// CHECK:      %[[P:.*]]:2 = pto.aic_initialize_pipe %[[OUT]], %[[IN]] : !pto.buffer<16384, vec>, !pto.buffer<8192, mat> -> !pto.pipe<c2v, 4 x 4096>, !pto.pipe<v2c, 4 x 2048>
// CHECK:      %[[L:.*]] = pto.tpop %[[P]]#1 : <v2c, 4 x 2048> -> <tensor<32x32xbf16>, mat>
// CHECK-NEXT: %[[LEFT:.*]] = pto.tmove %[[L]] : <tensor<32x32xbf16>, mat> -> <tensor<32x32xbf16>, left, layout = nz>
// CHECK-NEXT: pto.tfree %[[L]], %[[P]]#1
// CHECK:      %[[SUM:.*]] = pto.tmatmul %[[LEFT]],
// CHECK-NEXT: pto.tpush %[[SUM]], %[[P]]#0
// CHECK-LABEL: pto.func @both_aiv(
// CHECK-DAG:  pto.reserve_buffer "both_c2v" auto : <16384, vec>
// CHECK-DAG:  pto.import_peer_buffer "both_v2c" of @both_aic : <8192, mat>
// CHECK:      pto.trelu
// CHECK:      pto.tpush
// CHECK-NEXT: pto.tpop
// A load on the vector side stays there; its place is a scalar that both sides could compute.
// CHECK-LABEL: pto.func @both(
pto.func @both(%a: memref<32x32xbf16>, %b: memref<32x32xbf16>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %a0 = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, vec>
  %positive = pto.trelu %a0 {unit = #pto.unit<sfpu>} : <tensor<32x32xbf16>, vec> -> <tensor<32x32xbf16>, vec>
  %left = pto.tmove %positive : <tensor<32x32xbf16>, vec> -> <tensor<32x32xbf16>, left, layout = nz>
  %b0 = pto.tload %b[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  %sum = pto.tmatmul %left, %b0 : <tensor<32x32xbf16>, left, layout = nz>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  %v = pto.tmove %sum : <tensor<32x32xf32>, acc> -> <tensor<32x32xf32>, vec>
  %n = pto.tneg %v {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %n, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// Kernels of one side get its kind, whatever else is declared and not used.
// CHECK-LABEL: pto.func @cube_only(
// CHECK-SAME: kind = #pto.kind<cube>}
// CHECK-NOT:  vec
// CHECK:      pto.return
pto.func @cube_only(%a: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>, placement = #pto.placement<cluster>} {
  %0 = arith.constant 0 : index
  %unused = pto.tfill 0.0 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  pto.tstore %t, %a[%0, %0] : <tensor<32x32xbf16>, mat> -> memref<32x32xbf16>
  pto.return
}

// CHECK-LABEL: pto.func @vector_only(
// CHECK-SAME: kind = #pto.kind<vector>}
pto.func @vector_only(%a: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, vec>
  pto.tstore %t, %a[%0, %0] : <tensor<32x32xbf16>, vec> -> memref<32x32xbf16>
  pto.return
}

// CHECK-LABEL: pto.func @nothing(
// CHECK-SAME: kind = #pto.kind<vector>}
// CHECK-NEXT: pto.return
pto.func @nothing(%a: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  pto.return
}

// Each side has the values that it carries: the cube side the sum, the vector side the largest elements, both the row,
// since both place tiles by it. A branch is copied with its condition, and without an else that would be empty.
// CHECK-LABEL: pto.func @carried_aic(
// CHECK:      %{{.*}}:2 = scf.for %{{.*}} iter_args(%{{.*}} = %{{.*}}, %[[ROW:.*]] = %{{.*}}) -> (!pto.tile<tensor<32x32xf32>, acc>, index)
// CHECK:        pto.tload %{{.*}}[%[[ROW]],
// CHECK:        scf.if
// CHECK-NEXT:     pto.tpush
// CHECK-NEXT:   }
// CHECK-NOT:  else
// CHECK-LABEL: pto.func @carried_aiv(
// CHECK:      %[[R:.*]]:2 = scf.for %{{.*}} iter_args(%[[MOST:.*]] = %{{.*}}, %[[ROW:.*]] = %{{.*}}) -> (!pto.tile<tensor<32x32xf32>, vec>, index)
// CHECK-NEXT:   arith.cmpi
// CHECK-NEXT:   %[[M:.*]] = scf.if %{{.*}} -> (!pto.tile<tensor<32x32xf32>, vec>) {
// CHECK-NEXT:     %[[V:.*]] = pto.tpop
// CHECK-NEXT:     %[[N:.*]] = pto.tmax %[[MOST]], %[[V]]
// CHECK-NEXT:     pto.tfree %[[V]]
// CHECK-NEXT:     scf.yield %[[N]]
// CHECK-NEXT:   } else {
// CHECK-NEXT:     scf.yield %[[MOST]]
// CHECK-NEXT:   }
// CHECK-NEXT:   %[[NEXT:.*]] = arith.addi
// CHECK-NEXT:   scf.yield %[[M]], %[[NEXT]]
// CHECK:      pto.tstore %[[R]]#0, %{{.*}}[%[[R]]#1,
pto.func @carried(%a: memref<128x32xbf16>, %c: memref<160x32xf32>, %d: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %4 = arith.constant 4 : index
  %none = pto.tfill 0.0 {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, acc>
  %low = pto.tfill 0.0 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>
  %r:3 = scf.for %i = %0 to %4 step %1 iter_args(%sum = %none, %most = %low, %row = %0)
      -> (!pto.tile<tensor<32x32xf32>, acc>, !pto.tile<tensor<32x32xf32>, vec>, index) {
    %t = pto.tload %a[%row, %0] : memref<128x32xbf16> -> <tensor<32x32xbf16>, mat>
    %next = pto.tmatmul_acc %sum, %t, %t : <tensor<32x32xf32>, acc>, <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
    %late = arith.cmpi ugt, %i, %1 : index
    %m = scf.if %late -> (!pto.tile<tensor<32x32xf32>, vec>) {
      %v = pto.tmove %next : <tensor<32x32xf32>, acc> -> <tensor<32x32xf32>, vec>
      %n = pto.tmax %most, %v {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
      scf.yield %n : !pto.tile<tensor<32x32xf32>, vec>
    } else {
      scf.yield %most : !pto.tile<tensor<32x32xf32>, vec>
    }
    %below = arith.addi %row, %1 : index
    scf.yield %next, %m, %below : !pto.tile<tensor<32x32xf32>, acc>, !pto.tile<tensor<32x32xf32>, vec>, index
  }
  pto.tstore %r#1, %c[%r#2, %0] : <tensor<32x32xf32>, vec> -> memref<160x32xf32>
  pto.tstore %r#0, %d[%0, %0] : <tensor<32x32xf32>, acc> -> memref<32x32xf32>
  pto.return
}

// What is popped and not read is popped and freed all the same. Slots are freed in the order of their pops: the first one
// is held longest.
// CHECK-LABEL: pto.func @order_aiv(
// CHECK:      %[[A:.*]] = pto.tpop
// CHECK-NEXT: %[[B:.*]] = pto.tpop
// CHECK-NEXT: %[[DEAD:.*]] = pto.tpop
// CHECK-NEXT: %[[N:.*]] = pto.tneg %[[B]]
// CHECK-NEXT: %[[S:.*]] = pto.tadd %[[A]], %[[N]]
// CHECK-NEXT: pto.tfree %[[A]]
// CHECK-NEXT: pto.tfree %[[B]]
// CHECK-NEXT: pto.tfree %[[DEAD]]
// CHECK-NEXT: pto.tstore
pto.func @order(%a: memref<32x32xbf16>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  %p = pto.tmatmul %t, %t : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  %x = pto.tmove %p : <tensor<32x32xf32>, acc> -> <tensor<32x32xf32>, vec>
  %y = pto.tmove %p : <tensor<32x32xf32>, acc> -> <tensor<32x32xf32>, vec>
  %dead = pto.tmove %p : <tensor<32x32xf32>, acc> -> <tensor<32x32xf32>, vec>
  %n = pto.tneg %y {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  %s = pto.tadd %x, %n {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %s, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// A popped tile that a loop carries is copied out of its slot: before the loop, which pops inside, and before the yield.
// CHECK-LABEL: pto.func @yielded_aiv(
// CHECK:      %[[FIRST:.*]] = pto.tpop
// CHECK-NEXT: %[[COPY:.*]] = pto.tmove %[[FIRST]] : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
// CHECK-NEXT: pto.tfree %[[FIRST]]
// CHECK-NEXT: %[[LAST:.*]] = scf.for {{.*}} iter_args(%[[BEFORE:.*]] = %[[COPY]])
// CHECK-NEXT:   %[[NOW:.*]] = pto.tpop
// CHECK-NEXT:   %[[S:.*]] = pto.tadd %[[BEFORE]], %[[NOW]]
// CHECK-NEXT:   pto.tstore %[[S]]
// CHECK-NEXT:   %[[COPY:.*]] = pto.tmove %[[NOW]]
// CHECK-NEXT:   pto.tfree %[[NOW]]
// CHECK-NEXT:   scf.yield %[[COPY]]
// CHECK:      pto.tstore %[[LAST]]
pto.func @yielded(%a: memref<96x32xbf16>, %c: memref<128x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %3 = arith.constant 3 : index
  %t = pto.tload %a[%0, %0] : memref<96x32xbf16> -> <tensor<32x32xbf16>, mat>
  %p = pto.tmatmul %t, %t : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  %first = pto.tmove %p : <tensor<32x32xf32>, acc> -> <tensor<32x32xf32>, vec>
  %last = scf.for %i = %0 to %3 step %1 iter_args(%before = %first) -> (!pto.tile<tensor<32x32xf32>, vec>) {
    %u = pto.tload %a[%i, %0] : memref<96x32xbf16> -> <tensor<32x32xbf16>, mat>
    %q = pto.tmatmul %u, %t : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
    %now = pto.tmove %q : <tensor<32x32xf32>, acc> -> <tensor<32x32xf32>, vec>
    %s = pto.tadd %before, %now {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
    pto.tstore %s, %c[%i, %0] : <tensor<32x32xf32>, vec> -> memref<128x32xf32>
    scf.yield %now : !pto.tile<tensor<32x32xf32>, vec>
  }
  pto.tstore %last, %c[%3, %0] : <tensor<32x32xf32>, vec> -> memref<128x32xf32>
  pto.return
}
