// Kernels that move elements become code of NC: element by element from pages in a cache, or page by page.
// RUN: ttmlir-opt --convert-pto-to-tensix --canonicalize --cse %s | FileCheck %s

// A row of the result's tile at a time. Partial tiles are cleared before.
// CHECK-LABEL: tensix.program @turned_tensix implements @turned on "wormhole_b0" arguments 2 work 80 unpack {
// CHECK-NEXT: } math {
// CHECK-NEXT: } pack {
// CHECK-NEXT: } read {
// No page is in the cache yet.
// CHECK: %[[FIRST:.*]] = tensix.argument first
// CHECK-NEXT: %[[LAST:.*]] = tensix.argument last
// CHECK: scf.for %[[LINE:.*]] = %c0 to %c16
// CHECK: tensix.store_l1 %c0 to %{{.*}} bytes 4
// CHECK: scf.for %[[PIECE:.*]] = %[[FIRST]] to %[[LAST]] step %c1 {
// CHECK: scf.for %{{.*}} = %c0 to %c512
// CHECK: tensix.store_l1 %c0 to %{{.*}} bytes 4
// Rows of the tile, then what each dimension of the box has there.
// CHECK: scf.for %[[ROW:.*]] = %c0 to %c3
// CHECK: scf.for
// CHECK: scf.for
// CHECK: scf.for
// CHECK: %[[TAG:.*]] = tensix.load_l1 %[[PLACE:.*]] bytes 4
// CHECK-NEXT: %[[ABSENT:.*]] = arith.cmpi ne, %[[TAG]], %[[WANTED:.*]] : index
// CHECK-NEXT: scf.if %[[ABSENT]] {
// CHECK: tensix.noc_read page %{{.*}} of %{{.*}} bytes 2048 to %[[PAGE:.*]] transaction %c0
// CHECK-NEXT: tensix.noc_wait transaction %c0
// CHECK-NEXT: tensix.store_l1 %[[WANTED]] to %[[PLACE]] bytes 4
// CHECK: %[[ELEMENT:.*]] = tensix.load_l1 %{{.*}} bytes 2
// CHECK: tensix.store_l1 %[[ELEMENT]] to %{{.*}} bytes 2
// CHECK: tensix.settle_l1 %c98304
// CHECK-NEXT: %[[BASE:.*]] = tensix.argument base 1
// CHECK-NEXT: tensix.noc_write page %[[PIECE]] of %[[BASE]] bytes 2048
// CHECK-NEXT: tensix.noc_wait transaction %c0
// CHECK: } write {
// CHECK-NEXT: tensix.release
// CHECK-NEXT: }
pto.func @turned(%a: memref<3x40x50xbf16>, %r: memref<40x3x50xbf16>) attributes {kind = #pto.kind<movement>} {
  pto.rearrange %a : memref<3x40x50xbf16> to %r : memref<40x3x50xbf16> {copies = [
      {extents = array<i64: 40, 3, 50>, operand = 0 : i64, result_offset = 0 : i64, result_strides = array<i64: 150, 50, 1>,
       source_offset = 0 : i64, source_strides = array<i64: 50, 2000, 1>}], fill = 0.0 : f64}
  pto.return
}

// No box has all elements, so the others are filled.
// CHECK-LABEL: tensix.program @amid_tensix
// CHECK: %[[FILL:.*]] = arith.constant 3212836864 : index
// CHECK: tensix.store_l1 %c0
// CHECK: tensix.store_l1 %c0
// CHECK: tensix.store_l1 %[[FILL]] to %{{.*}} bytes 4
// CHECK: tensix.load_l1
pto.func @amid(%a: memref<4x5xf32>, %r: memref<40x40xf32>) attributes {kind = #pto.kind<movement>} {
  pto.rearrange %a : memref<4x5xf32> to %r : memref<40x40xf32> {copies = [
      {extents = array<i64: 4, 5>, operand = 0 : i64, result_offset = 41 : i64, result_strides = array<i64: 40, 1>,
       source_offset = 19 : i64, source_strides = array<i64: -5, -1>}], fill = -1.0 : f64}
  pto.return
}

// Whole tiles are whole pages.
// CHECK-LABEL: tensix.program @below_tensix
// CHECK-NOT: _l1
// CHECK: tensix.noc_read page %[[FROM:.*]] of %[[A:.*]] bytes 4096 to %[[TILE:.*]] transaction %c0
// CHECK-NEXT: tensix.noc_wait transaction %c0
// CHECK-NEXT: %[[R:.*]] = tensix.argument base 2
// CHECK-NEXT: tensix.noc_write page %{{.*}} of %[[R]] bytes 4096 from %[[TILE]] transaction %c0
// CHECK-NEXT: tensix.noc_wait transaction %c0
// CHECK: %[[B:.*]] = tensix.argument base 1
// CHECK-NEXT: tensix.noc_read page %{{.*}} of %[[B]] bytes 4096 to %[[TILE]] transaction %c0
// CHECK-NOT: _l1
pto.func @below(%a: memref<64x96xf32>, %b: memref<33x96xf32>, %r: memref<97x96xf32>)
    attributes {kind = #pto.kind<movement>} {
  pto.rearrange %a, %b : memref<64x96xf32>, memref<33x96xf32> to %r : memref<97x96xf32> {copies = [
      {extents = array<i64: 6144>, operand = 0 : i64, result_offset = 0 : i64, result_strides = array<i64: 1>,
       source_offset = 0 : i64, source_strides = array<i64: 1>},
      {extents = array<i64: 3168>, operand = 1 : i64, result_offset = 6144 : i64, result_strides = array<i64: 1>,
       source_offset = 0 : i64, source_strides = array<i64: 1>}], fill = 0.0 : f64}
  pto.return
}

// CHECK: } write {
