// Operations that wait for another core are kept in place even if unused; other unused operations are removed.
// RUN: ttmlir-opt %s --canonicalize --cse --canonicalize | FileCheck %s

// CHECK-LABEL: pto.func @consumer(
pto.func @consumer(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  // CHECK: pto.reserve_buffer "unused"
  %unused = pto.reserve_buffer "unused" auto : <4096, vec>
  // CHECK: pto.reserve_buffer "ring"
  %own = pto.reserve_buffer "ring" auto : <8192, vec>
  // CHECK: %[[PIPE:.*]] = pto.aiv_initialize_pipe
  %pipe = pto.aiv_initialize_pipe %own : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  // CHECK-NEXT: %[[DEAD:.*]] = pto.tpop %[[PIPE]]
  // CHECK-NEXT: %[[NEVER_FREED:.*]] = pto.tpop %[[PIPE]]
  // CHECK-NEXT: pto.tfree %[[DEAD]]
  // CHECK-NEXT: pto.return
  %dead = pto.tpop %pipe : <c2v, 2 x 4096> -> <tensor<32x32xf32>, vec>
  %never_freed = pto.tpop %pipe : <c2v, 2 x 4096> -> <tensor<32x32xf32>, vec>
  %computed = pto.texp %dead {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  %lane = pto.subblock_index
  pto.tfree %dead, %pipe : <tensor<32x32xf32>, vec>, <c2v, 2 x 4096>
  pto.return
}

// CHECK-LABEL: pto.func @producer(
pto.func @producer(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  // CHECK: pto.import_peer_buffer "ring"
  // CHECK-NOT: pto.import_peer_buffer
  %peer = pto.import_peer_buffer "ring" of @consumer : <8192, vec>
  %again = pto.import_peer_buffer "ring" of @consumer : <8192, vec>
  // CHECK: pto.aic_initialize_pipe
  %pipe = pto.aic_initialize_pipe %again : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  // A push may order what lies in global memory, so what is loaded after it is loaded again.
  // CHECK-NEXT: pto.tload
  // CHECK-NEXT: pto.tpush
  // CHECK-NEXT: pto.tload
  // CHECK-NEXT: pto.tpush
  // CHECK-NEXT: pto.tpush
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, mat>
  pto.tpush %t, %pipe : <tensor<32x32xf32>, mat>, <c2v, 2 x 4096>
  %u = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, mat>
  pto.tpush %u, %pipe : <tensor<32x32xf32>, mat>, <c2v, 2 x 4096>
  pto.tpush %u, %pipe : <tensor<32x32xf32>, mat>, <c2v, 2 x 4096>
  pto.return
}

// CHECK-LABEL: pto.func @both(
pto.func @both(%a: memref<32x32xf32>) attributes {kind = #pto.kind<orchestration>} {
  // CHECK-NEXT: pto.launch
  // CHECK-NEXT: pto.launch
  pto.launch cube @producer vector [@consumer](%a) : memref<32x32xf32>
  pto.launch cube @producer vector [@consumer](%a) : memref<32x32xf32>
  pto.return
}

// Loops and branches that do nothing else stay, too.
// CHECK-LABEL: pto.func @only_waits(
pto.func @only_waits(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %8 = arith.constant 8 : index
  %own = pto.reserve_buffer "ring" auto : <8192, vec>
  // CHECK: %[[PIPE:.*]] = pto.aiv_initialize_pipe
  %pipe = pto.aiv_initialize_pipe %own : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  // CHECK-NEXT: scf.for
  scf.for %i = %0 to %8 step %1 {
    // CHECK-NEXT: %[[FIRST:.*]] = arith.cmpi
    %first = arith.cmpi eq, %i, %0 : index
    // CHECK-NEXT: scf.if %[[FIRST]]
    scf.if %first {
      // CHECK-NEXT: %[[T:.*]] = pto.tpop %[[PIPE]]
      // CHECK-NEXT: pto.tfree %[[T]], %[[PIPE]]
      %t = pto.tpop %pipe : <c2v, 2 x 4096> -> <tensor<32x32xf32>, vec>
      pto.tfree %t, %pipe : <tensor<32x32xf32>, vec>, <c2v, 2 x 4096>
    }
  }
  pto.return
}

// Tensors of one type stay apart. Unused ones are removed. What was loaded before a store is loaded again after it.
// CHECK-LABEL: pto.func @local_tensors(
pto.func @local_tensors(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  // CHECK: %[[ONE:.*]] = pto.alloc_tensor
  // CHECK-NEXT: %[[TWO:.*]] = pto.alloc_tensor
  // CHECK-NOT: pto.alloc_tensor
  %one = pto.alloc_tensor : memref<32x32xf32>
  %two = pto.alloc_tensor : memref<32x32xf32>
  %unused = pto.alloc_tensor : memref<32x32xf32>
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  // CHECK: pto.tstore %{{.*}}, %[[ONE]]
  pto.tstore %t, %one[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  // CHECK-NEXT: %[[BEFORE:.*]] = pto.tload %[[ONE]]
  %before = pto.tload %one[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  // CHECK-NEXT: pto.tstore %[[BEFORE]], %[[TWO]]
  pto.tstore %before, %two[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  // CHECK-NEXT: %[[AFTER:.*]] = pto.tload %[[ONE]]
  %after = pto.tload %one[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  // CHECK-NEXT: pto.tstore %[[AFTER]]
  pto.tstore %after, %a[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}
