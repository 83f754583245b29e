// A product with relu, split by hand: a cube kernel pushes sums, a vector kernel pops them, and each of the two has a core of its own.
// RUN: ttmlir-opt %s --canonicalize --cse | FileCheck %s

// CHECK-LABEL: pto.func @product(
pto.func @product(%a: memref<64x128xbf16>, %b: memref<128x64xbf16>, %c: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %4 = arith.constant 4 : index
  // CHECK: %[[PEER:.*]] = pto.import_peer_buffer "sums" of @relu : <32768, vec>
  %peer = pto.import_peer_buffer "sums" of @relu : <32768, vec>
  // CHECK: %[[SUMS:.*]] = pto.aic_initialize_pipe %[[PEER]] : !pto.buffer<32768, vec> -> !pto.pipe<c2v, 8 x 4096>
  %sums = pto.aic_initialize_pipe %peer : !pto.buffer<32768, vec> -> !pto.pipe<c2v, 8 x 4096>
  scf.for %i = %0 to %2 step %1 {
    scf.for %j = %0 to %2 step %1 {
      %a0 = pto.tload %a[%i, %0] : memref<64x128xbf16> -> <tensor<32x32xbf16>, mat>
      %b0 = pto.tload %b[%0, %j] : memref<128x64xbf16> -> <tensor<32x32xbf16>, mat>
      %first = pto.tmatmul %a0, %b0 : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
      %sum = scf.for %k = %1 to %4 step %1 iter_args(%so_far = %first) -> (!pto.tile<tensor<32x32xf32>, acc>) {
        %ak = pto.tload %a[%i, %k] : memref<64x128xbf16> -> <tensor<32x32xbf16>, mat>
        %bk = pto.tload %b[%k, %j] : memref<128x64xbf16> -> <tensor<32x32xbf16>, mat>
        %next = pto.tmatmul_acc %so_far, %ak, %bk : <tensor<32x32xf32>, acc>, <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
        scf.yield %next : !pto.tile<tensor<32x32xf32>, acc>
      }
      // CHECK: pto.tpush %{{.*}}, %[[SUMS]] : <tensor<32x32xf32>, acc>, <c2v, 8 x 4096>
      pto.tpush %sum, %sums : <tensor<32x32xf32>, acc>, <c2v, 8 x 4096>
    }
  }
  pto.return
}

// CHECK-LABEL: pto.func @relu(
pto.func @relu(%a: memref<64x128xbf16>, %b: memref<128x64xbf16>, %c: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  // CHECK: %[[OWN:.*]] = pto.reserve_buffer "sums" auto : <32768, vec>
  %own = pto.reserve_buffer "sums" auto : <32768, vec>
  // CHECK: %[[SUMS:.*]] = pto.aiv_initialize_pipe %[[OWN]]
  %sums = pto.aiv_initialize_pipe %own : !pto.buffer<32768, vec> -> !pto.pipe<c2v, 8 x 4096>
  scf.for %i = %0 to %2 step %1 {
    scf.for %j = %0 to %2 step %1 {
      // CHECK: %[[SUM:.*]] = pto.tpop %[[SUMS]]
      %sum = pto.tpop %sums : <c2v, 8 x 4096> -> <tensor<32x32xf32>, vec>
      // CHECK: pto.trelu %[[SUM]]
      %positive = pto.trelu %sum {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
      // CHECK: pto.tfree %[[SUM]], %[[SUMS]]
      pto.tfree %sum, %sums : <tensor<32x32xf32>, vec>, <c2v, 8 x 4096>
      pto.tstore %positive, %c[%i, %j] : <tensor<32x32xf32>, vec> -> memref<64x64xf32>
    }
  }
  pto.return
}

// CHECK-LABEL: pto.func @product_relu(
pto.func @product_relu(%a: memref<64x128xbf16>, %b: memref<128x64xbf16>, %c: memref<64x64xf32>)
    attributes {kind = #pto.kind<orchestration>, placement = #pto.placement<cluster>} {
  // CHECK: pto.launch cube @product vector [@relu](
  pto.launch cube @product vector [@relu](%a, %b, %c) : memref<64x128xbf16>, memref<128x64xbf16>, memref<64x64xf32>
  pto.return
}
