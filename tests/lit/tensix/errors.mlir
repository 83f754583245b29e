// RUN: ttmlir-opt --split-input-file --verify-diagnostics %s

// expected-error @below {{unknown architecture `grayskull`; known are wormhole_b0 and blackhole}}
tensix.kernel @arch on "grayskull" arguments 0 unpack {} math {} pack {} dm {}

// -----

// expected-error @below {{moves argument 2, but has only 2}}
tensix.kernel @argument on "wormhole_b0" arguments 2 unpack {} math {} pack {} dm {
  tensix.read argument 2 page 0 l1 98304
}

// -----

tensix.kernel @operand on "wormhole_b0" arguments 0 unpack {} math {
  // expected-error @below {{MVMUL: addr_mode is 4, but its field holds 0 to 3}}
  tensix.mvmul (addr_mode 4)
} pack {} dm {}

// -----

// Features that exist on one chip only.
tensix.kernel @chip on "wormhole_b0" arguments 0 unpack {} math {
  // expected-error @below {{wormhole_b0 has no SFPGT}}
  tensix.sfpgt (lreg_c 1)
} pack {} dm {}

// -----

tensix.kernel @operand_of_another on "blackhole" arguments 0 unpack {} math {} pack {
  // expected-error @below {{has no operand 'pack_sel'; it has: cfg_context, row_pad_zero, dst_access_mode, addr_mode}}
  tensix.pacr (pack_sel 1)
} dm {}

// -----

tensix.kernel @name on "wormhole_b0" arguments 0 unpack {} math {
  // expected-error @below {{has no operand 'addrmode'; it has: clear_dvalid, instr_mod19, addr_mode, dst}}
  tensix.mvmul (addrmode 1)
} pack {} dm {}

// -----

tensix.kernel @thread on "wormhole_b0" arguments 1 unpack {
  // expected-error @below {{is in a thread's list, but only data movement can execute it}}
  tensix.read argument 0 page 0 l1 0
} math {} pack {} dm {}

// -----

tensix.kernel @dm on "wormhole_b0" arguments 0 unpack {} math {} pack {} dm {
  // expected-error @below {{is in the data-movement list, but only an instruction thread can execute it}}
  tensix.nop
}

// -----

tensix.kernel @semaphore on "wormhole_b0" arguments 0 unpack {
  // expected-error @below {{semaphore is 8, but must be less than 8}}
  tensix.store_semget 8
} math {} pack {} dm {}

// -----

tensix.kernel @number on "wormhole_b0" arguments 0 unpack {
  // expected-error @below {{at_least is -1, but must be an unsigned 32-bit number}}
  tensix.wait counter 0 at_least -1
} math {} pack {} dm {}

// -----

// expected-error @below {{expects to be in a list of a 'tensix.kernel', or inside a 'tensix.program'}}
tensix.nop

// -----

tensix.kernel @release on "wormhole_b0" arguments 0 unpack {
  // expected-error @below {{is in a list of a 'tensix.kernel', but belongs to a 'tensix.program'}}
  tensix.release
} math {} pack {} dm {}

// -----

tensix.kernel @operand_of_another_kind on "wormhole_b0" arguments 0 unpack {} math {
  // expected-error @below {{requires an integer attribute 'addr_mode'}}
  "tensix.mvmul"() {addr_mode = "a"} : () -> ()
} pack {} dm {}
