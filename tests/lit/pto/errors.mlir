// RUN: ttmlir-opt --split-input-file --verify-diagnostics %s

// expected-error @below {{memref<32xbf16> is not a memref of known shape with two or three dimensions}}
pto.func @vector(%a: memref<32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  pto.return
}

// -----

// expected-error @below {{memref<0x32xbf16> has no elements}}
pto.func @empty(%a: memref<0x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  pto.return
}

// -----

// expected-error @below {{memref<?x32xbf16> is not a memref of known shape with two or three dimensions}}
pto.func @unknown_extent(%a: memref<?x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  pto.return
}

// -----

// expected-error @below {{failed to verify constraint: region with at least 1 blocks}}
"pto.func"() <{dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, function_type = () -> (), kind = #pto.kind<mixed>, sym_name = "empty"}> ({}) : () -> ()

// -----

pto.func @dynamic_tile(%a: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  // expected-error @below {{!pto.tile<tensor<?x32xbf16>, mat> has a dynamic shape; a tile is 32x32}}
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<?x32xbf16>, mat>
  pto.return
}

// -----

pto.func @load_converts(%a: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  // expected-error @below {{element type of the tile, f32, is not that of memref<32x32xbf16>; convert it with pto.tcvt}}
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xf32>, mat>
  pto.return
}

// -----

pto.func @load_into_acc(%a: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  // expected-error @below {{loads into mat}}
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, acc>
  pto.return
}

// -----

pto.func @store_converts(%a: memref<32x32xbf16>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  // expected-error @below {{element type of the tile, bf16, is not that of memref<32x32xf32>; convert it with pto.tcvt}}
  pto.tstore %t, %c[%0, %0] : <tensor<32x32xbf16>, mat> -> memref<32x32xf32>
  pto.return
}

// -----

pto.func @product_in_mat(%a: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  // expected-error @below {{its result is in acc}}
  %p = pto.tmatmul %t, %t : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, mat>
  pto.return
}

// -----

pto.func @inner_extents(%a: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  %u = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<16x32xbf16>, mat>
  // expected-error @below {{shapes [32, 32] and [16, 32] do not multiply to [32, 32]}}
  %p = pto.tmatmul %t, %u : <tensor<32x32xbf16>, mat>, <tensor<16x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  pto.return
}

// -----

pto.func @rank_of_a_factor(%a: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  %u = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32xbf16>, mat>
  // expected-error @below {{a tile has two dimensions}}
  %p = pto.tmatmul %t, %u : <tensor<32x32xbf16>, mat>, <tensor<32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  pto.return
}

// -----

pto.func @another_accumulator(%a: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  // expected-error @below {{requires the same type for accumulator and result}}
  %p = pto.tmatmul_acc %t, %t, %t : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  pto.return
}

// -----

pto.func @sum_of_shapes(%a: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  %u = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<16x32xbf16>, mat>
  // expected-error @below {{shapes [32, 32], [16, 32] and [32, 32] are not the same}}
  %s = pto.tadd %t, %u {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, mat>, <tensor<16x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  pto.return
}

// -----

pto.func @relu_converts(%a: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  // expected-error @below {{requires the same type for operand and result}}
  %r = pto.trelu %t {unit = #pto.unit<pack>} : <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  pto.return
}

// -----

pto.func @exponential_of_integers(%a: memref<32x32xi32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xi32> -> <tensor<32x32xi32>, vec>
  // expected-error @below {{does not support element type 'i32'; convert with pto.tcvt to 'f32'}}
  %r = pto.texp %t {unit = #pto.unit<sfpu>} : <tensor<32x32xi32>, vec> -> <tensor<32x32xi32>, vec>
  pto.return
}

// -----

pto.func @bits_of_floats(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  // expected-error @below {{does not support element type 'f32'; convert with pto.tcvt to 'i32'}}
  %r = pto.tand %t, %t {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.return
}

// -----

pto.func @conversion_of_shape(%a: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  // expected-error @below {{shapes [32, 32] and [16, 32] are not the same}}
  %r = pto.tcvt %t {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, mat> -> <tensor<16x32xf32>, acc>
  pto.return
}

// -----

pto.func @conversion_to_itself(%a: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  // expected-error @below {{converts bf16 to itself; a move never converts}}
  %r = pto.tcvt %t {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, mat> -> <tensor<32x32xbf16>, acc>
  pto.return
}
