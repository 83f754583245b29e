// RUN: ttmlir-opt --convert-pto-to-tensix --split-input-file --verify-diagnostics %s

// expected-error @below {{accumulates in 16 bits, which is not lowered to Tensix yet; use dst = #pto.dst<f32>}}
pto.func @narrow_accumulators(%a: memref<32x32xbf16>)
    attributes {dst = #pto.dst<b16>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  pto.return
}

// -----

pto.func @never_stored(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  // expected-error @below {{computes a tile that is never stored}}
  %w = pto.tcvt %t {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  pto.return
}

// -----

pto.func @another_operation(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  // expected-error @below {{'arith.constant' op is no index; kernels compute with tiles and indices only}}
  %0 = arith.constant 0.5 : f32
  pto.return
}

// -----

pto.func @unknown_operation(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  // expected-error @below {{'arith.subi' op is not lowered to Tensix}}
  %1 = arith.subi %0, %0 : index
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
  // expected-error @below {{has step 0; a loop counts upwards}}
  scf.for %i = %0 to %0 step %0 {
  }
  pto.return
}

// -----

pto.func @outside(%a: memref<33x65xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %2 = arith.constant 2 : index
  // expected-error @below {{tile [2, 0] lies outside of 2x3 tiles}}
  %t = pto.tload %a[%2, %0] : memref<33x65xbf16> -> <tensor<32x32xbf16>, mat>
  pto.return
}

// -----

pto.func @outside_of_matrices(%a: memref<2x33x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %4 = arith.constant 4 : index
  // expected-error @below {{tile [4, 0] lies outside of 4x1 tiles}}
  %t = pto.tload %a[%4, %0] : memref<2x33x32xbf16> -> <tensor<32x32xbf16>, mat>
  pto.return
}

// -----

pto.func @below_zero(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %m = arith.constant -1 : index
  // expected-error @below {{tile [0, -1] lies outside of 1x1 tiles}}
  %t = pto.tload %a[%0, %m] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  pto.return
}

// -----

pto.func @product_of_accumulator(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  %w = pto.tcvt %t {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  // expected-error @below {{of an accumulator is not lowered to Tensix; only pto.tadd is}}
  %p = pto.tmul %w, %t {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, acc>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  pto.return
}

// -----

pto.func @negated_relu(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  %w = pto.tcvt %t {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  %r = pto.trelu %w {unit = #pto.unit<pack>} : <tensor<32x32xf32>, acc> -> <tensor<32x32xf32>, acc>
  // expected-error @below {{comes after a pto.trelu of the packer, which must be last}}
  %n = pto.tneg %r {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, acc> -> <tensor<32x32xf32>, acc>
  pto.return
}

// -----

pto.func @strange_conversion(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  // expected-error @below {{is not lowered to Tensix; bf16 in mat widens to f32 in acc, f32 in acc narrows to bf16 in acc}}
  %w = pto.tcvt %t {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, mat>
  pto.return
}

// -----

pto.func @not_rounded(%a: memref<32x32xbf16>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  %w = pto.tcvt %t {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  // expected-error @below {{stores an accumulator that was not converted to the type of the tensor}}
  pto.tstore %w, %c[%0, %0] : <tensor<32x32xf32>, acc> -> memref<32x32xf32>
  pto.return
}

// -----

pto.func @two_accumulators(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  %w = pto.tcvt %t {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  // expected-error @below {{begins a second accumulator before the first is stored (begun at }}
  %v = pto.tcvt %t {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  pto.return
}

// -----

pto.func @sum_after_negation(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  %w = pto.tcvt %t {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  %n = pto.tneg %w {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, acc> -> <tensor<32x32xf32>, acc>
  // expected-error @below {{adds to an accumulator after its last operation, pto.tneg or pto.trelu}}
  %s = pto.tadd %n, %t {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, acc>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  pto.return
}

// -----

pto.func @relu_after_rounding(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  %w = pto.tcvt %t {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  %n = pto.tcvt %w {unit = #pto.unit<pack>} : <tensor<32x32xf32>, acc> -> <tensor<32x32xbf16>, acc>
  // expected-error @below {{comes after the conversion by the packer, which must be last}}
  %r = pto.trelu %n {unit = #pto.unit<pack>} : <tensor<32x32xbf16>, acc> -> <tensor<32x32xbf16>, acc>
  pto.return
}

// -----

pto.func @used_twice(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  %w = pto.tcvt %t {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  %n = pto.tcvt %w {unit = #pto.unit<pack>} : <tensor<32x32xf32>, acc> -> <tensor<32x32xbf16>, acc>
  // expected-error @below {{reads an accumulator that was changed or stored since; its values are used once}}
  %m = pto.tcvt %w {unit = #pto.unit<pack>} : <tensor<32x32xf32>, acc> -> <tensor<32x32xbf16>, acc>
  pto.return
}

// -----

pto.func @stored_twice(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  %w = pto.tcvt %t {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  %n = pto.tcvt %w {unit = #pto.unit<pack>} : <tensor<32x32xf32>, acc> -> <tensor<32x32xbf16>, acc>
  pto.tstore %n, %c[%0, %0] : <tensor<32x32xbf16>, acc> -> memref<32x32xbf16>
  // expected-error @below {{reads an accumulator that was changed or stored since; its values are used once}}
  pto.tstore %n, %c[%0, %0] : <tensor<32x32xbf16>, acc> -> memref<32x32xbf16>
  pto.return
}

// -----

pto.func @relu_of_memory(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  // expected-error @below {{operand #0 is no accumulator; convert it with pto.tcvt}}
  %r = pto.trelu %t {unit = #pto.unit<pack>} : <tensor<32x32xbf16>, mat> -> <tensor<32x32xbf16>, mat>
  pto.return
}

// -----

pto.func @too_long(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %n = arith.constant 262145 : index
  // expected-error @below {{is unrolled more than 262144 times; kernels of this size need loops in RISC-V code}}
  scf.for %i = %0 to %n step %1 {
    %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
    %w = pto.tcvt %t {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
    %r = pto.tcvt %w {unit = #pto.unit<pack>} : <tensor<32x32xf32>, acc> -> <tensor<32x32xbf16>, acc>
    pto.tstore %r, %c[%0, %0] : <tensor<32x32xbf16>, acc> -> memref<32x32xbf16>
  }
  pto.return
}

// -----

pto.func @sum_with_an_accumulator(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  %w = pto.tcvt %t {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  // expected-error @below {{operand #1 is not a tile in mat}}
  %p = pto.tadd %t, %w {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, mat>, <tensor<32x32xf32>, acc> -> <tensor<32x32xf32>, acc>
  pto.return
}

// -----

pto.func @sum_on_the_vector_unit(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  // expected-error @below {{with unit sfpu is not lowered to Tensix; this lowering uses fpu}}
  %s = pto.tadd %t, %t {unit = #pto.unit<sfpu>} : <tensor<32x32xbf16>, mat>, <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  pto.return
}

// -----

pto.func @negation_in_the_packer(%a: memref<32x32xbf16>, %c: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat>
  %w = pto.tcvt %t {unit = #pto.unit<fpu>} : <tensor<32x32xbf16>, mat> -> <tensor<32x32xf32>, acc>
  // expected-error @below {{with unit pack is not lowered to Tensix; this lowering uses sfpu}}
  %n = pto.tneg %w {unit = #pto.unit<pack>} : <tensor<32x32xf32>, acc> -> <tensor<32x32xf32>, acc>
  pto.return
}

// -----

pto.func @too_long_without_steps(%a: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %n = arith.constant 0x7fffffffffffffff : index
  // expected-error @below {{is unrolled more than 262144 times; kernels of this size need loops in RISC-V code}}
  scf.for %i = %0 to %n step %1 {
  }
  pto.return
}

// -----

// One iteration: there is no index after it.
pto.func @last_index() attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %1 = arith.constant 1 : index
  %n = arith.constant 0x7fffffffffffffff : index
  scf.for %i = %1 to %n step %n {
  }
  pto.return
}

// -----

// expected-error @below {{of kind vector is not lowered to Tensix yet; mixed and cube kernels without pipes are}}
pto.func @vector_kernel(%a: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  pto.return
}

// -----

// expected-error @below {{of kind orchestration is not lowered to Tensix yet; mixed and cube kernels without pipes are}}
pto.func @orchestration() attributes {kind = #pto.kind<orchestration>} {
  pto.return
}

// -----

pto.func @vector_tile(%a: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  // expected-error @below {{makes !pto.tile<tensor<32x32xbf16>, vec>, which is not lowered to Tensix; tiles of 32x32 elements in mat or acc are, row by row and valid everywhere}}
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, vec>
  pto.return
}

// -----

pto.func @part_of_a_tile(%a: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  // expected-error @below {{makes !pto.tile<tensor<32x32xbf16>, mat, valid = 8x32>, which is not lowered to Tensix; tiles of 32x32 elements in mat or acc are, row by row and valid everywhere}}
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat, valid = 8x32>
  pto.return
}

// -----

pto.func @order_of_elements(%a: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  // expected-error @below {{makes !pto.tile<tensor<32x32xbf16>, mat, layout = nz>, which is not lowered to Tensix; tiles of 32x32 elements in mat or acc are, row by row and valid everywhere}}
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<32x32xbf16>, mat, layout = nz>
  pto.return
}

// -----

pto.func @half_a_tile(%a: memref<32x32xbf16>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  // expected-error @below {{makes !pto.tile<tensor<16x32xbf16>, mat>, which is not lowered to Tensix; tiles of 32x32 elements in mat or acc are, row by row and valid everywhere}}
  %t = pto.tload %a[%0, %0] : memref<32x32xbf16> -> <tensor<16x32xbf16>, mat>
  pto.return
}
