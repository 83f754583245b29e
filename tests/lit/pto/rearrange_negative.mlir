// RUN: ttmlir-opt --split-input-file --verify-diagnostics %s

pto.func @no_operand(%a: memref<2x3xf32>, %b: memref<2x3xf32>) attributes {kind = #pto.kind<movement>} {
  // expected-error @below {{'pto.rearrange' op there is no operand 1 to copy}}
  pto.rearrange %a : memref<2x3xf32> to %b : memref<2x3xf32> {copies = [{extents = array<i64: 2, 3>, operand = 1 : i64, result_offset = 0 : i64, result_strides = array<i64: 3, 1>,
      source_offset = 0 : i64, source_strides = array<i64: 3, 1>}], fill = 0.0 : f64}
  pto.return
}

// -----

pto.func @outside(%a: memref<2x3xf32>, %b: memref<2x3xf32>) attributes {kind = #pto.kind<movement>} {
  // expected-error @below {{a copy reads beyond its operand: its elements are 1 to 6, of an array of 6}}
  pto.rearrange %a : memref<2x3xf32> to %b : memref<2x3xf32> {copies = [{extents = array<i64: 2, 3>, operand = 0 : i64, result_offset = 0 : i64, result_strides = array<i64: 3, 1>,
      source_offset = 1 : i64, source_strides = array<i64: 3, 1>}], fill = 0.0 : f64}
  pto.return
}

// -----

pto.func @below(%a: memref<2x3xf32>, %b: memref<2x3xf32>) attributes {kind = #pto.kind<movement>} {
  // expected-error @below {{a copy reads beyond its operand: its elements are -2 to 3, of an array of 6}}
  pto.rearrange %a : memref<2x3xf32> to %b : memref<2x3xf32> {copies = [{extents = array<i64: 2, 3>, operand = 0 : i64, result_offset = 0 : i64, result_strides = array<i64: 3, 1>,
      source_offset = 0 : i64, source_strides = array<i64: 3, -1>}], fill = 0.0 : f64}
  pto.return
}

// -----

pto.func @beyond(%a: memref<2x3xf32>, %b: memref<2x3xf32>) attributes {kind = #pto.kind<movement>} {
  // expected-error @below {{a copy writes beyond the result: its elements are 1 to 6, of an array of 6}}
  pto.rearrange %a : memref<2x3xf32> to %b : memref<2x3xf32> {copies = [{extents = array<i64: 2, 3>, operand = 0 : i64, result_offset = 1 : i64, result_strides = array<i64: 3, 1>,
      source_offset = 0 : i64, source_strides = array<i64: 3, 1>}], fill = 0.0 : f64}
  pto.return
}

// -----

pto.func @not_nested(%a: memref<2x3xf32>, %b: memref<2x3xf32>) attributes {kind = #pto.kind<movement>} {
  // expected-error @below {{the dimensions of a copy are not nested in the result, the outermost first}}
  pto.rearrange %a : memref<2x3xf32> to %b : memref<2x3xf32> {copies = [{extents = array<i64: 2, 3>, operand = 0 : i64, result_offset = 0 : i64, result_strides = array<i64: 1, 2>,
      source_offset = 0 : i64, source_strides = array<i64: 3, 1>}], fill = 0.0 : f64}
  pto.return
}

// -----

pto.func @ranks(%a: memref<2x3xf32>, %b: memref<2x3xf32>) attributes {kind = #pto.kind<movement>} {
  // expected-error @below {{a copy reads beyond its operand: it has 2 extents and 1 strides; there are as many of each, 32 at most}}
  pto.rearrange %a : memref<2x3xf32> to %b : memref<2x3xf32> {copies = [{extents = array<i64: 2, 3>, operand = 0 : i64, result_offset = 0 : i64, result_strides = array<i64: 3, 1>,
      source_offset = 0 : i64, source_strides = array<i64: 1>}], fill = 0.0 : f64}
  pto.return
}

// -----

pto.func @nothing(%a: memref<2x3xf32>, %b: memref<2x3xf32>) attributes {kind = #pto.kind<movement>} {
  // expected-error @below {{a copy reads beyond its operand: it has no elements, or too many}}
  pto.rearrange %a : memref<2x3xf32> to %b : memref<2x3xf32> {copies = [{extents = array<i64: 2, 0>, operand = 0 : i64, result_offset = 0 : i64, result_strides = array<i64: 3, 1>,
      source_offset = 0 : i64, source_strides = array<i64: 3, 1>}], fill = 0.0 : f64}
  pto.return
}

// -----

pto.func @twice(%a: memref<2x3xf32>, %b: memref<2x3xf32>) attributes {kind = #pto.kind<movement>} {
  // expected-error @below {{12 elements are copied to a result of 6}}
  pto.rearrange %a : memref<2x3xf32> to %b : memref<2x3xf32> {copies = [{extents = array<i64: 2, 3>, operand = 0 : i64, result_offset = 0 : i64, result_strides = array<i64: 3, 1>,
      source_offset = 0 : i64, source_strides = array<i64: 3, 1>}, {extents = array<i64: 2, 3>, operand = 0 : i64, result_offset = 0 : i64, result_strides = array<i64: 3, 1>,
      source_offset = 0 : i64, source_strides = array<i64: 3, 1>}], fill = 0.0 : f64}
  pto.return
}

// -----

pto.func @negative(%a: memref<2x3xf32>, %b: memref<2x3xf32>) attributes {kind = #pto.kind<movement>} {
  // expected-error @below {{entry 0 of copies has no number 'source_offset' of 0 or more}}
  pto.rearrange %a : memref<2x3xf32> to %b : memref<2x3xf32> {copies = [{extents = array<i64: 2, 3>, operand = 0 : i64, result_offset = 0 : i64, result_strides = array<i64: 3, 1>,
      source_offset = -1 : i64, source_strides = array<i64: 3, 1>}], fill = 0.0 : f64}
  pto.return
}

// -----

pto.func @negative_extent(%a: memref<2x3xf32>, %b: memref<2x3xf32>) attributes {kind = #pto.kind<movement>} {
  // expected-error @below {{entry 0 of copies has a negative number in 'extents'}}
  pto.rearrange %a : memref<2x3xf32> to %b : memref<2x3xf32> {copies = [{extents = array<i64: -2, 3>, operand = 0 : i64, result_offset = 0 : i64, result_strides = array<i64: 3, 1>,
      source_offset = 0 : i64, source_strides = array<i64: 3, 1>}], fill = 0.0 : f64}
  pto.return
}

// -----

pto.func @no_array(%a: memref<2x3xf32>, %b: memref<2x3xf32>) attributes {kind = #pto.kind<movement>} {
  // expected-error @below {{entry 0 of copies has no array 'source_strides' of integers}}
  pto.rearrange %a : memref<2x3xf32> to %b : memref<2x3xf32> {copies = [{extents = array<i64: 2, 3>, operand = 0 : i64, result_offset = 0 : i64, result_strides = array<i64: 3, 1>,
      source_offset = 0 : i64, source_strides = 3 : i64}], fill = 0.0 : f64}
  pto.return
}

// -----

pto.func @no_dictionary(%a: memref<2x3xf32>, %b: memref<2x3xf32>) attributes {kind = #pto.kind<movement>} {
  // expected-error @below {{entry 0 of copies has no number 'operand' of 0 or more}}
  pto.rearrange %a : memref<2x3xf32> to %b : memref<2x3xf32> {copies = [1 : i64], fill = 0.0 : f64}
  pto.return
}

// -----

pto.func @elements(%a: memref<2x3xbf16>, %b: memref<2x3xf32>) attributes {kind = #pto.kind<movement>} {
  // expected-error @below {{moves elements of memref<2x3xbf16> to memref<2x3xf32>; elements keep their type}}
  pto.rearrange %a : memref<2x3xbf16> to %b : memref<2x3xf32> {copies = [{extents = array<i64: 2, 3>, operand = 0 : i64, result_offset = 0 : i64, result_strides = array<i64: 3, 1>,
      source_offset = 0 : i64, source_strides = array<i64: 3, 1>}], fill = 0.0 : f64}
  pto.return
}

// -----

pto.func @itself(%b: memref<2x3xf32>) attributes {kind = #pto.kind<movement>} {
  // expected-error @below {{moves elements of a tensor to itself; expects another target}}
  pto.rearrange %b : memref<2x3xf32> to %b : memref<2x3xf32> {copies = [{extents = array<i64: 2, 3>, operand = 0 : i64, result_offset = 0 : i64, result_strides = array<i64: 3, 1>,
      source_offset = 0 : i64, source_strides = array<i64: 3, 1>}], fill = 0.0 : f64}
  pto.return
}

// -----

pto.func @no_matrices(%a: memref<64xi8>, %b: memref<2x3xf32>) attributes {kind = #pto.kind<movement>} {
  // expected-error @below {{memref<64xi8> is not a memref of known shape with two or three dimensions}}
  pto.rearrange %a : memref<64xi8> to %b : memref<2x3xf32> {copies = [{extents = array<i64: 2, 3>, operand = 0 : i64, result_offset = 0 : i64, result_strides = array<i64: 3, 1>,
      source_offset = 0 : i64, source_strides = array<i64: 3, 1>}], fill = 0.0 : f64}
  pto.return
}

// -----

pto.func @other_kind(%a: memref<2x3xf32>, %b: memref<2x3xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  // expected-error @below {{is in @other_kind, a kernel of kind vector; expects one of kind movement}}
  pto.rearrange %a : memref<2x3xf32> to %b : memref<2x3xf32> {copies = [], fill = 0.0 : f64}
  pto.return
}

// -----

// expected-error @below {{'pto.func' op is of kind movement, which has one pto.rearrange and nothing else}}
pto.func @empty(%a: memref<2x3xf32>, %b: memref<2x3xf32>) attributes {kind = #pto.kind<movement>} {
  pto.return
}

// -----

// expected-error @below {{is of kind movement, which has one pto.rearrange and nothing else}}
pto.func @more(%a: memref<2x3xf32>, %b: memref<2x3xf32>) attributes {kind = #pto.kind<movement>} {
  %0 = arith.constant 0 : index
  pto.rearrange %a : memref<2x3xf32> to %b : memref<2x3xf32> {copies = [], fill = 0.0 : f64}
  pto.return
}

// -----

// expected-error @below {{of kind movement has a placement; that is for a mixed kernel, or for the orchestration that launches a group}}
pto.func @placed(%a: memref<2x3xf32>, %b: memref<2x3xf32>)
    attributes {kind = #pto.kind<movement>, placement = #pto.placement<same_core>} {
  pto.rearrange %a : memref<2x3xf32> to %b : memref<2x3xf32> {copies = [], fill = 0.0 : f64}
  pto.return
}

// -----

pto.func @not_integers(%a: memref<2x3xf32>, %i: memref<1x2xf32>, %b: memref<2x3xf32>) attributes {kind = #pto.kind<movement>} {
  // expected-error @below {{looks positions up in memref<1x2xf32>; expects 32-bit integers}}
  pto.rearrange %a, %i : memref<2x3xf32>, memref<1x2xf32> to %b : memref<2x3xf32> {copies = [{extents = array<i64: 2, 3>, operand = 0 : i64, result_offset = 0 : i64,
      result_strides = array<i64: 3, 1>, source_offset = 0 : i64, source_strides = array<i64: 3, 1>}], fill = 0.0 : f64, lookup = {indices = 1 : i64, rows = 2 : i64}}
  pto.return
}

// -----

pto.func @no_rows(%a: memref<2x3xf32>, %i: memref<1x2xi32>, %b: memref<2x3xf32>) attributes {kind = #pto.kind<movement>} {
  // expected-error @below {{lookup has no number 'rows' of 0 or more}}
  pto.rearrange %a, %i : memref<2x3xf32>, memref<1x2xi32> to %b : memref<2x3xf32> {copies = [{extents = array<i64: 2, 3>, operand = 0 : i64, result_offset = 0 : i64,
      result_strides = array<i64: 3, 1>, source_offset = 0 : i64, source_strides = array<i64: 3, 1>}], fill = 0.0 : f64, lookup = {indices = 1 : i64}}
  pto.return
}

// -----

pto.func @too_few(%a: memref<2x3xf32>, %i: memref<1x3xi32>, %b: memref<2x3xf32>) attributes {kind = #pto.kind<movement>} {
  // expected-error @below {{a lookup needs one copy, with an index for each position along its first dimension}}
  pto.rearrange %a, %i : memref<2x3xf32>, memref<1x3xi32> to %b : memref<2x3xf32> {copies = [{extents = array<i64: 2, 3>, operand = 0 : i64, result_offset = 0 : i64,
      result_strides = array<i64: 3, 1>, source_offset = 0 : i64, source_strides = array<i64: 3, 1>}], fill = 0.0 : f64, lookup = {indices = 1 : i64, rows = 2 : i64}}
  pto.return
}
