// RUN: ttmlir-opt --split-input-file --verify-diagnostics --pto-expand-mixed-kernel %s
// RUN: not ttmlir-opt --pto-expand-mixed-kernel="slot-num=-1" %s 2>&1 | FileCheck %s --check-prefix=SLOTS
// SLOTS: option 'slot-num' takes a number of slots, or 0, not '-1'

pto.func @reduces(%a: memref<32x32xf32>, %c: memref<32x1xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>, split = #pto.split<left_right>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, mat>
  %v = pto.tmove %t : <tensor<32x32xf32>, mat> -> <tensor<32x32xf32>, vec>
  // expected-error @below {{needs both halves of a tile that is split left_right; each vector kernel has one of them. Use another split}}
  %s = pto.trowsum %v {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x1xf32>, vec>
  pto.tstore %s, %c[%0, %0] : <tensor<32x1xf32>, vec> -> memref<32x1xf32>
  pto.return
}

// -----

pto.func @reduces_columns(%a: memref<32x32xf32>, %c: memref<1x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>, split = #pto.split<up_down>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, mat>
  %v = pto.tmove %t : <tensor<32x32xf32>, mat> -> <tensor<32x32xf32>, vec>
  // expected-error @below {{needs both halves of a tile that is split up_down}}
  %s = pto.tcolsum %v {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<1x32xf32>, vec>
  pto.tstore %s, %c[%0, %0] : <tensor<1x32xf32>, vec> -> memref<1x32xf32>
  pto.return
}

// -----

pto.func @transposes(%a: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>, split = #pto.split<up_down>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, mat>
  %v = pto.tmove %t : <tensor<32x32xf32>, mat> -> <tensor<32x32xf32>, vec>
  // expected-error @below {{needs both halves of a tile that is split up_down}}
  %s = pto.ttrans %v {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %s, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// -----

pto.func @odd(%a: memref<31x32xf32>, %c: memref<31x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>, split = #pto.split<up_down>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<31x32xf32> -> <tensor<31x32xf32>, mat>
  // expected-error @below {{has !pto.tile<tensor<31x32xf32>, vec>, whose extent 31 does not split into two halves; both vector kernels run the same code}}
  %v = pto.tmove %t : <tensor<31x32xf32>, mat> -> <tensor<31x32xf32>, vec>
  pto.tstore %v, %c[%0, %0] : <tensor<31x32xf32>, vec> -> memref<31x32xf32>
  pto.return
}

// -----

pto.func @partly_valid(%a: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>, split = #pto.split<up_down>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, mat, valid = 20x32>
  // expected-error @below {{has !pto.tile<tensor<32x32xf32>, vec, valid = 20x32>, of which 20 of 32 are valid along the split; its halves would differ}}
  %v = pto.tmove %t : <tensor<32x32xf32>, mat, valid = 20x32> -> <tensor<32x32xf32>, vec, valid = 20x32>
  pto.tstore %v, %c[%0, %0] : <tensor<32x32xf32>, vec, valid = 20x32> -> memref<32x32xf32>
  pto.return
}

// -----

pto.func @one_row(%a: memref<1x32xf32>, %c: memref<1x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>, split = #pto.split<up_down>} {
  %0 = arith.constant 0 : index
  // expected-error @below {{has !pto.tile<tensor<1x32xf32>, vec>, whose extent 1 does not split into two halves; both vector kernels run the same code}}
  %t = pto.tload %a[%0, %0] : memref<1x32xf32> -> <tensor<1x32xf32>, vec>
  %m = pto.tmove %t : <tensor<1x32xf32>, vec> -> <tensor<1x32xf32>, mat>
  pto.tstore %m, %c[%0, %0] : <tensor<1x32xf32>, mat> -> memref<1x32xf32>
  pto.return
}

// -----

pto.func @one_dimension(%a: memref<1x32xf32>, %c: memref<1x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>, split = #pto.split<up_down>} {
  %0 = arith.constant 0 : index
  // expected-error @below {{has !pto.tile<tensor<32xf32>, vec>; only tiles of two dimensions are split}}
  %t = pto.tload %a[%0, %0] : memref<1x32xf32> -> <tensor<32xf32>, vec>
  %m = pto.tmove %t : <tensor<32xf32>, vec> -> <tensor<32xf32>, mat>
  pto.tstore %m, %c[%0, %0] : <tensor<32xf32>, mat> -> memref<1x32xf32>
  pto.return
}

// -----

pto.func @popped_row(%a: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>, split = #pto.split<up_down>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, mat>
  %v = pto.tmove %t : <tensor<32x32xf32>, mat> -> <tensor<32x32xf32>, vec>
  // expected-error @below {{has operand #1, of which the vector side has no first half on both cores; it was popped in halves, so neither vector kernel has the half that both need}}
  %s = pto.tadd %v, %v {broadcast = #pto.broadcast<row>, unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %s, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// -----

pto.func @through_memory(%a: memref<32x32xf32>, %c: memref<32x32xf32>, %d: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>, split = #pto.split<up_down>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, mat>
  %v = pto.tmove %t : <tensor<32x32xf32>, mat> -> <tensor<32x32xf32>, vec>
  pto.tstore %v, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  // expected-error @below {{loads tiles that other vector kernels of the group store; split up_down, each may load only what it stores itself}}
  %b = pto.tload %c[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %s = pto.tadd %v, %b {broadcast = #pto.broadcast<row>, unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %s, %d[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// -----

pto.func @split_by_hand(%a: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>, split = #pto.split<up_down>} {
  %0 = arith.constant 0 : index
  %ring = pto.reserve_buffer "ring" auto : <8192, vec>
  // expected-error @below {{makes !pto.pipe<c2v, 2 x 4096> in a mixed kernel whose split is up_down; a group with pipes of its own is split by writing its cube and vector kernels}}
  %in = pto.aic_initialize_pipe %ring : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %out = pto.aiv_initialize_pipe %ring : !pto.buffer<8192, vec> -> !pto.pipe<c2v, 2 x 4096>
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, mat>
  pto.tpush %t, %in : <tensor<32x32xf32>, mat>, <c2v, 2 x 4096>
  %v = pto.tpop %out : <c2v, 2 x 4096> -> <tensor<32x32xf32>, vec>
  pto.tstore %v, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// -----

pto.func @indices_cross(%a: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tfill 0.0 {unit = #pto.unit<fpu>} : <tensor<32x32xindex>, acc>
  // expected-error @below {{crosses sides with elements of type index, which have no size; no slot can hold them}}
  %v = pto.tmove %t : <tensor<32x32xindex>, acc> -> <tensor<32x32xindex>, vec>
  pto.return
}

// -----

// A slot has 2^42 bytes.
// expected-error @below {{needs a ring of 8 slots of 4398046511104 bytes, and no memory has more than 4294967295; use smaller tiles or fewer slots}}
pto.func @too_large(%a: memref<1048576x1048576xf32>, %c: memref<1048576x1048576xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<1048576x1048576xf32> -> <tensor<1048576x1048576xf32>, mat>
  %v = pto.tmove %t : <tensor<1048576x1048576xf32>, mat> -> <tensor<1048576x1048576xf32>, vec>
  pto.tstore %v, %c[%0, %0] : <tensor<1048576x1048576xf32>, vec> -> memref<1048576x1048576xf32>
  pto.return
}

// -----

pto.func @one_end(%a: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %b = pto.reserve_buffer "down" auto : <4096, vec>
  // expected-error @below {{makes a pipe without an end on the vector side; initialize that end, too}}
  %in = pto.aic_initialize_pipe %b : !pto.buffer<4096, vec> -> !pto.pipe<c2v, 1 x 4096>
  pto.return
}

// -----

pto.func @both_sides(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %kept = pto.alloc_tensor : memref<32x32xbf16>
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  pto.tstore %t, %kept[%0, %0] : <tensor<32x32xbf16>, mat> -> memref<32x32xbf16>
  // expected-error @below {{accesses memref<32x32xbf16>, which is accessed from both sides, but lies in the memory of one core; move tiles between the sides with pto.tmove}}
  %v = pto.tload %kept[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, vec>
  pto.tstore %v, %c[%0, %0] : <tensor<32x32xbf16>, vec> -> memref<32x32xbf16>
  pto.return
}

// -----

pto.func @accumulators(%a: memref<32x32xbf16>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %kept = pto.alloc_tensor : memref<32x32xf32>
  %zero = pto.tfill 0.0 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>
  pto.tstore %zero, %kept[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  scf.for %i = %0 to %1 step %1 {
    %p = pto.tmatmul %t, %t : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
    // expected-error @below {{which is accessed from both sides}}
    pto.tstore %p, %kept[%0, %0] : <tensor<32x32xf32>, acc> -> memref<32x32xf32>
  }
  pto.return
}

// -----

// Both vector kernels read the first row, which only the first one stores.
pto.func @first_half(%a: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>, split = #pto.split<up_down>} {
  %0 = arith.constant 0 : index
  %kept = pto.alloc_tensor : memref<32x32xf32>
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, mat>
  %v = pto.tmove %t : <tensor<32x32xf32>, mat> -> <tensor<32x32xf32>, vec>
  pto.tstore %v, %kept[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  // expected-error @below {{loads tiles that other vector kernels of the group store; split up_down, each may load only what it stores itself}}
  %row = pto.tload %kept[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %s = pto.tadd %v, %row {broadcast = #pto.broadcast<row>, unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %s, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// -----

pto.func @other_shape(%a: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>, split = #pto.split<left_right>} {
  %0 = arith.constant 0 : index
  %kept = pto.alloc_tensor : memref<32x32xf32>
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, mat>
  %v = pto.tmove %t : <tensor<32x32xf32>, mat> -> <tensor<32x32xf32>, vec>
  pto.tstore %v, %kept[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  // expected-error @below {{loads tiles that other vector kernels of the group store; split left_right, each may load only what it stores itself}}
  %half = pto.tload %kept[%0, %0] : memref<32x32xf32> -> <tensor<32x16xf32>, vec>
  pto.tstore %half, %c[%0, %0] : <tensor<32x16xf32>, vec> -> memref<32x32xf32>
  pto.return
}
