// Rings in global memory, numbers of slots, names, and pipes written by hand.
// RUN: ttmlir-opt --pto-expand-mixed-kernel="slot-num=2" %s | FileCheck %s
// RUN: ttmlir-opt --pto-expand-mixed-kernel --pto-check-pipes %s -o %t.checked.mlir

// On platform a2a3 both rings lie in one buffer, which is the last argument of both kernels. The attributes of the other arguments are preserved.
// CHECK-LABEL: pto.func @global_aic(
// CHECK-SAME: memref<32x32xbf16> {pto.first},
// CHECK-SAME: %[[SLOTS:[a-z0-9]*]]: memref<12288xi8>)
// CHECK-SAME: kind = #pto.kind<cube>, platform = #pto.platform<a2a3>
// CHECK-NEXT: pto.aic_initialize_pipe %[[SLOTS]] : memref<12288xi8> -> !pto.pipe<c2v, 2 x 4096>, !pto.pipe<v2c, 2 x 2048>
// CHECK-LABEL: pto.func @global_aiv(
// CHECK-SAME: %[[SLOTS:[a-z0-9]*]]: memref<12288xi8>)
// CHECK-NEXT: pto.aiv_initialize_pipe %[[SLOTS]] : memref<12288xi8> -> !pto.pipe<c2v, 2 x 4096>, !pto.pipe<v2c, 2 x 2048>
// CHECK-LABEL: pto.func @global(%{{[a-z0-9]*}}: memref<32x32xbf16> {pto.first}, %{{[a-z0-9]*}}: memref<32x32xf32>)
// CHECK-SAME: platform = #pto.platform<a2a3>
// CHECK-NEXT: %[[SLOTS:.*]] = pto.alloc_slot_buffer : memref<12288xi8>
// CHECK-NEXT: pto.launch cube @global_aic vector [@global_aiv](%{{.*}}, %{{.*}}, %[[SLOTS]])
pto.func @global(%a: memref<32x32xbf16> {pto.first}, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>, platform = #pto.platform<a2a3>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, vec>
  %m = pto.tmove %t : <tensor<32x32xbf16>, vec> -> <tensor<32x32xbf16>, mat>
  %p = pto.tmatmul %m, %m : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  %v = pto.tmove %p : <tensor<32x32xf32>, acc> -> <tensor<32x32xf32>, vec>
  pto.tstore %v, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// A pipe written by hand stays, with its name, its depth and the free that is there; the missing import and the missing free
// are added. A ring for the crossing gets a name of its own, and the kernels too.
// CHECK-LABEL: pto.func @hand_aic_0(
// CHECK:      pto.import_peer_buffer "hand_0_c2v" of @hand_aiv : <4096, vec>
// CHECK:      pto.import_peer_buffer "hand_c2v" of @hand_aiv : <8192, vec>
// CHECK-NEXT: pto.aic_initialize_pipe
// CHECK-LABEL: pto.func @hand_aiv(
// CHECK:      pto.reserve_buffer "hand_0_c2v" auto : <4096, vec>
// CHECK:      pto.reserve_buffer "hand_c2v" auto : <8192, vec>
// CHECK-NEXT: %[[HAND:.*]] = pto.aiv_initialize_pipe
// CHECK:      %[[X:.*]] = pto.tpop %[[HAND]]
// CHECK-NEXT: pto.tfree %[[X]]
// CHECK-NEXT: %[[Y:.*]] = pto.tpop %[[HAND]]
// CHECK-NEXT: pto.tstore %[[Y]]
// CHECK-NEXT: pto.tfree %[[Y]], %[[HAND]]
// CHECK-LABEL: pto.func @hand(
pto.func @hand(%a: memref<32x32xbf16>, %c: memref<64x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>, slot_num = 2 : i64} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %ring = pto.reserve_buffer "hand_c2v" auto : <8192, vec>
  %in = pto.aic_initialize_pipe %ring : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 4 x 2048>
  %out = pto.aiv_initialize_pipe %ring : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 4 x 2048>
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  pto.tpush %t, %in : <tensor<32x32xbf16>, mat>, <c2v, 4 x 2048>
  pto.tpush %t, %in : <tensor<32x32xbf16>, mat>, <c2v, 4 x 2048>
  %x = pto.tpop %out : <c2v, 4 x 2048> -> <tensor<32x32xbf16>, vec>
  pto.tfree %x, %out : <tensor<32x32xbf16>, vec>, <c2v, 4 x 2048>
  %y = pto.tpop %out : <c2v, 4 x 2048> -> <tensor<32x32xbf16>, vec>
  pto.tstore %y, %c[%0, %0] : <tensor<32x32xbf16>, vec> -> memref<64x32xbf16>
  %v = pto.tmove %t : <tensor<32x32xbf16>, mat> -> <tensor<32x32xbf16>, vec>
  pto.tstore %v, %c[%1, %0] : <tensor<32x32xbf16>, vec> -> memref<64x32xbf16>
  pto.return
}

// CHECK-LABEL: pto.func @hand_aic(
pto.func @hand_aic(%a: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  pto.return
}
