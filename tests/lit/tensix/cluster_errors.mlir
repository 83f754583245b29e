// RUN: ttmlir-opt --split-input-file --verify-diagnostics %s

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}
// expected-error @below {{has 1 tiles; a cluster has at least two}}
tensix.cluster @c implements @k on "wormhole_b0" arguments 2 work 4 tiles [@p] rings []

// -----

// expected-error @below {{runs @p, but no 'tensix.program' beside it has this name}}
tensix.cluster @c implements @k on "wormhole_b0" arguments 2 work 4 tiles [@p, @p] rings []

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}
tensix.program @p implements @k on "wormhole_b0" arguments 2 work 3 unpack {} math {} pack {} read {} write {
  tensix.release
}
// expected-error @below {{has work 4, but @p has work 3}}
tensix.cluster @c implements @k on "wormhole_b0" arguments 2 work 4 tiles [@p, @p] rings []

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}
tensix.program @p implements @k on "wormhole_b0" arguments 2 work 4 unpack {} math {} pack {} read {} write {
  tensix.release
}
// expected-error @below {{has a malformed ring; expects consumer tile, ready counter, producer tile, freed counter}}
tensix.cluster @c implements @k on "wormhole_b0" arguments 2 work 4 tiles [@p, @p] rings [[1, 2, 3]]

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}
tensix.program @p implements @k on "wormhole_b0" arguments 2 work 4 unpack {} math {} pack {} read {} write {
  tensix.release
}
// expected-error @below {{has a ring to tile 2, but only 2 tiles}}
tensix.cluster @c implements @k on "wormhole_b0" arguments 2 work 4 tiles [@p, @p] rings [[0, 4, 2, 4]]

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}
tensix.program @p implements @k on "wormhole_b0" arguments 2 work 4 unpack {} math {} pack {} read {} write {
  tensix.release
}
// expected-error @below {{has a ring with counter 368; there are 368}}
tensix.cluster @c implements @k on "wormhole_b0" arguments 2 work 4 tiles [@p, @p] rings [[0, 368, 1, 4]]
