// Where rings and tiles lie.
// RUN: ttmlir-opt --pto-allocate-memory-addr %s | FileCheck %s --check-prefixes=CHECK,TENSIX
// RUN: ttmlir-opt --pto-allocate-memory-addr=target=a5 %s | FileCheck %s --check-prefixes=CHECK,A5
// Running it again changes nothing.
// RUN: ttmlir-opt --pto-allocate-memory-addr=target=a5 %s -o %t.once.mlir
// RUN: ttmlir-opt --pto-allocate-memory-addr=target=a5 %t.once.mlir -o %t.twice.mlir
// RUN: diff %t.once.mlir %t.twice.mlir
// RUN: ttmlir-opt --pto-allocate-memory-addr="target=a5 print-memory-map" %s -o %t.mapped.mlir 2>&1 | FileCheck %s --check-prefix=MAP

// A given address stays; the larger of the others comes first, each in the smallest gap that holds it. On Tensix rings begin at
// multiples of 4096, after what is not free.
// CHECK-LABEL: pto.func @rings(
// CHECK: pto.reserve_buffer "given" at 106496 :
// TENSIX: pto.reserve_buffer "small" at 114688 :
// TENSIX: pto.reserve_buffer "large" at 98304 :
// A5: pto.reserve_buffer "small" at 8192 :
// A5: pto.reserve_buffer "large" at 0 :
// MAP:      [[@LINE+5]]:1: remark: memory of @rings on a5:
// MAP-NEXT:   vec, 0 to 245760: used up to 114688, 131072 bytes free after it
// MAP-NEXT:   0 to 8192 8192 bytes ring "large" of pto.reserve_buffer ({{.*}}:[[@LINE+7]]:12)
// MAP-NEXT:   8192 to 12288 4096 bytes ring "small" of pto.reserve_buffer
// MAP-NEXT:   106496 to 114688 8192 bytes ring "given" of pto.reserve_buffer
pto.func @rings(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %given = pto.reserve_buffer "given" at 106496 : <8192, vec>
  %small = pto.reserve_buffer "small" auto : <4096, vec>
  %large = pto.reserve_buffer "large" auto : <8192, vec>
  pto.return
}

// An imported buffer has the address of its ring in the other core's memory, also if the import gives it.
// CHECK-LABEL: pto.func @imports(
// CHECK: pto.import_peer_buffer "given" of @rings at 106496 :
// TENSIX: pto.import_peer_buffer "small" of @rings at 114688 :
// TENSIX: pto.import_peer_buffer "large" of @rings at 98304 :
// A5: pto.import_peer_buffer "small" of @rings at 8192 :
// A5: pto.import_peer_buffer "large" of @rings at 0 :
// MAP:      remark: memory of @imports on a5: nothing
pto.func @imports(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %given = pto.import_peer_buffer "given" of @rings at 106496 : <8192, vec>
  %small = pto.import_peer_buffer "small" of @rings : <4096, vec>
  %large = pto.import_peer_buffer "large" of @rings : <8192, vec>
  pto.return
}

// A sum and what it is added to have one place, also through a loop. Factors lie in left and right, each of which begins with 0.
// Tensix has all of that in registers or passes it through.
// CHECK-LABEL: pto.func @sum(
// TENSIX-NOT: pto.address
// A5: pto.tload %{{.*}} {pto.address = 0 : i64}
// A5: pto.tmove %{{.*}} {pto.address = 0 : i64} {{.*}} left
// A5: pto.tmove %{{.*}} {pto.address = 0 : i64} {{.*}} right
// A5: pto.tmatmul %{{.*}} {pto.address = 0 : i64}
// A5: scf.for
// A5: pto.tload %{{.*}} {pto.address = 0 : i64}
// A5: pto.tmatmul_acc %{{.*}} {pto.address = 0 : i64}
// A5: scf.yield
// A5-NEXT: } {pto.address = 0 : i64}
// CHECK: pto.tstore
// MAP:      remark: memory of @sum on a5:
// MAP-NEXT:   mat, 0 to 524288: used up to 2048, 522240 bytes free after it
// MAP-NEXT:   0 to 2048 2048 bytes a tile of pto.tload
// MAP-NEXT:   0 to 2048 2048 bytes a tile of pto.tload
// MAP-NEXT:   acc, 0 to 262144: used up to 4096, 258048 bytes free after it
// MAP-NEXT:   0 to 4096 4096 bytes 3 tiles of pto.tmatmul {{.*}}, scf.for {{.*}}, pto.tmatmul_acc
// MAP-NEXT:   left,
pto.func @sum(%a: memref<32x32xbf16>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %4 = arith.constant 4 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  %l = pto.tmove %t : <tensor<32x32xbf16>, mat> -> <tensor<32x32xbf16>, left>
  %r = pto.tmove %t : <tensor<32x32xbf16>, mat> -> <tensor<32x32xbf16>, right>
  %first = pto.tmatmul %l, %r : <tensor<32x32xbf16>, left>, <tensor<32x32xbf16>, right> -> <tensor<32x32xf32>, acc>
  %sum = scf.for %k = %0 to %4 step %1 iter_args(%so_far = %first) -> (!pto.tile<tensor<32x32xf32>, acc>) {
    %u = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
    %next = pto.tmatmul_acc %so_far, %u, %u : <tensor<32x32xf32>, acc>, <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
    scf.yield %next : !pto.tile<tensor<32x32xf32>, acc>
  }
  pto.tstore %sum, %c[%0, %0] : <tensor<32x32xf32>, acc> -> memref<32x32xf32>
  pto.return
}

// What is read later keeps its place. Two tiles that a loop swaps have two, and what the loop reads of what was made before stays
// to its end: nothing in its body gets that place.
// A5-LABEL: pto.func @loop(
// A5: %[[X:.*]] = pto.tload %{{.*}}[%{{.*}}, %{{.*}}] {pto.address = 0 : i64}
// A5: %[[Y:.*]] = pto.tload {{.*}} {pto.address = 4096 : i64}
// A5: %[[Z:.*]] = pto.tload {{.*}} {pto.address = 8192 : i64}
// A5: scf.for
// A5: pto.tadd %{{.*}}, %[[Z]] {pto.address = 12288 : i64
// A5: pto.tstore
// A5: pto.tneg %{{.*}} {pto.address = 12288 : i64
// A5: scf.yield
// A5-NEXT: } {pto.addresses = [0, 4096]}
// Results of branches share the address of the scf.if's result; an index has no address.
// A5: %[[IF:.*]]:2 = scf.if
// A5: pto.tneg %{{.*}} {pto.address = 8192 : i64
// A5: } else {
// A5: pto.tneg %{{.*}} {pto.address = 8192 : i64
// A5: } {pto.addresses = [unit, 8192]}
pto.func @loop(%a: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %4 = arith.constant 4 : index
  %x = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %y = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %z = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %p, %q = scf.for %k = %0 to %4 step %1 iter_args(%v = %x, %w = %y) -> (!pto.tile<tensor<32x32xf32>, vec>, !pto.tile<tensor<32x32xf32>, vec>) {
    %s = pto.tadd %v, %z {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
    pto.tstore %s, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
    %n = pto.tneg %v {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
    pto.tstore %n, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
    scf.yield %w, %v : !pto.tile<tensor<32x32xf32>, vec>, !pto.tile<tensor<32x32xf32>, vec>
  }
  %both = arith.cmpi slt, %0, %1 : index
  %number, %tile = scf.if %both -> (index, !pto.tile<tensor<32x32xf32>, vec>) {
    %n = pto.tneg %p {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
    scf.yield %0, %n : index, !pto.tile<tensor<32x32xf32>, vec>
  } else {
    %n = pto.tneg %q {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
    scf.yield %1, %n : index, !pto.tile<tensor<32x32xf32>, vec>
  }
  pto.tstore %tile, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.tstore %p, %c[%number, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.tstore %q, %c[%number, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// A tensor in the memory of a core gets no address here: the target places it.
// CHECK-LABEL: pto.func @local_tensor(
// CHECK: pto.alloc_tensor : memref<32x32xf32>
// A5: pto.tload %{{.*}} {pto.address = 0 : i64}
pto.func @local_tensor(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %kept = pto.alloc_tensor : memref<32x32xf32>
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  pto.tstore %t, %kept[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}
