// RUN: ttmlir-opt --split-input-file --verify-diagnostics %s

// expected-error @below {{valid = 8x8x8 has 3 extents, but the tile 2}}
func.func private @rank_of_valid(!pto.tile<tensor<32x32xf32>, mat, valid = 8x8x8>)

// -----

// expected-error @below {{valid = 8x33 is more than the tile, 32x32}}
func.func private @valid_beyond(!pto.tile<tensor<32x32xf32>, mat, valid = 8x33>)

// -----

// expected-error @below {{valid = 32x32 is the whole tile; leave it out}}
func.func private @valid_everywhere(!pto.tile<tensor<32x32xf32>, mat, valid = 32x32>)

// -----

// expected-error @below {{expected the valid rows and columns, such as 30x20}}
func.func private @valid_nothing(!pto.tile<tensor<32x32xf32>, mat, valid = >)

// -----

// expected-error @below {{expected 'layout' or 'valid', once each and in this order}}
func.func private @wrong_order(!pto.tile<tensor<32x32xf32>, mat, valid = 8x8, layout = nz>)

// -----

// expected-error @below {{expected 'layout' or 'valid', once each and in this order}}
func.func private @unknown_option(!pto.tile<tensor<32x32xf32>, mat, order = nz>)

// -----

// expected-error @below {{expected one of mat, acc, left, right, bias, vec; got 'ub'}}
func.func private @unknown_space(!pto.tile<tensor<32x32xf32>, ub>)

// -----

// expected-error @below {{expected one of nd, dn, nz, zn; got 'zz'}}
func.func private @unknown_layout(!pto.tile<tensor<32x32xf32>, mat, layout = zz>)

// -----

// expected-error @below {{a buffer of 0 bytes holds no ring}}
func.func private @empty_buffer(!pto.buffer<0, vec>)

// -----

// expected-error @below {{a buffer in acc; rings are in mat, for the cube side, or in vec, for the vector side}}
func.func private @buffer_of_accumulators(!pto.buffer<4096, acc>)

// -----

// expected-error @below {{a ring of 0 slots of 4096 bytes; there must be at least one of each}}
func.func private @no_slots(!pto.pipe<c2v, 0 x 4096>)

// -----

// expected-error @below {{a ring of 8 slots of 0 bytes; there must be at least one of each}}
func.func private @empty_slots(!pto.pipe<v2c, 8 x 0>)

// -----

// expected-error @below {{a ring of 4611686018427387904 slots of 4 bytes is larger than any memory}}
func.func private @huge_ring(!pto.pipe<c2v, 4611686018427387904 x 4>)

// -----

// expected-error @below {{expected positive tile extents}}
func.func private @empty_tile(!pto.tile<tensor<0x32xf32>, mat>)

// -----

// expected-error @below {{a tile of 2147483648x1024 elements is larger than any memory}}
func.func private @huge_tile(!pto.tile<tensor<2147483648x1024xf32>, mat>)
