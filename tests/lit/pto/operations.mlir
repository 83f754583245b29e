// Every operation, in the form for people and in the generic one.
// RUN: ttmlir-opt %s | ttmlir-opt | FileCheck %s
// RUN: ttmlir-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: ttmlir-opt %s --mlir-print-op-generic | ttmlir-opt | FileCheck %s

// CHECK-LABEL: pto.func @moves(
// GENERIC: "pto.func"() <{dst = #pto.dst<f32>, fidelity = #pto.fidelity<lofi>, function_type = {{.*}}, kind = #pto.kind<mixed>, placement = #pto.placement<same_core>, platform = #pto.platform<a5>, sym_name = "moves"}>
pto.func @moves(%a: memref<64x64xbf16>, %c: memref<2x64x64xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<lofi>, kind = #pto.kind<mixed>, placement = #pto.placement<same_core>, platform = #pto.platform<a5>} {
  %0 = arith.constant 0 : index
  // CHECK: %[[T:.*]] = pto.tload %{{.*}} : memref<64x64xbf16> -> <tensor<32x32xbf16>, mat>
  // GENERIC: %[[T:.*]] = "pto.tload"(%{{.*}}, %{{.*}}, %{{.*}}) : (memref<64x64xbf16>, index, index) -> !pto.tile<tensor<32x32xbf16>, mat>
  %t = pto.tload %a[%0, %0] : memref<64x64xbf16> -> <tensor<32x32xbf16>, mat>
  // CHECK: pto.tmove %[[T]] : <tensor<32x32xbf16>, mat> -> <tensor<32x32xbf16>, left, layout = nz>
  // GENERIC: "pto.tmove"(%[[T]]) : (!pto.tile<tensor<32x32xbf16>, mat>) -> !pto.tile<tensor<32x32xbf16>, left, layout = nz>
  %left = pto.tmove %t : <tensor<32x32xbf16>, mat> -> <tensor<32x32xbf16>, left, layout = nz>
  %right = pto.tmove %t : <tensor<32x32xbf16>, mat> -> <tensor<32x32xbf16>, right, layout = zn>
  %bias = pto.tmove %t : <tensor<32x32xbf16>, mat> -> <tensor<32x32xbf16>, bias>
  // CHECK: pto.tmatmul %
  // GENERIC: "pto.tmatmul"
  %p = pto.tmatmul %left, %right : <tensor<32x32xbf16>, left, layout = nz>, <tensor<32x32xbf16>, right, layout = zn> -> <tensor<32x32xf32>, acc>
  // CHECK: pto.tmatmul_acc %
  // GENERIC: "pto.tmatmul_acc"
  %q = pto.tmatmul_acc %p, %left, %t : <tensor<32x32xf32>, acc>, <tensor<32x32xbf16>, left, layout = nz>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  // CHECK: pto.tadd %{{.*}} {broadcast = #pto.broadcast<row>, unit = #pto.unit<fpu>} : <tensor<32x32xf32>, acc>, <tensor<32x32xbf16>, bias> -> <tensor<32x32xf32>, acc>
  // GENERIC: "pto.tadd"(%{{.*}}, %{{.*}}) <{broadcast = #pto.broadcast<row>, precision = #pto.precision<f32>, unit = #pto.unit<fpu>}>
  %s = pto.tadd %q, %bias {broadcast = #pto.broadcast<row>, unit = #pto.unit<fpu>} : <tensor<32x32xf32>, acc>, <tensor<32x32xbf16>, bias> -> <tensor<32x32xf32>, acc>
  // CHECK: pto.tmove %{{.*}} : <tensor<32x32xf32>, acc> -> <tensor<32x32xf32>, vec>
  %v = pto.tmove %s : <tensor<32x32xf32>, acc> -> <tensor<32x32xf32>, vec>
  // CHECK: pto.tcvt %{{.*}} {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xbf16>, vec>
  // GENERIC: "pto.tcvt"(%{{.*}}) <{unit = #pto.unit<sfpu>}>
  %n = pto.tcvt %v {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xbf16>, vec>
  // CHECK: pto.tmove %{{.*}} : <tensor<32x32xbf16>, vec> -> <tensor<32x32xbf16>, vec, layout = dn>
  %d = pto.tmove %n : <tensor<32x32xbf16>, vec> -> <tensor<32x32xbf16>, vec, layout = dn>
  // CHECK: pto.tstore %{{.*}} : <tensor<32x32xbf16>, vec, layout = dn> -> memref<2x64x64xbf16>
  // GENERIC: "pto.tstore"
  pto.tstore %d, %c[%0, %0] : <tensor<32x32xbf16>, vec, layout = dn> -> memref<2x64x64xbf16>
  // CHECK: pto.return
  // GENERIC: "pto.return"
  pto.return
}

// CHECK-LABEL: pto.func @elementwise(
pto.func @elementwise(%a: memref<40x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %1 = arith.constant 1 : index
  %2 = arith.constant 0 : index
  // CHECK: %[[T:.*]] = pto.tload %{{.*}} : memref<40x32xf32> -> <tensor<32x32xf32>, vec, valid = 8x32>
  %t = pto.tload %a[%1, %2] : memref<40x32xf32> -> <tensor<32x32xf32>, vec, valid = 8x32>
  // CHECK: pto.tfill 1.500000e+00 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec, valid = 8x32>
  // GENERIC: "pto.tfill"() <{unit = #pto.unit<sfpu>, value = 1.500000e+00 : f64}>
  %u = pto.tfill 1.5 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec, valid = 8x32>
  // CHECK: pto.tadd
  // CHECK: pto.tsub
  // CHECK: pto.tmul
  // CHECK: pto.tdiv
  // CHECK: pto.tmax
  // CHECK: pto.tmin
  // GENERIC: "pto.tadd"
  // GENERIC: "pto.tsub"
  // GENERIC: "pto.tmul"
  // GENERIC: "pto.tdiv"
  // GENERIC: "pto.tmax"
  // GENERIC: "pto.tmin"
  %b0 = pto.tadd %t, %u {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec, valid = 8x32>, <tensor<32x32xf32>, vec, valid = 8x32> -> <tensor<32x32xf32>, vec, valid = 8x32>
  %b1 = pto.tsub %b0, %u {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec, valid = 8x32>, <tensor<32x32xf32>, vec, valid = 8x32> -> <tensor<32x32xf32>, vec, valid = 8x32>
  %b2 = pto.tmul %b1, %u {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec, valid = 8x32>, <tensor<32x32xf32>, vec, valid = 8x32> -> <tensor<32x32xf32>, vec, valid = 8x32>
  %b3 = pto.tdiv %b2, %u {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec, valid = 8x32>, <tensor<32x32xf32>, vec, valid = 8x32> -> <tensor<32x32xf32>, vec, valid = 8x32>
  %b4 = pto.tmax %b3, %u {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec, valid = 8x32>, <tensor<32x32xf32>, vec, valid = 8x32> -> <tensor<32x32xf32>, vec, valid = 8x32>
  %b5 = pto.tmin %b4, %u {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec, valid = 8x32>, <tensor<32x32xf32>, vec, valid = 8x32> -> <tensor<32x32xf32>, vec, valid = 8x32>
  // CHECK: pto.trelu
  // CHECK: pto.tneg
  // CHECK: pto.tabs
  // CHECK: pto.texp
  // CHECK: pto.tlog
  // CHECK: pto.tsqrt
  // CHECK: pto.trsqrt
  // CHECK: pto.trecip
  // CHECK: pto.tsigmoid
  // CHECK: pto.ttanh
  // GENERIC: "pto.trelu"
  // GENERIC: "pto.tneg"
  // GENERIC: "pto.tabs"
  // GENERIC: "pto.texp"
  // GENERIC: "pto.tlog"
  // GENERIC: "pto.tsqrt"
  // GENERIC: "pto.trsqrt"
  // GENERIC: "pto.trecip"
  // GENERIC: "pto.tsigmoid"
  // GENERIC: "pto.ttanh"
  %u0 = pto.trelu %b5 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec, valid = 8x32> -> <tensor<32x32xf32>, vec, valid = 8x32>
  %u1 = pto.tneg %u0 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec, valid = 8x32> -> <tensor<32x32xf32>, vec, valid = 8x32>
  %u2 = pto.tabs %u1 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec, valid = 8x32> -> <tensor<32x32xf32>, vec, valid = 8x32>
  %u3 = pto.texp %u2 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec, valid = 8x32> -> <tensor<32x32xf32>, vec, valid = 8x32>
  %u4 = pto.tlog %u3 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec, valid = 8x32> -> <tensor<32x32xf32>, vec, valid = 8x32>
  %u5 = pto.tsqrt %u4 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec, valid = 8x32> -> <tensor<32x32xf32>, vec, valid = 8x32>
  %u6 = pto.trsqrt %u5 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec, valid = 8x32> -> <tensor<32x32xf32>, vec, valid = 8x32>
  %u7 = pto.trecip %u6 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec, valid = 8x32> -> <tensor<32x32xf32>, vec, valid = 8x32>
  %u8 = pto.tsigmoid %u7 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec, valid = 8x32> -> <tensor<32x32xf32>, vec, valid = 8x32>
  %u9 = pto.ttanh %u8 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec, valid = 8x32> -> <tensor<32x32xf32>, vec, valid = 8x32>
  // CHECK: pto.tsel %{{.*}}, %{{.*}}, %{{.*}} {unit = #pto.unit<sfpu>}
  // GENERIC: "pto.tsel"
  %x = pto.tsel %t, %u9, %u {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec, valid = 8x32>, <tensor<32x32xf32>, vec, valid = 8x32>, <tensor<32x32xf32>, vec, valid = 8x32> -> <tensor<32x32xf32>, vec, valid = 8x32>
  // CHECK: pto.trowsum %{{.*}} -> <tensor<32x1xf32>, vec, valid = 8x1>
  // CHECK: pto.trowmax %{{.*}} -> <tensor<32x32xf32>, vec, valid = 8x1>
  // CHECK: pto.trowmin
  // CHECK: pto.tcolsum %{{.*}} -> <tensor<1x32xf32>, vec>
  // CHECK: pto.tcolmax %{{.*}} -> <tensor<32x32xf32>, vec, valid = 1x32>
  // CHECK: pto.tcolmin
  // GENERIC: "pto.trowsum"
  // GENERIC: "pto.trowmax"
  // GENERIC: "pto.trowmin"
  // GENERIC: "pto.tcolsum"
  // GENERIC: "pto.tcolmax"
  // GENERIC: "pto.tcolmin"
  %r0 = pto.trowsum %x {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec, valid = 8x32> -> <tensor<32x1xf32>, vec, valid = 8x1>
  %r1 = pto.trowmax %x {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec, valid = 8x32> -> <tensor<32x32xf32>, vec, valid = 8x1>
  %r2 = pto.trowmin %x {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec, valid = 8x32> -> <tensor<32x1xf32>, vec, valid = 8x1>
  %r3 = pto.tcolsum %x {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec, valid = 8x32> -> <tensor<1x32xf32>, vec>
  %r4 = pto.tcolmax %x {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec, valid = 8x32> -> <tensor<32x32xf32>, vec, valid = 1x32>
  %r5 = pto.tcolmin %x {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec, valid = 8x32> -> <tensor<1x32xf32>, vec>
  // CHECK: pto.tsub %{{.*}} {broadcast = #pto.broadcast<column>, unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec, valid = 8x32>, <tensor<32x1xf32>, vec, valid = 8x1>
  %y = pto.tsub %x, %r0 {broadcast = #pto.broadcast<column>, unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec, valid = 8x32>, <tensor<32x1xf32>, vec, valid = 8x1> -> <tensor<32x32xf32>, vec, valid = 8x32>
  // CHECK: pto.ttrans %{{.*}} -> <tensor<32x32xf32>, vec, valid = 32x8>
  // GENERIC: "pto.ttrans"
  %z = pto.ttrans %y {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec, valid = 8x32> -> <tensor<32x32xf32>, vec, valid = 32x8>
  pto.return
}

// Rings in the memory of the core that pops, one each way, tiles split between two vector kernels.
// CHECK-LABEL: pto.func @local_cube(
pto.func @local_cube(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  // CHECK: pto.import_peer_buffer "down" of @local_vector at 1024 : <8192, vec>
  // GENERIC: "pto.import_peer_buffer"() <{base = 1024 : i64, name = "down", peer_func = @local_vector}> : () -> !pto.buffer<8192, vec>
  %peer = pto.import_peer_buffer "down" of @local_vector at 1024 : <8192, vec>
  // CHECK: pto.reserve_buffer "up" auto : <16384, mat>
  // GENERIC: "pto.reserve_buffer"() <{name = "up"}> : () -> !pto.buffer<16384, mat>
  %own = pto.reserve_buffer "up" auto : <16384, mat>
  // CHECK: %[[PIPES:.*]]:2 = pto.aic_initialize_pipe %{{.*}}, %{{.*}} : !pto.buffer<8192, vec>, !pto.buffer<16384, mat> -> !pto.pipe<c2v, 4 x 2048, left_right>, !pto.pipe<v2c, 4 x 4096, up_down>
  // GENERIC: %[[PIPES:.*]]:2 = "pto.aic_initialize_pipe"(%{{.*}}, %{{.*}}) : (!pto.buffer<8192, vec>, !pto.buffer<16384, mat>) -> (!pto.pipe<c2v, 4 x 2048, left_right>, !pto.pipe<v2c, 4 x 4096, up_down>)
  %down, %up = pto.aic_initialize_pipe %peer, %own : !pto.buffer<8192, vec>, !pto.buffer<16384, mat> -> !pto.pipe<c2v, 4 x 2048, left_right>, !pto.pipe<v2c, 4 x 4096, up_down>
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, mat>
  // CHECK: pto.tpush %{{.*}}, %[[PIPES]]#0 : <tensor<32x32xf32>, mat>, <c2v, 4 x 2048, left_right>
  // GENERIC: "pto.tpush"(%{{.*}}, %[[PIPES]]#0) : (!pto.tile<tensor<32x32xf32>, mat>, !pto.pipe<c2v, 4 x 2048, left_right>) -> ()
  pto.tpush %t, %down : <tensor<32x32xf32>, mat>, <c2v, 4 x 2048, left_right>
  // CHECK: %[[U:.*]] = pto.tpop %[[PIPES]]#1 : <v2c, 4 x 4096, up_down> -> <tensor<32x32xf32>, mat>
  // GENERIC: %[[U:.*]] = "pto.tpop"(%[[PIPES]]#1)
  %u = pto.tpop %up : <v2c, 4 x 4096, up_down> -> <tensor<32x32xf32>, mat>
  // CHECK: pto.tfree %[[U]], %[[PIPES]]#1 : <tensor<32x32xf32>, mat>, <v2c, 4 x 4096, up_down>
  // GENERIC: "pto.tfree"(%[[U]], %[[PIPES]]#1)
  pto.tfree %u, %up : <tensor<32x32xf32>, mat>, <v2c, 4 x 4096, up_down>
  pto.return
}

// CHECK-LABEL: pto.func @local_vector(
pto.func @local_vector(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  // CHECK: pto.reserve_buffer "down" at 1024 : <8192, vec>
  // GENERIC: "pto.reserve_buffer"() <{base = 1024 : i64, name = "down"}>
  %own = pto.reserve_buffer "down" at 1024 : <8192, vec>
  // CHECK: pto.import_peer_buffer "up" of @local_cube : <16384, mat>
  %peer = pto.import_peer_buffer "up" of @local_cube : <16384, mat>
  // CHECK: pto.aiv_initialize_pipe
  // GENERIC: "pto.aiv_initialize_pipe"
  %down, %up = pto.aiv_initialize_pipe %own, %peer : !pto.buffer<8192, vec>, !pto.buffer<16384, mat> -> !pto.pipe<c2v, 4 x 2048, left_right>, !pto.pipe<v2c, 4 x 4096, up_down>
  // CHECK: pto.subblock_index
  // GENERIC: "pto.subblock_index"() : () -> index
  %lane = pto.subblock_index
  %t = pto.tpop %down : <c2v, 4 x 2048, left_right> -> <tensor<32x16xf32>, vec>
  pto.tfree %t, %down : <tensor<32x16xf32>, vec>, <c2v, 4 x 2048, left_right>
  %u = pto.tfill 0.0 {unit = #pto.unit<sfpu>} : <tensor<16x32xf32>, vec>
  pto.tpush %u, %up : <tensor<16x32xf32>, vec>, <v2c, 4 x 4096, up_down>
  pto.return
}

// Rings in global memory: slots hold whole tiles.
// CHECK-LABEL: pto.func @global_cube(
pto.func @global_cube(%a: memref<32x32xf32>, %slots: memref<16384xi8>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>, platform = #pto.platform<a2a3>} {
  %0 = arith.constant 0 : index
  // CHECK: pto.aic_initialize_pipe %{{.*}} : memref<16384xi8> -> !pto.pipe<c2v, 4 x 4096, up_down>
  %down = pto.aic_initialize_pipe %slots : memref<16384xi8> -> !pto.pipe<c2v, 4 x 4096, up_down>
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, mat>
  pto.tpush %t, %down : <tensor<32x32xf32>, mat>, <c2v, 4 x 4096, up_down>
  pto.return
}

// CHECK-LABEL: pto.func @global_vector(
pto.func @global_vector(%a: memref<32x32xf32>, %slots: memref<16384xi8>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>, platform = #pto.platform<a2a3>} {
  %down = pto.aiv_initialize_pipe %slots : memref<16384xi8> -> !pto.pipe<c2v, 4 x 4096, up_down>
  %t = pto.tpop %down : <c2v, 4 x 4096, up_down> -> <tensor<16x32xf32>, vec>
  pto.tfree %t, %down : <tensor<16x32xf32>, vec>, <c2v, 4 x 4096, up_down>
  pto.return
}

// CHECK-LABEL: pto.func @orchestration(
// CHECK-SAME: attributes {kind = #pto.kind<orchestration>, placement = #pto.placement<cluster>, platform = #pto.platform<a2a3>}
pto.func @orchestration(%a: memref<32x32xf32>)
    attributes {kind = #pto.kind<orchestration>, placement = #pto.placement<cluster>, platform = #pto.platform<a2a3>} {
  // CHECK: %[[SLOTS:.*]] = pto.alloc_slot_buffer : memref<16384xi8>
  // GENERIC: %[[SLOTS:.*]] = "pto.alloc_slot_buffer"() : () -> memref<16384xi8>
  %slots = pto.alloc_slot_buffer : memref<16384xi8>
  // CHECK: pto.launch cube @global_cube vector [@global_vector, @global_vector](%{{.*}}, %[[SLOTS]]) : memref<32x32xf32>, memref<16384xi8>
  // GENERIC: "pto.launch"(%{{.*}}, %[[SLOTS]]) <{cube = @global_cube, vector = [@global_vector, @global_vector]}>
  pto.launch cube @global_cube vector [@global_vector, @global_vector](%a, %slots) : memref<32x32xf32>, memref<16384xi8>
  pto.return
}

// Tensors in the memory of a core. Each is its own, and a store keeps it alive.
// CHECK-LABEL: pto.func @local_tensors(
pto.func @local_tensors(%a: memref<64x128xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  // CHECK: %[[S:.*]] = pto.alloc_tensor : memref<64x128xf32>
  // GENERIC: %[[S:.*]] = "pto.alloc_tensor"() : () -> memref<64x128xf32>
  %scores = pto.alloc_tensor : memref<64x128xf32>
  // CHECK: %[[B:.*]] = pto.alloc_tensor : memref<2x32x40xbf16>
  %batch = pto.alloc_tensor : memref<2x32x40xbf16>
  // CHECK: pto.alloc_tensor : memref<1x1xi32>
  %count = pto.alloc_tensor : memref<1x1xi32>
  %t = pto.tload %a[%0, %0] : memref<64x128xf32> -> <tensor<32x32xf32>, vec>
  // CHECK: pto.tstore %{{.*}}, %[[S]][%{{.*}}, %{{.*}}] : <tensor<32x32xf32>, vec> -> memref<64x128xf32>
  pto.tstore %t, %scores[%0, %0] : <tensor<32x32xf32>, vec> -> memref<64x128xf32>
  // CHECK: pto.tload %[[B]][%{{.*}}, %{{.*}}] : memref<2x32x40xbf16> -> <tensor<32x32xbf16>, vec>
  %b = pto.tload %batch[%0, %0] : memref<2x32x40xbf16> -> <tensor<32x32xbf16>, vec>
  pto.return
}

// A mixed kernel has both ends of a pipe.
// CHECK-LABEL: pto.func @both_ends(
pto.func @both_ends(%a: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<b16>, fidelity = #pto.fidelity<hifi2>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %more = arith.constant true
  %ring = pto.reserve_buffer "ring" auto : <8192, vec>
  %in = pto.aic_initialize_pipe %ring : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %out = pto.aiv_initialize_pipe %ring : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, mat>
  // CHECK: scf.for
  scf.for %i = %0 to %1 step %1 {
    pto.tpush %t, %in : <tensor<32x32xf32>, mat>, <c2v, 2 x 4096>
    // A tile that control flow gives is freed like one that was popped here.
    // CHECK: %[[V:.*]] = scf.if
    %v = scf.if %more -> (!pto.tile<tensor<32x32xf32>, vec>) {
      %x = pto.tpop %out : <c2v, 2 x 4096> -> <tensor<32x32xf32>, vec>
      scf.yield %x : !pto.tile<tensor<32x32xf32>, vec>
    } else {
      %y = pto.tpop %out : <c2v, 2 x 4096> -> <tensor<32x32xf32>, vec>
      scf.yield %y : !pto.tile<tensor<32x32xf32>, vec>
    }
    pto.tstore %v, %c[%i, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
    // CHECK: pto.tfree %[[V]]
    pto.tfree %v, %out : <tensor<32x32xf32>, vec>, <c2v, 2 x 4096>
  }
  pto.return
}
