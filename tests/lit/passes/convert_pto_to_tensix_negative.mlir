// RUN: ttmlir-opt --convert-pto-to-tensix --split-input-file --verify-diagnostics %s

// expected-error @below {{accumulates in 16 bits, which is not lowered to Tensix yet; use dst = #pto.dst<f32>}}
pto.func @narrow_accumulators(%a: memref<32x32xbf16>)
    attributes {dst = #pto.dst<b16>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  pto.return
}

// -----

// expected-error @below {{has cluster placement, but is a single kernel; expand it with pto-expand-mixed-kernel}}
pto.func @not_expanded(%a: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>, placement = #pto.placement<cluster>} {
  pto.return
}

// -----

pto.func @never_stored(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  // expected-error @below {{computes a tile that is never stored}}
  %s = pto.tadd %t, %t {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  pto.return
}

// -----

pto.func @another_operation(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  // expected-error @below {{'arith.constant' op is not an index; kernels compute only with tiles and indices}}
  %0 = arith.constant 0.5 : f32
  pto.return
}

// -----

pto.func @unknown_operation(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  // expected-error @below {{'arith.xori' op is not lowered to Tensix}}
  %1 = arith.xori %0, %0 : index
  pto.return
}

// -----

pto.func @overflow(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0x4000000000000000 : index
  // expected-error @below {{overflows an index}}
  %1 = arith.addi %0, %0 : index
  pto.return
}

// -----

pto.func @downwards(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  // expected-error @below {{requires a positive constant step}}
  scf.for %i = %0 to %0 step %0 {
  }
  pto.return
}

// -----

pto.func @outside(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  %s = pto.tadd %t, %t {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  %r = pto.tcvt %s {unit = #pto.unit<pack>} : <tensor<32x32xf32>, acc> -> <tensor<32x32xbf16>, acc>
  // expected-error @below {{accesses tile [1, 0] of argument 1, which has only 1x1 tiles}}
  pto.tstore %r, %c[%1, %0] : <tensor<32x32xbf16>, acc> -> memref<32x32xbf16>
  pto.return
}

// -----

pto.func @outside_of_matrices(%a: memref<2x33x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %4 = arith.constant 4 : index
  %t = pto.tload %a[%4, %0] : memref<2x33x32xbf16> -> <tensor<32x32xbf16>, mat>
  // expected-error @below {{accesses tile [4, 0] of argument 0, which has only 4x1 tiles}}
  %s = pto.tadd %t, %t {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  %r = pto.tcvt %s {unit = #pto.unit<pack>} : <tensor<32x32xf32>, acc> -> <tensor<32x32xbf16>, acc>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xbf16>, acc> -> memref<32x32xbf16>
  pto.return
}

// -----

pto.func @outside_in_the_last_turn(%a: memref<64x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %3 = arith.constant 3 : index
  scf.for %i = %0 to %3 step %1 {
    %t = pto.tload %a[%i, %0] : memref<64x32xbf16> -> <tensor<32x32xbf16>, mat>
    // expected-error @below {{accesses tile [0 to 2, 0] of argument 0, which has only 2x1 tiles}}
    %s = pto.tadd %t, %t {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
    %r = pto.tcvt %s {unit = #pto.unit<pack>} : <tensor<32x32xf32>, acc> -> <tensor<32x32xbf16>, acc>
    pto.tstore %r, %c[%0, %0] : <tensor<32x32xbf16>, acc> -> memref<32x32xbf16>
  }
  pto.return
}

// -----

pto.func @below_zero(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %m = arith.constant -1 : index
  %t = pto.tload %a[%0, %m] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  // expected-error @below {{accesses tile [0, -1] of argument 0, which has only 1x1 tiles}}
  %s = pto.tadd %t, %t {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  %r = pto.tcvt %s {unit = #pto.unit<pack>} : <tensor<32x32xf32>, acc> -> <tensor<32x32xbf16>, acc>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xbf16>, acc> -> memref<32x32xbf16>
  pto.return
}

// -----

pto.func @product_of_accumulator(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  %s = pto.tadd %t, %t {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  // expected-error @below {{of an accumulator is not supported by the matrix unit; use unit = #pto.unit<sfpu>}}
  %p = pto.tmul %s, %t {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, acc>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  pto.return
}

// -----

pto.func @negated_relu(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  %s = pto.tadd %t, %t {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  %p = pto.trelu %s {unit = #pto.unit<pack>} : <tensor<32x32xf32>, acc> -> <tensor<32x32xf32>, acc>
  // expected-error @below {{operand #0 is not readable by the vector unit; widen it with pto.tcvt}}
  %n = pto.tneg %p {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, acc> -> <tensor<32x32xf32>, acc>
  pto.return
}

// -----

pto.func @strange_conversion(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  %s = pto.tadd %t, %t {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  // expected-error @below {{is not lowered to Tensix; supported are widening loaded bf16 to f32 and narrowing computed f32 to bf16}}
  %w = pto.tcvt %s {unit = #pto.unit<pack>} : <tensor<32x32xf32>, acc> -> <tensor<32x32xf16>, acc>
  pto.return
}

// -----

pto.func @relu_not_rounded(%a: memref<32x32xbf16>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  %s = pto.tadd %t, %t {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  %r = pto.trelu %s {unit = #pto.unit<pack>} : <tensor<32x32xf32>, acc> -> <tensor<32x32xf32>, acc>
  // expected-error @below {{packs an unrounded value with relu of unit pack, which the packers do not support; use unit = #pto.unit<sfpu>}}
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, acc> -> memref<32x32xf32>
  pto.return
}

// -----

pto.func @half_precision(%a: memref<32x32xf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  // expected-error @below {{moves f16, which is not lowered to Tensix; use bf16, f32 or i32}}
  %t = pto.tload %a[%0, %0] : memref<32x32xf16> -> <tensor<32x32xf16>, mat>
  pto.return
}

// -----

// Only the orchestration has the argument, so the error is reported there.

// expected-error @below {{has argument memref<32x32xf16>; a group has matrices of f32, bf16 or i32, with extents of 32 bits}}
pto.func @half_precision_given_on(%a: memref<32x32xf16>)
    attributes {kind = #pto.kind<orchestration>, placement = #pto.placement<same_core>} {
  pto.return
}

// -----

pto.func @half_precision_number(%c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  // expected-error @below {{computes with f16, which is not lowered to Tensix; use bf16, f32 or i32}}
  %t = pto.tfill 0.0 {unit = #pto.unit<sfpu>} : <tensor<32x32xf16>, vec>
  pto.return
}

// -----

pto.func @three_dimensions(%a: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  // expected-error @below {{makes !pto.tile<tensor<2x32x32xbf16>, mat>, which is not lowered to Tensix; use a row-major, fully valid tile whose extents are multiples of 32}}
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<2x32x32xbf16>, mat>
  pto.return
}

// -----

pto.func @sum_of_f32(%a: memref<32x32xf32>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, mat>
  // expected-error @below {{operand #1 is f32, of which the matrix unit reads only 19 bits; its element-wise operations require loaded bf16 tiles}}
  %s = pto.tadd %t, %t {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, mat>, <tensor<32x32xf32>, mat> -> <tensor<32x32xf32>, acc>
  pto.return
}

// -----

pto.func @product_of_f32_by_bf16(%a: memref<32x32xf32>, %b: memref<32x32xbf16>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, mat>
  %u = pto.tload %b[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  // expected-error @below {{multiplies f32 tiles by bf16 tiles, which is not lowered to Tensix; cast one factor}}
  %s = pto.tmatmul %t, %u : <tensor<32x32xf32>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  pto.tstore %s, %c[%0, %0] : <tensor<32x32xf32>, acc> -> memref<32x32xf32>
  pto.return
}

// -----

pto.func @products_of_f32_and_of_bf16(%a: memref<32x32xf32>, %b: memref<32x32xbf16>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, mat>
  %u = pto.tload %b[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  // expected-error @below {{multiplies f32 tiles in a kernel that also uses loaded or popped tiles otherwise, which requires another unpacker configuration; compile with fusion=none}}
  %s = pto.tmatmul %t, %t : <tensor<32x32xf32>, mat>, <tensor<32x32xf32>, mat> -> <tensor<32x32xf32>, acc>
  %r = pto.tmatmul_acc %s, %u, %u : <tensor<32x32xf32>, acc>, <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, acc> -> memref<32x32xf32>
  pto.return
}

// -----

pto.func @rows_of_f32(%a: memref<32x64xf32>, %b: memref<1x64xf32>, %c: memref<32x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x64xf32> -> <tensor<32x64xf32>, vec>
  %r = pto.tload %b[%0, %0] : memref<1x64xf32> -> <tensor<32x64xf32>, vec>
  // expected-error @below {{broadcasts 32-bit tiles that were popped or loaded to 1x2 tiles; the vector unit broadcasts only within a tile, use block=1x1}}
  %s = pto.tadd %t, %r {broadcast = #pto.broadcast<row>, unit = #pto.unit<sfpu>} : <tensor<32x64xf32>, vec>, <tensor<32x64xf32>, vec> -> <tensor<32x64xf32>, vec>
  pto.tstore %s, %c[%0, %0] : <tensor<32x64xf32>, vec> -> memref<32x64xf32>
  pto.return
}

// -----

pto.func @both_formats(%a: memref<32x32xf32>, %b: memref<32x32xbf16>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.tload %b[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, vec>
  // expected-error @below {{reads two bf16 tiles with the matrix unit in a kernel that pops or loads f32 tiles, for which unpacker 0 is configured; use unit = #pto.unit<sfpu>}}
  %s = pto.tmul %r, %r {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, vec>, <tensor<32x32xbf16>, vec> -> <tensor<32x32xf32>, vec>
  %u = pto.tadd %s, %t {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %u, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// -----

pto.func @sum_after_negation(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  %s = pto.tadd %t, %t {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  %n = pto.tneg %s {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, acc> -> <tensor<32x32xf32>, acc>
  // expected-error @below {{operand #0 is not a loaded tile}}
  %p = pto.tadd %n, %t {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, acc>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  pto.return
}

// -----

pto.func @sum_beside_negation(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  %s = pto.tadd %t, %t {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  %n = pto.tneg %s {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, acc> -> <tensor<32x32xf32>, acc>
  // expected-error @below {{updates an accumulator that the vector unit or the packers read; they start after all products}}
  %p = pto.tadd %s, %t {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, acc>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  pto.return
}

// -----

pto.func @used_twice(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  %s = pto.tadd %t, %t {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  %p = pto.tadd %s, %t {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, acc>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  // expected-error @below {{reads an accumulator value that was since updated or stored; each value can be used once}}
  %q = pto.tadd %s, %t {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, acc>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  pto.return
}

// -----

pto.func @used_after_its_block(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  %s = pto.tadd %t, %t {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  %r = pto.tcvt %s {unit = #pto.unit<pack>} : <tensor<32x32xf32>, acc> -> <tensor<32x32xbf16>, acc>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xbf16>, acc> -> memref<32x32xbf16>
  %s2 = pto.tadd %t, %t {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  // expected-error @below {{reads a value whose half of Dst was reused for a later value; store results before computing the next value}}
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xbf16>, acc> -> memref<32x32xbf16>
  pto.return
}

// -----

pto.func @relu_of_memory(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  // expected-error @below {{operand #0 is not a computed tile; widen it with pto.tcvt}}
  %r = pto.trelu %t {unit = #pto.unit<pack>} : <tensor<32x32xbf16>, mat> -> <tensor<32x32xbf16>, mat>
  pto.return
}

// -----

pto.func @sum_with_an_accumulator(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  %s = pto.tadd %t, %t {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  // expected-error @below {{operand #1 is not a loaded tile}}
  %p = pto.tadd %t, %s {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, mat>, <tensor<32x32xf32>, acc> -> <tensor<32x32xf32>, acc>
  pto.return
}

// -----

pto.func @sum_of_memory_on_the_vector_unit(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  // expected-error @below {{operand #0 is not readable by the vector unit; widen it with pto.tcvt}}
  %s = pto.tadd %t, %t {unit = #pto.unit<sfpu>} : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  pto.return
}

// -----

pto.func @negation_in_the_packer(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  %s = pto.tadd %t, %t {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  // expected-error @below {{with unit pack is not lowered to Tensix; this lowering uses sfpu}}
  %n = pto.tneg %s {unit = #pto.unit<pack>} : <tensor<32x32xf32>, acc> -> <tensor<32x32xf32>, acc>
  pto.return
}

// -----

pto.func @sum_in_the_packer(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  // expected-error @below {{with unit pack is not lowered to Tensix; this lowering uses fpu or sfpu}}
  %s = pto.tadd %t, %t {unit = #pto.unit<pack>} : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  pto.return
}

// -----

pto.func @spread_accumulator(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  %s = pto.tadd %t, %t {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  %n = pto.tneg %s {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, acc> -> <tensor<32x32xf32>, acc>
  // expected-error @below {{broadcasts operand #1, but only a tile that was loaded and widened can be broadcast}}
  %p = pto.tadd %n, %n {broadcast = #pto.broadcast<row>, unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, acc>, <tensor<32x32xf32>, acc> -> <tensor<32x32xf32>, acc>
  pto.return
}

// -----

pto.func @long_factors(%a: memref<32x64xbf16>, %b: memref<64x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x64xbf16> -> <tensor<32x64xbf16>, mat>
  %u = pto.tload %b[%0, %0] : memref<64x32xbf16> -> <tensor<64x32xbf16>, mat>
  // expected-error @below {{multiplies factors with 2 tiles along the contracted dimension; iterate over it in steps of 32}}
  %s = pto.tmatmul %t, %u : <tensor<32x64xbf16>, mat>, <tensor<64x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  pto.return
}

// -----

pto.func @no_room(%a: memref<64x64xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<64x64xbf16> -> <tensor<64x64xbf16>, mat>
  %s = pto.tadd %t, %t {unit = #pto.unit<fpu>} : <tensor<64x64xbf16>, mat>, <tensor<64x64xbf16>, mat> -> <tensor<64x64xf32>, acc>
  // expected-error @below {{needs room in half of Dst, whose 4 tiles hold 1 values of 4 tiles already; use smaller tiles}}
  %p = pto.tadd %t, %t {unit = #pto.unit<fpu>} : <tensor<64x64xbf16>, mat>, <tensor<64x64xbf16>, mat> -> <tensor<64x64xf32>, acc>
  pto.return
}

// -----

pto.func @no_room_in_dst(%a: memref<64x128xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<64x128xbf16> -> <tensor<64x128xbf16>, mat>
  %s = pto.tadd %t, %t {unit = #pto.unit<fpu>} : <tensor<64x128xbf16>, mat>, <tensor<64x128xbf16>, mat> -> <tensor<64x128xf32>, acc>
  // expected-error @below {{needs room in Dst, whose 8 tiles hold 1 values of 8 tiles already; use smaller tiles}}
  %p = pto.tadd %t, %t {unit = #pto.unit<fpu>} : <tensor<64x128xbf16>, mat>, <tensor<64x128xbf16>, mat> -> <tensor<64x128xf32>, acc>
  pto.return
}

// -----

pto.func @two_shapes(%a: memref<64x64xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<64x64xbf16> -> <tensor<32x32xbf16>, mat>
  %s = pto.tadd %t, %t {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  %u = pto.tload %a[%0, %0] : memref<64x64xbf16> -> <tensor<64x32xbf16>, mat>
  // expected-error @below {{makes 2x1 tiles in half of Dst, which holds values of 1x1; store those first}}
  %p = pto.tadd %u, %u {unit = #pto.unit<fpu>} : <tensor<64x32xbf16>, mat>, <tensor<64x32xbf16>, mat> -> <tensor<64x32xf32>, acc>
  pto.return
}

// -----

pto.func @loads_what_it_stores(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
// expected-error @below {{loads from argument 1, to which the kernel also stores; a Tensix core does not order the two}}
  %t = pto.tload %c[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  %s = pto.tadd %t, %t {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  %r = pto.tcvt %s {unit = #pto.unit<pack>} : <tensor<32x32xf32>, acc> -> <tensor<32x32xbf16>, acc>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xbf16>, acc> -> memref<32x32xbf16>
  pto.return
}

// -----

pto.func @exchanged(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  %s = pto.tmatmul %t, %t : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  %u = pto.tmatmul %t, %t : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  %x:2 = scf.for %i = %0 to %1 step %1 iter_args(%p = %s, %q = %u) -> (!pto.tile<tensor<32x32xf32>, acc>, !pto.tile<tensor<32x32xf32>, acc>) {
    // expected-error @below {{exchanges accumulators; yield each at its own position}}
    scf.yield %q, %p : !pto.tile<tensor<32x32xf32>, acc>, !pto.tile<tensor<32x32xf32>, acc>
  }
  pto.return
}

// -----

pto.func @loop_beside(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  %s = pto.tmatmul %t, %t : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  %x = scf.for %i = %0 to %1 step %1 iter_args(%p = %s) -> (!pto.tile<tensor<32x32xf32>, acc>) {
    // expected-error @below {{is nested in a loop over products, but has no iteration arguments}}
    scf.for %j = %0 to %1 step %1 {
    }
    scf.yield %p : !pto.tile<tensor<32x32xf32>, acc>
  }
  pto.return
}

// -----

pto.func @vector_in_a_loop(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  %s = pto.tmatmul %t, %t : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  %x = scf.for %i = %0 to %1 step %1 iter_args(%p = %s) -> (!pto.tile<tensor<32x32xf32>, acc>) {
    // expected-error @below {{uses the vector unit inside a loop over products}}
    %n = pto.tneg %p {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, acc> -> <tensor<32x32xf32>, acc>
    scf.yield %p : !pto.tile<tensor<32x32xf32>, acc>
  }
  pto.return
}

// -----

pto.func @carried_index(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  // expected-error @below {{updates a value that is not an accumulator of the matrix unit}}
  %x = scf.for %i = %0 to %1 step %1 iter_args(%p = %0) -> (index) {
    scf.yield %p : index
  }
  pto.return
}

// -----

pto.func @part_of_a_tensor(%a: memref<32x96xf32>, %c: memref<32x1xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  // expected-error @below {{loads a tile whose valid part is not the part inside the tensor; declare exactly that part valid}}
  %t = pto.tload %a[%0, %0] : memref<32x96xf32> -> <tensor<32x32xf32>, vec, valid = 8x32>
  pto.return
}

// -----

pto.func @part_of_a_result(%a: memref<32x96xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %t = pto.tload %a[%0, %0] : memref<32x96xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.trowsum %t {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec, valid = 32x1>
  // expected-error @below {{stores a partially valid tile to a tensor with elements beyond the valid part; packers write whole tiles, and zeros only outside the tensor}}
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec, valid = 32x1> -> memref<32x32xf32>
  pto.return
}

// -----

pto.func @by_the_matrix_unit(%a: memref<32x96xf32>, %c: memref<32x1xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %t = pto.tload %a[%0, %0] : memref<32x96xf32> -> <tensor<32x32xf32>, vec>
  // expected-error @below {{with unit fpu is not lowered to Tensix; this lowering uses sfpu}}
  %r = pto.trowsum %t {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec, valid = 32x1>
  pto.return
}

// -----

pto.func @two_tiles(%a: memref<32x128xf32>, %c: memref<32x1xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %t = pto.tload %a[%0, %0] : memref<32x128xf32> -> <tensor<32x64xf32>, vec>
  // expected-error @below {{makes !pto.tile<tensor<32x64xf32>, vec, valid = 32x1>, which is not lowered to Tensix; use a row-major, fully valid tile whose extents are multiples of 32}}
  %r = pto.trowsum %t {unit = #pto.unit<sfpu>} : <tensor<32x64xf32>, vec> -> <tensor<32x64xf32>, vec, valid = 32x1>
  pto.return
}

// -----

pto.func @stored_too(%a: memref<32x96xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x96xf32> -> <tensor<32x32xf32>, vec>
  %n = pto.tneg %t {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %n, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  // expected-error @below {{reduces a tile that is also stored; load it again}}
  %r = pto.trowsum %n {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec, valid = 32x1>
  pto.return
}

// -----

pto.func @kept_too_late(%a: memref<32x96xf32>, %c: memref<32x1xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %t = pto.tload %a[%0, %0] : memref<32x96xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.trowsum %t {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec, valid = 32x1>
  %u = pto.tload %a[%0, %1] : memref<32x96xf32> -> <tensor<32x32xf32>, vec>
  %s = pto.trowsum %u {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec, valid = 32x1>
  // expected-error @below {{reads a running reduction that a later reduction overwrote, or a value in its tile of Dst; only one is live at a time, use it first}}
  %n = pto.tneg %r {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec, valid = 32x1> -> <tensor<32x32xf32>, vec, valid = 32x1>
  pto.return
}

// -----

// The fourth value of the block in between takes the tile of the running reduction.
pto.func @overwritten_by_value(%a: memref<32x128xf32>, %b: memref<32x32xf32>, %c: memref<32x1xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %3 = arith.constant 3 : index
  %t = pto.tload %a[%0, %0] : memref<32x128xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.trowsum %t {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec, valid = 32x1>
  %t0 = pto.tload %a[%0, %0] : memref<32x128xf32> -> <tensor<32x32xf32>, vec>
  %t1 = pto.tload %a[%0, %1] : memref<32x128xf32> -> <tensor<32x32xf32>, vec>
  %t2 = pto.tload %a[%0, %2] : memref<32x128xf32> -> <tensor<32x32xf32>, vec>
  %t3 = pto.tload %a[%0, %3] : memref<32x128xf32> -> <tensor<32x32xf32>, vec>
  %x = pto.tadd %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  %y = pto.tadd %x, %t2 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  %z = pto.tadd %y, %t3 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %z, %b[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  // expected-error @below {{reads a running reduction that a later reduction overwrote, or a value in its tile of Dst; only one is live at a time, use it first}}
  %n = pto.tneg %r {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec, valid = 32x1> -> <tensor<32x32xf32>, vec, valid = 32x1>
  pto.return
}

// -----

pto.func @more_values_beside_reduction(%a: memref<32x128xf32>, %b: memref<32x32xf32>, %c: memref<32x1xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %3 = arith.constant 3 : index
  %t = pto.tload %a[%0, %0] : memref<32x128xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.trowsum %t {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec, valid = 32x1>
  %n = pto.tneg %r {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec, valid = 32x1> -> <tensor<32x32xf32>, vec, valid = 32x1>
  %t0 = pto.tload %a[%0, %0] : memref<32x128xf32> -> <tensor<32x32xf32>, vec>
  %t1 = pto.tload %a[%0, %1] : memref<32x128xf32> -> <tensor<32x32xf32>, vec>
  %t2 = pto.tload %a[%0, %2] : memref<32x128xf32> -> <tensor<32x32xf32>, vec>
  %t3 = pto.tload %a[%0, %3] : memref<32x128xf32> -> <tensor<32x32xf32>, vec>
  %x = pto.tadd %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  // expected-error @below {{computes with more than 3 tiles, which leaves no room in half of Dst for a running reduction; compile with fusion=none}}
  %y = pto.tadd %t2, %t3 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  %z = pto.tadd %x, %y {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %z, %b[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.tstore %n, %c[%0, %0] : <tensor<32x32xf32>, vec, valid = 32x1> -> memref<32x1xf32>
  pto.return
}

// -----

pto.func @combined_otherwise(%a: memref<32x96xf32>, %c: memref<32x1xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %t = pto.tload %a[%0, %0] : memref<32x96xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.trowsum %t {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec, valid = 32x1>
  %u = pto.tload %a[%0, %1] : memref<32x96xf32> -> <tensor<32x32xf32>, vec>
  %s = pto.trowsum %u {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec, valid = 32x1>
  // expected-error @below {{combines reduced tiles with another function or in another order than the reduction, which is not lowered to Tensix}}
  %n = pto.tmax %r, %s {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec, valid = 32x1>, <tensor<32x32xf32>, vec, valid = 32x1> -> <tensor<32x32xf32>, vec, valid = 32x1>
  pto.return
}

// -----

pto.func @carries_another(%a: memref<32x96xf32>, %c: memref<32x1xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %t = pto.tload %a[%0, %0] : memref<32x96xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.trowsum %t {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec, valid = 32x1>
  %x = scf.for %i = %1 to %2 step %1 iter_args(%k = %r) -> (!pto.tile<tensor<32x32xf32>, vec, valid = 32x1>) {
    %u = pto.tload %a[%0, %i] : memref<32x96xf32> -> <tensor<32x32xf32>, vec>
    %s = pto.trowsum %u {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec, valid = 32x1>
    // expected-error @below {{carries a value other than the last running reduction}}
    scf.yield %k : !pto.tile<tensor<32x32xf32>, vec, valid = 32x1>
  }
  pto.return
}

// -----

pto.func @no_room(%a: memref<32x128xf32>, %c: memref<32x1xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %3 = arith.constant 3 : index
  %t0 = pto.tload %a[%0, %0] : memref<32x128xf32> -> <tensor<32x32xf32>, vec>
  %t1 = pto.tload %a[%0, %1] : memref<32x128xf32> -> <tensor<32x32xf32>, vec>
  %t2 = pto.tload %a[%0, %2] : memref<32x128xf32> -> <tensor<32x32xf32>, vec>
  %t3 = pto.tload %a[%0, %3] : memref<32x128xf32> -> <tensor<32x32xf32>, vec>
  %x = pto.tadd %t0, %t1 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  %y = pto.tadd %x, %t2 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  %z = pto.tadd %y, %t3 {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  // expected-error @below {{computes with more than 3 tiles, which leaves no room in half of Dst for a running reduction; compile with fusion=none}}
  %r = pto.trowsum %z {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec, valid = 32x1>
  pto.return
}

// -----

pto.func @order_of_elements(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  // expected-error @below {{makes !pto.tile<tensor<32x32xbf16>, mat, layout = nz>, which is not lowered to Tensix; use a row-major, fully valid tile whose extents are multiples of 32}}
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat, layout = nz>
  pto.return
}

// -----

pto.func @half_a_tile(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  // expected-error @below {{makes !pto.tile<tensor<16x32xbf16>, mat>, which is not lowered to Tensix; use a row-major, fully valid tile whose extents are multiples of 32}}
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<16x32xbf16>, mat>
  pto.return
}

// -----

// expected-error @below {{launches 0 groups; a kernel on Tensix is one}}
pto.func @orchestration() attributes {kind = #pto.kind<orchestration>} {
  pto.return
}

// -----

pto.func @cube(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %peer = pto.import_peer_buffer "sums" of @vector : <32768, vec>
  %p = pto.aic_initialize_pipe %peer : !pto.buffer<32768, vec> -> !pto.pipe<c2v, 8 x 4096>
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  %s = pto.tmatmul %t, %t : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  pto.tpush %s, %p : <tensor<32x32xf32>, acc>, <c2v, 8 x 4096>
  // expected-error @below {{communicates with the other kernel of its group, which has no counterpart at this position}}
  pto.tpush %s, %p : <tensor<32x32xf32>, acc>, <c2v, 8 x 4096>
  pto.return
}
pto.func @vector(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %own = pto.reserve_buffer "sums" auto : <32768, vec>
  %p = pto.aiv_initialize_pipe %own : !pto.buffer<32768, vec> -> !pto.pipe<c2v, 8 x 4096>
  %s = pto.tpop %p : <c2v, 8 x 4096> -> <tensor<32x32xf32>, vec>
  %r = pto.tcvt %s {unit = #pto.unit<pack>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xbf16>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xbf16>, vec> -> memref<32x32xbf16>
  pto.tfree %s, %p : <tensor<32x32xf32>, vec>, <c2v, 8 x 4096>
  pto.return
}
pto.func @group(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>) attributes {kind = #pto.kind<orchestration>} {
  pto.launch cube @cube vector [@vector](%a, %c) : memref<32x32xbf16>, memref<32x32xbf16>
  pto.return
}

// -----

pto.func @cube(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %peer = pto.import_peer_buffer "sums" of @vector : <32768, vec>
  %p = pto.aic_initialize_pipe %peer : !pto.buffer<32768, vec> -> !pto.pipe<c2v, 8 x 4096>
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  %s = pto.tmatmul %t, %t : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  scf.for %i = %0 to %1 step %1 {
    pto.tpush %s, %p : <tensor<32x32xf32>, acc>, <c2v, 8 x 4096>
  }
  pto.return
}
pto.func @vector(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %own = pto.reserve_buffer "sums" auto : <32768, vec>
  %p = pto.aiv_initialize_pipe %own : !pto.buffer<32768, vec> -> !pto.pipe<c2v, 8 x 4096>
  %2 = arith.constant 2 : index
  // expected-error @below {{has bounds that differ from those of its counterpart in the cube kernel}}
  scf.for %i = %0 to %2 step %1 {
  %s = pto.tpop %p : <c2v, 8 x 4096> -> <tensor<32x32xf32>, vec>
  %r = pto.tcvt %s {unit = #pto.unit<pack>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xbf16>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xbf16>, vec> -> memref<32x32xbf16>
  pto.tfree %s, %p : <tensor<32x32xf32>, vec>, <c2v, 8 x 4096>
  }
  pto.return
}
pto.func @group(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>) attributes {kind = #pto.kind<orchestration>} {
  pto.launch cube @cube vector [@vector](%a, %c) : memref<32x32xbf16>, memref<32x32xbf16>
  pto.return
}

// -----

pto.func @cube(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %peer = pto.import_peer_buffer "sums" of @vector : <32768, vec>
  %p = pto.aic_initialize_pipe %peer : !pto.buffer<32768, vec> -> !pto.pipe<c2v, 8 x 4096>
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  %s = pto.tmatmul %t, %t : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  // expected-error @below {{has counterpart 'scf.for' in the vector kernel; two kernels of a group that share a core must have the same loops around pushes and pops}}
  pto.tpush %s, %p : <tensor<32x32xf32>, acc>, <c2v, 8 x 4096>
  pto.return
}
pto.func @vector(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %own = pto.reserve_buffer "sums" auto : <32768, vec>
  %p = pto.aiv_initialize_pipe %own : !pto.buffer<32768, vec> -> !pto.pipe<c2v, 8 x 4096>
  scf.for %i = %0 to %1 step %1 {
  %s = pto.tpop %p : <c2v, 8 x 4096> -> <tensor<32x32xf32>, vec>
  %r = pto.tcvt %s {unit = #pto.unit<pack>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xbf16>, vec>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xbf16>, vec> -> memref<32x32xbf16>
  pto.tfree %s, %p : <tensor<32x32xf32>, vec>, <c2v, 8 x 4096>
  }
  pto.return
}
pto.func @group(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>) attributes {kind = #pto.kind<orchestration>} {
  pto.launch cube @cube vector [@vector](%a, %c) : memref<32x32xbf16>, memref<32x32xbf16>
  pto.return
}

// -----

pto.func @branches(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  // expected-error @below {{is not lowered to Tensix, where all cores of a tile follow the same control flow; if it results from splitting an odd number of tiles, use split=none or another block}}
  %1 = arith.cmpi eq, %0, %0 : index
  pto.return
}

// -----

pto.func @turned_late(%a: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %n = pto.tneg %t {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  // expected-error @below {{transposes a computed tile, which is not lowered to Tensix: the matrix unit transposes before the vector unit computes; compile with fusion=epilogue or fusion=none}}
  %r = pto.ttrans %n {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.return
}

// -----

pto.func @turned_elsewhere(%a: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  // expected-error @below {{with unit sfpu is not lowered to Tensix; this lowering uses fpu}}
  %r = pto.ttrans %t {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.return
}

// -----

pto.func @turned_together(%a: memref<64x64xf32>, %c: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<64x64xf32> -> <tensor<64x64xf32>, vec>
  // expected-error @below {{transposes 2x2 tiles, but only single tiles can be transposed; use block=1x1}}
  %r = pto.ttrans %t {unit = #pto.unit<fpu>} : <tensor<64x64xf32>, vec> -> <tensor<64x64xf32>, vec>
  pto.return
}

// -----

pto.func @turned_beside(%a: memref<32x32xf32>, %c: memref<1x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %s = pto.trowsum %t {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec, valid = 32x1>
  %b = pto.tneg %t {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  // expected-error @below {{transposes a running reduction while an earlier value is not stored; store that value first}}
  %r = pto.ttrans %s {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, vec, valid = 32x1> -> <tensor<32x32xf32>, vec, valid = 1x32>
  pto.return
}

// -----

pto.func @turned_twice(%a: memref<32x32xf32>, %c: memref<1x32xf32>, %d: memref<32x1xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %s = pto.trowsum %t {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec, valid = 32x1>
  %r = pto.ttrans %s {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, vec, valid = 32x1> -> <tensor<32x32xf32>, vec, valid = 1x32>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xf32>, vec, valid = 1x32> -> memref<1x32xf32>
  // expected-error @below {{reads a running reduction that a later reduction overwrote, or a value in its tile of Dst; only one is live at a time, use it first}}
  pto.tstore %s, %d[%0, %0] : <tensor<32x32xf32>, vec, valid = 32x1> -> memref<32x1xf32>
  pto.return
}

// -----

pto.func @more_than_words_on_the_way(%a: memref<64x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %large = arith.constant 0x40000000 : index
  scf.for %i = %0 to %2 step %1 {
    %far = arith.muli %i, %large : index
    %farther = arith.muli %far, %2 : index
    %near = arith.divsi %farther, %large : index
    %x = arith.remsi %near, %2 : index
    %t = pto.tload %a[%x, %0] : memref<64x32xbf16> -> <tensor<32x32xbf16>, mat>
    // expected-error @below {{depends on an index whose value is 0 to 2147483648, but the cores compute with 32 bits}}
    %s = pto.tadd %t, %t {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
    %r = pto.tcvt %s {unit = #pto.unit<pack>} : <tensor<32x32xf32>, acc> -> <tensor<32x32xbf16>, acc>
    pto.tstore %r, %c[%0, %0] : <tensor<32x32xbf16>, acc> -> memref<32x32xbf16>
  }
  pto.return
}

// -----

pto.func @more_turns_than_words(%a: memref<64x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %large = arith.constant 0x80000000 : index
  // expected-error @below {{depends on an index whose value is 2147483648, but the cores compute with 32 bits}}
  scf.for %i = %0 to %large step %1 {
    %t = pto.tload %a[%0, %0] : memref<64x32xbf16> -> <tensor<32x32xbf16>, mat>
    %s = pto.tadd %t, %t {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
    %r = pto.tcvt %s {unit = #pto.unit<pack>} : <tensor<32x32xf32>, acc> -> <tensor<32x32xbf16>, acc>
    pto.tstore %r, %c[%0, %0] : <tensor<32x32xbf16>, acc> -> memref<32x32xbf16>
  }
  pto.return
}

// -----

pto.func @past_the_last_word(%a: memref<64x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %large = arith.constant 0x7fffffff : index
  // expected-error @below {{counts to 2147483647 in steps of 1, which exceeds the 32-bit range of the cores}}
  scf.for %i = %0 to %large step %1 {
    %t = pto.tload %a[%0, %0] : memref<64x32xbf16> -> <tensor<32x32xbf16>, mat>
    %s = pto.tadd %t, %t {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
    %r = pto.tcvt %s {unit = #pto.unit<pack>} : <tensor<32x32xf32>, acc> -> <tensor<32x32xbf16>, acc>
    pto.tstore %r, %c[%0, %0] : <tensor<32x32xbf16>, acc> -> memref<32x32xbf16>
  }
  pto.return
}

// -----

pto.func @negative_without_a_sign(%a: memref<64x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %m = arith.constant -2 : index
  scf.for %i = %m to %2 step %1 {
    %x = arith.remui %i, %2 : index
    %t = pto.tload %a[%x, %0] : memref<64x32xbf16> -> <tensor<32x32xbf16>, mat>
    // expected-error @below {{accesses tile [-9223372036854775808 to 9223372036854775807, 0] of argument 0, which has only 2x1 tiles}}
    %s = pto.tadd %t, %t {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
    %r = pto.tcvt %s {unit = #pto.unit<pack>} : <tensor<32x32xf32>, acc> -> <tensor<32x32xbf16>, acc>
    pto.tstore %r, %c[%0, %0] : <tensor<32x32xbf16>, acc> -> memref<32x32xbf16>
  }
  pto.return
}

// -----

pto.func @larger_than_dram(%a: memref<4294967297x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  // expected-error @below {{moves tiles of 'memref<4294967297x32xbf16>', but the DRAM of wormhole_b0 has only 12 banks of 1073741824 bytes}}
  %t = pto.tload %a[%0, %0] : memref<4294967297x32xbf16> -> <tensor<32x32xbf16>, mat>
  %s = pto.tadd %t, %t {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  %r = pto.tcvt %s {unit = #pto.unit<pack>} : <tensor<32x32xf32>, acc> -> <tensor<32x32xbf16>, acc>
  pto.tstore %r, %c[%0, %0] : <tensor<32x32xbf16>, acc> -> memref<32x32xbf16>
  pto.return
}

// -----

// A product clears Dst, where the sum of the tiles before it is kept.
pto.func @product_in_a_reduction(%a: memref<32x128xbf16>, %c: memref<32x1xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %4 = arith.constant 4 : index
  %t = pto.tload %a[%0, %0] : memref<32x128xbf16> -> <tensor<32x32xbf16>, vec>
  // expected-error @below {{accumulates with the matrix unit in a kernel with a reduction, which would clear the running value; use unit = #pto.unit<sfpu>}}
  %p = pto.tmul %t, %t {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, vec>, <tensor<32x32xbf16>, vec> -> <tensor<32x32xf32>, vec>
  %s = pto.trowsum %p {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec, valid = 32x1>
  %sum = scf.for %k = %1 to %4 step %1 iter_args(%before = %s) -> (!pto.tile<tensor<32x32xf32>, vec, valid = 32x1>) {
    %u = pto.tload %a[%0, %k] : memref<32x128xbf16> -> <tensor<32x32xbf16>, vec>
    %q = pto.tmul %u, %u {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, vec>, <tensor<32x32xbf16>, vec> -> <tensor<32x32xf32>, vec>
    %r = pto.trowsum %q {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec, valid = 32x1>
    %next = pto.tadd %before, %r {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec, valid = 32x1>, <tensor<32x32xf32>, vec, valid = 32x1> -> <tensor<32x32xf32>, vec, valid = 32x1>
    scf.yield %next : !pto.tile<tensor<32x32xf32>, vec, valid = 32x1>
  }
  %b = pto.tcvt %sum {unit = #pto.unit<pack>} : <tensor<32x32xf32>, vec, valid = 32x1> -> <tensor<32x32xbf16>, vec, valid = 32x1>
  pto.tstore %b, %c[%0, %0] : <tensor<32x32xbf16>, vec, valid = 32x1> -> memref<32x1xbf16>
  pto.return
}

// -----

// expected-error @below {{has local tensors of 524288 bytes; a Tensix tile has room for 393216}}
pto.func @large_local(%a: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %kept = pto.alloc_tensor : memref<32x4096xf32>
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.trelu %t {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %r, %kept[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x4096xf32>
  pto.return
}

// -----

pto.func @loads_in_the_loop_of_the_store(%a: memref<32x128xf32>, %c: memref<32x128xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %4 = arith.constant 4 : index
  %kept = pto.alloc_tensor : memref<32x128xf32>
  %s = pto.tload %a[%0, %0] : memref<32x128xf32> -> <tensor<32x32xf32>, vec>
  %q = pto.trelu %s {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %q, %kept[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x128xf32>
  scf.for %i = %1 to %4 step %1 {
    %before = arith.subi %i, %1 : index
    %t = pto.tload %kept[%0, %before] : memref<32x128xf32> -> <tensor<32x32xf32>, vec>
    // expected-error @below {{loads a local tensor in the loop that stores it, which is not lowered to Tensix; load it in a loop of its own after that}}
    %r = pto.trelu %t {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
    pto.tstore %r, %kept[%0, %i] : <tensor<32x32xf32>, vec> -> memref<32x128xf32>
  }
  pto.return
}

// -----

pto.func @local_tiles_apart(%a: memref<64x64xf32>, %c: memref<64x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %kept = pto.alloc_tensor : memref<64x128xf32>
  %t = pto.tload %a[%0, %0] : memref<64x64xf32> -> <tensor<64x64xf32>, vec>
  %r = pto.trelu %t {unit = #pto.unit<sfpu>} : <tensor<64x64xf32>, vec> -> <tensor<64x64xf32>, vec>
  pto.tstore %r, %kept[%0, %0] : <tensor<64x64xf32>, vec> -> memref<64x128xf32>
  %u = pto.tload %kept[%0, %0] : memref<64x128xf32> -> <tensor<64x64xf32>, vec>
  // expected-error @below {{accesses 2x2 tiles of a local tensor of 2x4, which are not all inside or do not follow one another in memory; use block=1x1}}
  pto.tstore %u, %c[%0, %0] : <tensor<64x64xf32>, vec> -> memref<64x64xf32>
  pto.return
}

// -----

pto.func @far_from_local(%a: memref<64x128xf32>, %b: memref<64x128xbf16>, %c: memref<64x128xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  %kept = pto.alloc_tensor : memref<64x1536xf32>
  %t = pto.tload %a[%0, %0] : memref<64x128xf32> -> <tensor<64x128xf32>, mat>
  %w = pto.tmove %t : <tensor<64x128xf32>, mat> -> <tensor<64x128xf32>, acc>
  %u = pto.tload %b[%0, %0] : memref<64x128xbf16> -> <tensor<64x128xbf16>, mat>
  // expected-error @below {{is in a kernel with local tensors and operands up to 688128 in its tile, but an unpacker reaches only 524288 bytes from 98304 on; use smaller tiles}}
  %s = pto.tadd %w, %u {unit = #pto.unit<fpu>} : <tensor<64x128xf32>, acc>, <tensor<64x128xbf16>, mat> -> <tensor<64x128xf32>, acc>
  pto.tstore %s, %kept[%0, %0] : <tensor<64x128xf32>, acc> -> memref<64x1536xf32>
  pto.return
}
