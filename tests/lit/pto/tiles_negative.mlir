// RUN: ttmlir-opt --split-input-file --verify-diagnostics %s

pto.func @load_left(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  // expected-error @below {{loads into mat or vec, not into left}}
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, left>
  pto.return
}

// -----

pto.func @store_right(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, mat>
  %r = pto.tmove %t : <tensor<32x32xf32>, mat> -> <tensor<32x32xf32>, right>
  // expected-error @below {{stores from mat, acc or vec, not from right}}
  pto.tstore %r, %a[%0, %0] : <tensor<32x32xf32>, right> -> memref<32x32xf32>
  pto.return
}

// -----

pto.func @move_converts(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, mat>
  // expected-error @below {{moves !pto.tile<tensor<32x32xf32>, mat> to !pto.tile<tensor<32x32xbf16>, vec>; a move keeps shape, valid part and elements (pto.tcvt converts)}}
  %m = pto.tmove %t : <tensor<32x32xf32>, mat> -> <tensor<32x32xbf16>, vec>
  pto.return
}

// -----

pto.func @move_cuts(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, mat>
  // expected-error @below {{moves !pto.tile<tensor<32x32xf32>, mat> to !pto.tile<tensor<32x32xf32>, vec, valid = 8x32>; a move keeps}}
  %m = pto.tmove %t : <tensor<32x32xf32>, mat> -> <tensor<32x32xf32>, vec, valid = 8x32>
  pto.return
}

// -----

pto.func @move_nowhere(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, mat>
  // expected-error @below {{moves a tile to its own memory space: mat, nd}}
  %m = pto.tmove %t : <tensor<32x32xf32>, mat> -> <tensor<32x32xf32>, mat>
  pto.return
}

// -----

pto.func @move_back(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, mat>
  %l = pto.tmove %t : <tensor<32x32xf32>, mat> -> <tensor<32x32xf32>, left>
  // expected-error @below {{moves a tile from left, which only the matrix unit reads; move the tile it was made of}}
  %m = pto.tmove %l : <tensor<32x32xf32>, left> -> <tensor<32x32xf32>, mat>
  pto.return
}

// -----

pto.func @crossing_in_cube(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, mat>
  // expected-error @below {{has a tile in vec, on the vector side, but is in @crossing_in_cube, a kernel of kind cube}}
  %m = pto.tmove %t : <tensor<32x32xf32>, mat> -> <tensor<32x32xf32>, vec>
  pto.return
}

// -----

pto.func @factor_in_vec(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  // expected-error @below {{its left factor is in vec; expects mat or left}}
  %p = pto.tmatmul %t, %t : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, acc>
  pto.return
}

// -----

pto.func @factors_swapped(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, mat>
  %l = pto.tmove %t : <tensor<32x32xf32>, mat> -> <tensor<32x32xf32>, left>
  // expected-error @below {{its right factor is in left; expects mat or right}}
  %p = pto.tmatmul %t, %l : <tensor<32x32xf32>, mat>, <tensor<32x32xf32>, left> -> <tensor<32x32xf32>, acc>
  pto.return
}

// -----

pto.func @result_in_right(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, mat>
  // expected-error @below {{its result is in right, which only pto.tmove writes}}
  %p = pto.tadd %t, %t {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, mat>, <tensor<32x32xf32>, mat> -> <tensor<32x32xf32>, right>
  pto.return
}

// -----

pto.func @reads_left(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, mat>
  %l = pto.tmove %t : <tensor<32x32xf32>, mat> -> <tensor<32x32xf32>, left>
  // expected-error @below {{operand #1 is in left, which this operation does not read}}
  %p = pto.tadd %t, %l {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, mat>, <tensor<32x32xf32>, left> -> <tensor<32x32xf32>, mat>
  pto.return
}

// -----

pto.func @bias_times(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, mat>
  %l = pto.tmove %t : <tensor<32x32xf32>, mat> -> <tensor<32x32xf32>, bias>
  // expected-error @below {{operand #1 is in bias, which this operation does not read}}
  %p = pto.tmul %t, %l {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, mat>, <tensor<32x32xf32>, bias> -> <tensor<32x32xf32>, mat>
  pto.return
}

// -----

pto.func @across(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, mat>
  %v = pto.tmove %t : <tensor<32x32xf32>, mat> -> <tensor<32x32xf32>, vec>
  // expected-error @below {{operand #0 is in mat, on the cube side, but the result in vec, on the vector side; cross with pto.tmove}}
  %p = pto.tadd %t, %v {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, mat>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.return
}

// -----

pto.func @row_of_another_length(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, mat>
  %f = pto.tfill 1.0 {unit = #pto.unit<sfpu>} : <tensor<1x16xf32>, mat>
  // expected-error @below {{a row of shape [1, 16] does not broadcast to [32, 32]}}
  %p = pto.tadd %t, %f {broadcast = #pto.broadcast<row>, unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, mat>, <tensor<1x16xf32>, mat> -> <tensor<32x32xf32>, mat>
  pto.return
}

// -----

pto.func @choices(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, mat>
  %f = pto.tfill 1.0 {unit = #pto.unit<sfpu>} : <tensor<32x32xbf16>, mat>
  // expected-error @below {{requires the same type for both choices and the result}}
  %p = pto.tsel %t, %t, %f {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, mat>, <tensor<32x32xf32>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, mat>
  pto.return
}

// -----

pto.func @condition(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, mat>
  %f = pto.tfill 1.0 {unit = #pto.unit<sfpu>} : <tensor<16x32xf32>, mat>
  // expected-error @below {{shapes [16, 32] and [32, 32] of condition and result are not the same}}
  %p = pto.tsel %f, %t, %t {unit = #pto.unit<sfpu>} : <tensor<16x32xf32>, mat>, <tensor<32x32xf32>, mat>, <tensor<32x32xf32>, mat> -> <tensor<32x32xf32>, mat>
  pto.return
}

// -----

pto.func @shorter_column(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, mat>
  // expected-error @below {{reduces [32, 32], [32, 32] of them valid, to [16, 1], [16, 1] of them valid; expects a column of unchanged length}}
  %p = pto.trowsum %t {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, mat> -> <tensor<16x1xf32>, mat>
  pto.return
}

// -----

pto.func @less_valid(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, mat>
  // expected-error @below {{reduces [32, 32], [32, 32] of them valid, to [32, 1], [8, 1] of them valid; expects a column of unchanged length}}
  %p = pto.trowsum %t {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, mat> -> <tensor<32x1xf32>, mat, valid = 8x1>
  pto.return
}

// -----

pto.func @two_rows(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, mat>
  // expected-error @below {{leaves 2 valid rows; a reduction leaves 1, as tensor<1x...> or with its valid part given}}
  %p = pto.tcolmax %t {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, mat> -> <tensor<2x32xf32>, mat>
  pto.return
}

// -----

pto.func @all_columns(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, mat>
  // expected-error @below {{leaves 32 valid columns; a reduction leaves 1, as tensor<...x1> or with its valid part given}}
  %p = pto.trowmin %t {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, mat> -> <tensor<32x32xf32>, mat>
  pto.return
}

// -----

pto.func @reduction_converts(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, mat>
  // expected-error @below {{reduces f32 to bf16; convert with pto.tcvt}}
  %p = pto.tcolsum %t {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, mat> -> <tensor<1x32xbf16>, mat>
  pto.return
}

// -----

pto.func @transposed_shape(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %t = pto.tfill 1.0 {unit = #pto.unit<sfpu>} : <tensor<16x32xf32>, mat>
  // expected-error @below {{transposes [16, 32] of f32 to [16, 32] of f32}}
  %p = pto.ttrans %t {unit = #pto.unit<sfpu>} : <tensor<16x32xf32>, mat> -> <tensor<16x32xf32>, mat>
  pto.return
}

// -----

pto.func @fill_a_vector(%a: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  // expected-error @below {{a tile has two dimensions}}
  %p = pto.tfill 1.0 {unit = #pto.unit<sfpu>} : <tensor<32xf32>, vec>
  pto.return
}
