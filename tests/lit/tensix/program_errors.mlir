// RUN: ttmlir-opt --split-input-file --verify-diagnostics %s

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

// expected-error @below {{unknown architecture `grayskull`; known are wormhole_b0 and blackhole}}
tensix.program @arch implements @k on "grayskull" arguments 2 work 4 unpack {
} math {} pack {} read {
} write {
  tensix.release
}

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

// expected-error @below {{work is 0; expects at least 1}}
tensix.program @work implements @k on "wormhole_b0" arguments 2 work 0 unpack {
} math {} pack {} read {
} write {
  tensix.release
}

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

// expected-error @below {{implements @other, but no 'pto.func' beside it has this name}}
tensix.program @symbol implements @other on "wormhole_b0" arguments 2 work 4 unpack {
} math {} pack {} read {
} write {
  tensix.release
}

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

// expected-error @below {{has no tensix.release in write; the other cores would never start}}
tensix.program @never implements @k on "wormhole_b0" arguments 2 work 4 unpack {
} math {} pack {} read {
} write {
}

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

// expected-error @below {{has 2 tensix.release; the other cores start once}}
tensix.program @twice implements @k on "wormhole_b0" arguments 2 work 4 unpack {
} math {} pack {} read {
} write {
  tensix.release
  tensix.release
}

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

tensix.program @nowhere implements @k on "wormhole_b0" arguments 2 work 4 unpack {
  // expected-error @below {{must be in write, outside of loops and branches}}
  tensix.release
} math {} pack {} read {
} write {
}

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

tensix.program @late implements @k on "wormhole_b0" arguments 2 work 4 unpack {
} math {} pack {} read {
} write {
  tensix.release
  // expected-error @below {{is after tensix.release, where thread 0 is no longer that of write}}
  tensix.nop
}

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

tensix.program @pushes_from_read implements @k on "wormhole_b0" arguments 2 work 4 unpack {
} math {} pack {} read {
  // expected-error @below {{is in read, but only the cores of unpack, math and pack have a thread of the coprocessor}}
  tensix.nop
} write {
  tensix.release
}

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

tensix.program @waits_in_write implements @k on "wormhole_b0" arguments 2 work 4 unpack {
} math {} pack {} read {
} write {
  // expected-error @below {{is in write, but only the cores of unpack, math and pack have a thread of the coprocessor}}
  tensix.wait_idle
  tensix.release
}

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

tensix.program @moves implements @k on "wormhole_b0" arguments 2 work 4 unpack {} math {
  %0 = arith.constant 0 : index
  // expected-error @below {{is in math, whose core has no initiator of the NoC; the others have one each}}
  tensix.noc_read page %0 of %0 bytes 2048 to %0 transaction %0
} pack {} read {
} write {
  tensix.release
}

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

tensix.program @waits implements @k on "wormhole_b0" arguments 2 work 4 unpack {} math {
  %0 = arith.constant 0 : index
  // expected-error @below {{is in math, whose core has no initiator of the NoC; the others have one each}}
  tensix.noc_wait transaction %0
} pack {} read {
} write {
  tensix.release
}

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

tensix.program @sends implements @k on "wormhole_b0" arguments 2 work 4 unpack {} math {} pack {
  %0 = arith.constant 0 : index
  // expected-error @below {{bytes is 33, but must be a multiple of 32}}
  tensix.noc_send bytes 33 from %0 to %0 of %0 transaction %0
} read {
} write {
  tensix.release
}

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

tensix.program @posts implements @k on "wormhole_b0" arguments 2 work 4 unpack {} math {} pack {
  %0 = arith.constant 0 : index
  // expected-error @below {{counter is 368, but must be less than 368}}
  tensix.noc_post counter 368 of %0 transaction %0
} read {
} write {
  tensix.release
}

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

tensix.program @odd implements @k on "wormhole_b0" arguments 2 work 4 unpack {
} math {} pack {} read {
  %0 = arith.constant 0 : index
  // expected-error @below {{bytes is 2040, but must be a multiple of 32}}
  tensix.noc_read page %0 of %0 bytes 2040 to %0 transaction %0
} write {
  tensix.release
}

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

tensix.program @long implements @k on "wormhole_b0" arguments 2 work 4 unpack {
} math {} pack {} read {
  %0 = arith.constant 0 : index
  // expected-error @below {{bytes is 8224, but must be less than 8193}}
  tensix.noc_read page %0 of %0 bytes 8224 to %0 transaction %0
} write {
  tensix.release
}

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

tensix.program @no_part implements @k on "wormhole_b0" arguments 2 work 4 unpack {
} math {} pack {} read {
  %0 = arith.constant 0 : index
  // expected-error @below {{length is 0, but must be a multiple of 32}}
  tensix.noc_read page %0 of %0 bytes 2048 length 0 to %0 transaction %0
} write {
  tensix.release
}

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

tensix.program @odd_part implements @k on "wormhole_b0" arguments 2 work 4 unpack {
} math {} pack {} read {
  %0 = arith.constant 0 : index
  // expected-error @below {{length is 48, but must be a multiple of 32}}
  tensix.noc_read page %0 of %0 bytes 2048 length 48 to %0 transaction %0
} write {
  tensix.release
}

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

tensix.program @long_part implements @k on "wormhole_b0" arguments 2 work 4 unpack {
} math {} pack {} read {
  %0 = arith.constant 0 : index
  // expected-error @below {{length is 2080, but must be less than 2049}}
  tensix.noc_read page %0 of %0 bytes 2048 length 2080 to %0 transaction %0
} write {
  tensix.release
}

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

tensix.program @lists implements @k on "wormhole_b0" arguments 2 work 4 unpack {
  // expected-error @below {{is in a 'tensix.program', but belongs to the lists of a 'tensix.kernel'}}
  tensix.wait counter 0 at_least 1
} math {} pack {} read {
} write {
  tensix.release
}

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

tensix.program @tensor implements @k on "wormhole_b0" arguments 2 work 4 unpack {
  // expected-error @below {{is where tensor 2 begins, but the program has only 2}}
  %0 = tensix.argument base 2
} math {} pack {} read {
} write {
  tensix.release
}

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

tensix.program @numberless implements @k on "wormhole_b0" arguments 2 work 4 unpack {
  // expected-error @below {{'imm' requires a number}}
  %0 = tensix.argument imm
} math {} pack {} read {
} write {
  tensix.release
}

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

tensix.program @numbered implements @k on "wormhole_b0" arguments 2 work 4 unpack {
  // expected-error @below {{'first' takes no number}}
  %0 = tensix.argument first 1
} math {} pack {} read {
} write {
  tensix.release
}

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

tensix.program @kind implements @k on "wormhole_b0" arguments 2 work 4 unpack {
  // expected-error @below {{has no kind 'friend'; there are base, imm, peer, passes, extent, place, leads, leader, group, first and last}}
  %0 = tensix.argument friend 1
} math {} pack {} read {
} write {
  tensix.release
}

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

tensix.program @negative implements @k on "wormhole_b0" arguments 2 work 4 unpack {
  // expected-error @below {{imm is -1, but must be an unsigned 32-bit number}}
  %0 = tensix.argument imm -1
} math {} pack {} read {
} write {
  tensix.release
}

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

tensix.program @instruction implements @k on "wormhole_b0" arguments 2 work 4 unpack {
  %0 = arith.constant 0 : index
  // expected-error @below {{unknown instruction 'multiply'}}
  tensix.push "multiply" a = %0
} math {} pack {} read {
} write {
  tensix.release
}

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

tensix.program @operand implements @k on "wormhole_b0" arguments 2 work 4 unpack {
  %0 = arith.constant 0 : index
  // expected-error @below {{has no operand 'a'; it has: clear_dvalid, instr_mod19, addr_mode, dst}}
  tensix.push "mvmul" a = %0
} math {} pack {} read {
} write {
  tensix.release
}

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

tensix.program @constant implements @k on "wormhole_b0" arguments 2 work 4 unpack {
  %0 = arith.constant 0 : index
  // expected-error @below {{has no operand 'a'; it has: clear_dvalid, instr_mod19, addr_mode, dst}}
  tensix.push "mvmul" dst = %0 (a 1)
} math {} pack {} read {
} write {
  tensix.release
}

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

tensix.program @range implements @k on "wormhole_b0" arguments 2 work 4 unpack {
  %0 = arith.constant 0 : index
  // expected-error @below {{MVMUL: addr_mode is 4, but its field holds 0 to 3}}
  tensix.push "mvmul" dst = %0 (addr_mode 4)
} math {} pack {} read {
} write {
  tensix.release
}

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

tensix.program @both implements @k on "wormhole_b0" arguments 2 work 4 unpack {
  %0 = arith.constant 0 : index
  // expected-error @below {{operand 'dst' is both computed and constant}}
  tensix.push "mvmul" dst = %0 (dst 1)
} math {} pack {} read {
} write {
  tensix.release
}

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

tensix.program @pushed_late implements @k on "wormhole_b0" arguments 2 work 4 unpack {
} math {} pack {} read {
} write {
  %0 = arith.constant 0 : index
  tensix.release
  // expected-error @below {{is after tensix.release, where thread 0 is no longer that of write}}
  tensix.push "mvmul" dst = %0
}

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

// expected-error @below {{contains 'arith.constant' on f32; the cores compute with index and i32, which have 32 bits, and i1 (at}}
tensix.program @float implements @k on "wormhole_b0" arguments 2 work 4 unpack {
  %0 = arith.constant 1.0 : f32
} math {} pack {} read {
} write {
  tensix.release
}

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

// expected-error @below {{contains 'arith.index_cast' on i64; the cores compute with index and i32, which have 32 bits, and i1 (at}}
tensix.program @wide implements @k on "wormhole_b0" arguments 2 work 4 unpack {
  %0 = arith.constant 0 : index
  %1 = arith.index_cast %0 : index to i64
} math {} pack {} read {
} write {
  tensix.release
}

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

// expected-error @below {{contains 'scf.execute_region'; a program is made of tensix and arith operations, scf.for and scf.if (at}}
tensix.program @call implements @k on "wormhole_b0" arguments 2 work 4 unpack {
  scf.execute_region {
    scf.yield
  }
} math {} pack {} read {
} write {
  tensix.release
}

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

// expected-error @below {{contains a constant that does not fit into 32 bits (at}}
tensix.program @large implements @k on "wormhole_b0" arguments 2 work 4 unpack {
  %0 = arith.constant 4294967296 : index
} math {} pack {} read {
} write {
  tensix.release
}

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

tensix.program @line implements @k on "wormhole_b0" arguments 2 work 4 unpack {
  // expected-error @below {{counter is 368, but must be less than 368}}
  tensix.post counter 368
} math {} pack {} read {
} write {
  tensix.release
}

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

tensix.program @wide_operand implements @k on "wormhole_b0" arguments 2 work 4 unpack {
  %0 = arith.constant 256 : index
  // expected-error @below {{addr_mode would be 256, but must be 0 to 3}}
  tensix.push "mvmul" addr_mode = %0 (dst 1)
} math {} pack {} read {
} write {
  tensix.release
}

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

tensix.program @wide_limited_operand implements @k on "wormhole_b0" arguments 2 work 4 unpack {
  %0 = arith.constant 256 : index
  // expected-error @below {{value would be 256, but must be 0 to 255}}
  tensix.push "setadc" value = %0 below 256 (dimension_index 2)
} math {} pack {} read {
} write {
  tensix.release
}

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

tensix.program @negative_operand implements @k on "wormhole_b0" arguments 2 work 4 unpack {
  %0 = arith.constant -1 : index
  // expected-error @below {{setc16_value would be -1, but must be 0 to 65535}}
  tensix.push "setc16" setc16_value = %0
} math {} pack {} read {
} write {
  tensix.release
}

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

tensix.program @wide_joined_operand implements @k on "wormhole_b0" arguments 2 work 4 unpack {
  %0 = arith.constant 65536 : index
  // expected-error @below {{payload_sig_sel_size.payload_sig_sel would be 65536, but must be 0 to 65535}}
  tensix.push "setdmareg" payload_sig_sel_size.payload_sig_sel = %0
} math {} pack {} read {
} write {
  tensix.release
}

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

tensix.program @no_limit implements @k on "wormhole_b0" arguments 2 work 4 unpack {
  %0 = arith.constant 0 : index
  // expected-error @below {{below is 0; expects a positive bound}}
  tensix.push "setadc" value = %0 below 0
} math {} pack {} read {
} write {
  tensix.release
}

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

tensix.program @wide_limit implements @k on "wormhole_b0" arguments 2 work 4 unpack {
  %0 = arith.constant 0 : index
  // expected-error @below {{below is 5, but addr_mode holds 0 to 3}}
  tensix.push "mvmul" addr_mode = %0 below 5
} math {} pack {} read {
} write {
  tensix.release
}

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

tensix.program @apart implements @k on "wormhole_b0" arguments 2 work 4 unpack {
  %0 = arith.constant 0 : index
  // expected-error @below {{'payload_sig_sel_size' is not directly above 'reg_index_16b'; they are bits 23:22 and 6:0}}
  tensix.push "setdmareg" payload_sig_sel_size.reg_index_16b = %0
} math {} pack {} read {
} write {
  tensix.release
}

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

tensix.program @both_of_two implements @k on "wormhole_b0" arguments 2 work 4 unpack {
  %0 = arith.constant 0 : index
  // expected-error @below {{operand 'payload_sig_sel_size' is both computed and constant}}
  tensix.push "setdmareg" payload_sig_sel_size.payload_sig_sel = %0 (payload_sig_sel_size 1)
} math {} pack {} read {
} write {
  tensix.release
}

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

tensix.program @transaction implements @k on "wormhole_b0" arguments 2 work 4 unpack {
} math {} pack {} read {
  %0 = arith.constant 0 : index
  %4 = arith.constant 4 : index
  // expected-error @below {{transaction would be 4, but must be 0 to 3}}
  tensix.noc_write page %0 of %0 bytes 2048 from %0 transaction %4
} write {
  tensix.release
}

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

tensix.program @awaited_transaction implements @k on "wormhole_b0" arguments 2 work 4 unpack {
} math {} pack {} read {
  %4 = arith.constant 4 : index
  // expected-error @below {{transaction would be 4, but must be 0 to 3}}
  tensix.noc_wait transaction %4
} write {
  tensix.release
}

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

// expected-error @below {{stands for @code, but no 'tensix.program' or 'tensix.cluster' beside it has this name}}
tensix.alias @no_code implements @k of @code

// -----

// expected-error @below {{implements @k, but no 'pto.func' beside it has this name}}
tensix.alias @no_kernel implements @k of @code

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

tensix.program @loads_bytes implements @k on "wormhole_b0" arguments 2 work 4 unpack {} math {} pack {} read {
  %0 = arith.constant 0 : index
  // expected-error @below {{bytes is 1, but must be 2 or 4}}
  %1 = tensix.load_l1 %0 bytes 1
} write {
  tensix.release
}

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

tensix.program @stores_more implements @k on "wormhole_b0" arguments 2 work 4 unpack {} math {} pack {} read {
  %0 = arith.constant 0 : index
  // expected-error @below {{bytes is 8, but must be 2 or 4}}
  tensix.store_l1 %0 to %0 bytes 8
} write {
  tensix.release
}
// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

// expected-error @below {{has grid [3, 4], but expects rows and columns of pieces, whose product divides the work 4}}
tensix.program @indivisible implements @k on "wormhole_b0" arguments 2 work 4 grid [3, 4] unpack {
} math {} pack {} read {
} write {
  tensix.release
}

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

// expected-error @below {{has grid [0, 4], but expects rows and columns of pieces, whose product divides the work 4}}
tensix.program @empty implements @k on "wormhole_b0" arguments 2 work 4 grid [0, 4] unpack {
} math {} pack {} read {
} write {
  tensix.release
}

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

// expected-error @below {{has grid [1, 2, 2], but expects rows and columns of pieces, whose product divides the work 4}}
tensix.program @long implements @k on "wormhole_b0" arguments 2 work 4 grid [1, 2, 2] unpack {
} math {} pack {} read {
} write {
  tensix.release
}

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

tensix.program @alone implements @k on "wormhole_b0" arguments 2 work 4 unpack {
  // expected-error @below {{concerns a grid of tiles, but the program has no grid}}
  %place = tensix.argument place 0
} math {} pack {} read {
} write {
  tensix.release
}

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

tensix.program @axis implements @k on "wormhole_b0" arguments 2 work 4 grid [2, 2] unpack {
  // expected-error @below {{is of axis 2, but a grid has axes 0 and 1}}
  %group = tensix.argument group 2
} math {} pack {} read {
} write {
  tensix.release
}

// -----

pto.func @k() attributes {kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>} {
  pto.return
}

tensix.program @noc implements @k on "wormhole_b0" arguments 2 work 4 unpack {
} math {} pack {} read {
  %0 = arith.constant 0 : index
  // expected-error @below {{noc is 2, but must be less than 2}}
  tensix.noc_wait transaction %0 noc 2
} write {
  tensix.release
}
