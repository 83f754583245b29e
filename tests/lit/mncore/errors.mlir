// Diagnostics of verifiers. Where the assembler checks the same, the texts agree.
//
// RUN: ttmlir-opt --split-input-file --verify-diagnostics %s

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" trip [2] {
    // expected-error @below {{unknown opcode `gmfmaa}}
    mncore.mau "gmfmaa" lx, lm[0]v, lr[0]v -> lr[0]v
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" trip [2] {
    // expected-error @below {{'fvadd' belongs to 'mncore.mau'}}
    mncore.alu "fvadd" lm[0]v, lr[0]v -> lr[0]v
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" trip [2] {
    // expected-error @below {{sets parts of its result to zero, which only `mask` can}}
    mncore.alu "lpassa/1100" lm[0]v -> lr[0]v
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" trip [2] {
    // expected-error @below {{reads 1 operands, but 'fvadd' takes 2}}
    mncore.mau "fvadd" lm[0]v -> lr[0]v, ls[0]v
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" trip [2] {
    // expected-error @below {{an address in LM0}}
    mncore.alu "lpassa" lm[8 + 4088 * i0]v -> lr[0]v
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" trip [2] {
    // expected-error @below {{1 is not a multiple of 2, which an access of a long word needs (manual, section 3.6.1.6)}}
    mncore.alu "lpassa" lm[1]v -> lr[0]v
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" trip [2] {
    // expected-error @below {{has an address that depends on i2, but is nested in 1 dimensions}}
    mncore.alu "lpassa" lm[8 * i2]v -> lr[0]v
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" trip [2] {
    // expected-error @below {{adds an offset to addresses in 'lmt', which this dialect cannot express}}
    mncore.alu "lpassa" lmt[0] -> lr[0]v
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" trip [2] {
    // expected-error @below {{names a register that the schedule allocates; read a value}}
    mncore.alu "lpassa" t -> lr[0]v
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" trip [2] {
    // expected-error @below {{not part of an operand that is written}}
    mncore.alu "lpassa" lm[0]v -> lmb[0]
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" trip [2] {
    // expected-error @below {{rows of a matrix register are the same in every iteration}}
    mncore.mwrite "gmwrite" lm[0]v -> lx[4 * i0]
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" trip [2] {
    // expected-error @below {{expected a place in L2BM, such as $lc0}}
    mncore.l2bm "l2bmb" lm[0]v -> lb[0]
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" trip [2] {
    // expected-error @below {{expects a tag, such as i[1]; got a place in 'lc'}}
    mncore.wait lc[1]
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" trip [2] {
    // expected-error @below {{in iteration [1]}}
    mncore.wait i[255 + i0]
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" trip [2] {
    // expected-error @below {{has a priority or DAR entries, which this dialect cannot express}}
    mncore.mv "mvp/n64p2" tag i[1] p[0] group 0 -> d[0] group 2
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" trip [2] {
    // expected-error @below {{the length 65 is not a positive multiple of 64}}
    mncore.mv "mvp/n65" tag i[1] p[0] group 0 -> d[0] group 2
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" trip [2] {
    // expected-error @below {{the board has no group or L2B with that number}}
    mncore.mv "mvp/n64" tag i[1] p[0] group 300 -> d[0] group 2
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" trip [2] {
    %f = mncore.alu "lpassa" lm[0]v -> long flags
    // expected-error @below {{reads flags, which can only be used as masks}}
    mncore.alu "lpassa" %f -> lr[0]v
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" trip [2] {
    %a = mncore.alu "lpassa" lm[0]v -> long any
    // expected-error @below {{has a mask that is not of class flags}}
    mncore.alu "lpassa" lr[0]v -> lr[0]v mask %a
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" trip [2] {
    %a = mncore.alu "lpassa" lm[0]v -> long any
    // expected-error @below {{overwrites a value without a mask}}
    %b = mncore.alu "lpassa" lr[0]v -> long any into %a
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" trip [2] {
    %a = mncore.alu "lpassa" lm[0]v -> long any
    // expected-error @below {{overwrites a value of another width or storage class}}
    %b = mncore.alu "lpassa" lr[0]v -> long r into %a mask "1100"
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" trip [2] {
    %a = mncore.alu "lpassa" lm[0]v -> long any
    // expected-error @below {{writes into a value at a place}}
    mncore.alu "lpassa" lr[0]v -> lr[8]v into %a mask "1100"
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" trip [2] {
    %a = mncore.alu "lpassa" lm[0]v -> long any
    %b = mncore.alu "lpassa" lr[0]v -> long any into %a mask "1100"
    // expected-error @below {{reads an overwritten value; read the result of the instruction that overwrote it}}
    mncore.alu "lpassa" %a -> lr[0]v
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" trip [2] {
    // expected-error @below {{'x' is not a storage class; expects any, forward, flags, or a memory r, s, m or n}}
    %b = mncore.alu "lpassa" lr[0]v -> long x
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" trip [2] {
    // expected-error @below {{a mask is four digits 0 or 1, one for each cycle, or $imr1 to $imr15 (manual, section 3.6.2.1)}}
    mncore.alu "lpassa" lr[0]v -> lr[0]v mask "110"
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" trip [2] {
    // expected-error @below {{names a mask register, which the schedule allocates; write the value of the flags}}
    mncore.alu "lpassa" lr[0]v -> lr[0]v mask "$imr1"
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" trip [2] {
    // expected-error @below {{only the MAU inverts signs: no `-` here (manual, section 3.6.9.22)}}
    mncore.alu "lpassa" neg lr[0]v -> lr[0]v
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" trip [2] {
    // expected-error @below {{which is not a place or value}}
    mncore.alu "lpassa" lr[0]v -> nowrite
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" trip [2] {
    // expected-error @below {{'short' is not a width; expects single, long or double}}
    %b = "mncore.alu"() {opcode = "zero", inputs = [], outputs = [{width = "short", home = "any"}]} : () -> !mncore.value
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" trip [2] {
    // expected-error @below {{has fewer results than values that it writes}}
    "mncore.alu"() {opcode = "zero", inputs = [], outputs = [{width = "long", home = "any"}]} : () -> ()
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" trip [2] {
    %a = mncore.alu "lpassa" lm[0]v -> long any
    // expected-error @below {{has more values than it reads and writes}}
    "mncore.alu"(%a) {opcode = "zero", inputs = [], outputs = [{place = #mncore.place<lr[0]>}]} : (!mncore.value) -> ()
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" trip [2] {
    // expected-error @below {{has fewer values than it reads}}
    "mncore.alu"() {opcode = "lpassa", inputs = [{value}], outputs = [{place = #mncore.place<lr[0]>}]} : () -> ()
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" trip [2] {
    // expected-error @below {{reads {}, which is not a place, value, constant or name}}
    "mncore.alu"() {opcode = "lpassa", inputs = [{}], outputs = [{place = #mncore.place<lr[0]>}]} : () -> ()
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" trip [2] {
    // expected-error @below {{expects a place, such as lm[0]; got 1 : i64}}
    "mncore.alu"() {opcode = "lpassa", inputs = [{place = 1 : i64}], outputs = [{place = #mncore.place<lr[0]>}]} : () -> ()
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" trip [2] {
    // expected-error @below {{requires an unsigned 32-bit number 'constant'}}
    "mncore.alu"() {opcode = "lpassa", inputs = [{constant = -1 : i64}], outputs = [{place = #mncore.place<lr[0]>}]} : () -> ()
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" trip [2] {
    // expected-error @below {{'round' is not a conversion; expects widen or narrow}}
    "mncore.alu"() {opcode = "lpassa", inputs = [{constant = 1 : i64, convert = "round"}], outputs = [{place = #mncore.place<lr[0]>}]} : () -> ()
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" trip [2] {
    // expected-error @below {{tests i1, but is nested in 1 dimensions}}
    mncore.wait i[1] when i1 is 0
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" trip [2] {
    // expected-error @below {{'above' is not an index predicate; expects is, is_not, below, from, or every .. rest}}
    mncore.wait i[1] when i0 above 3
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" trip [2] {
    // expected-error @below {{issues every 0 iterations}}
    mncore.wait i[1] when i0 every 0 rest 0
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" trip [2] {
    // expected-error @below {{requires an unsigned 32-bit number 'rest'}}
    mncore.wait i[1] when i0 every 3
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" trip [2] {
    // expected-error @below {{a ring has one word or more}}
    mncore.wait i[(i0) mod 0]
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" trip [2] {
    // expected-error @below {{expected an index, i0 to i31}}
    mncore.wait i[2 * j0]
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" trip [2] {
    // expected-error @below {{expected an unsigned 32-bit number}}
    mncore.wait i[5000000000]
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  // expected-error @below {{has a dimension with trip count 0; expects 1 or more}}
  mncore.pipeline "loop" trip [0] {
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  // expected-error @below {{has 'arith.constant' inside; expects instructions}}
  mncore.pipeline "loop"  {
    arith.constant 1 : index
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  // expected-error @below {{has a schedule in part: 'ii', 'stages', 'mii' and 'bound_by' belong together}}
  mncore.pipeline "loop" ii 1 {
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  // expected-error @below {{has constants, but no schedule}}
  mncore.pipeline "loop" constants [] {
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  // expected-error @below {{has no schedule, but a step for 'mncore.wait'}}
  mncore.pipeline "loop"  {
    mncore.wait i[1] at 0
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  // expected-error @below {{has a schedule, but no step for 'mncore.wait'}}
  mncore.pipeline "loop" ii 1 stages 1 mii 1 bound_by "nothing" {
    mncore.wait i[1]
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  // expected-error @below {{has initiation interval 0; expects 1 or more}}
  mncore.pipeline "loop" ii 0 stages 1 mii 1 bound_by "nothing" {
    mncore.wait i[1] at 0
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  // expected-error @below {{has 1 stages, but its steps span 3}}
  mncore.pipeline "loop" ii 1 stages 1 mii 1 bound_by "nothing" {
    mncore.wait i[1] at 2
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  // expected-error @below {{'mncore.alu': '$b0' is not a place for a value; expects r, s, m or n with a constant address}}
  mncore.pipeline "loop" ii 1 stages 1 mii 1 bound_by "nothing" {
    %a = mncore.alu "lpassa" lm[0]v -> long any in b[0] at 0
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  // expected-error @below {{'mncore.alu': has no room for 0 slots at $r0}}
  mncore.pipeline "loop" ii 1 stages 1 mii 1 bound_by "nothing" {
    %a = mncore.alu "lpassa" lm[0]v -> long any in r[0] slots 0 at 0
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  // expected-error @below {{'mncore.alu': has no room for 3 slots at $omr14}}
  mncore.pipeline "loop" ii 1 stages 1 mii 1 bound_by "nothing" {
    %a = mncore.alu "lpassa" lm[0]v -> long flags in omr[14] slots 3 at 0
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  // expected-error @below {{'$r0' is not a place for a value}}
  mncore.pipeline "loop" ii 1 stages 1 mii 1 bound_by "nothing" constants [1 in r[i0]] {
    mncore.wait i[1] at 0
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  // expected-error @below {{item 2 reads value 0 from a forwarding register, but does not follow item 0, which writes it}}
  mncore.pipeline "loop"  {
    %a = mncore.alu "lpassa" lm[0]v -> long forward
    mncore.wait i[1]
    mncore.alu "lpassa" %a -> lr[0]v
  }
}

// -----

// expected-error @below {{has 1 inputs, but only 0 tensors}}
mncore.kernel @k_mncore implements @k inputs 1 tensors [] {
}

// -----

// expected-error @below {{has a layout 'nowhere' that cannot be read}}
mncore.kernel @k_mncore implements @k inputs 0 tensors [0 : tensor<1x2x2xf32> "nowhere"] {
}

// -----

// expected-error @below {{has an argument tensor<2x2xf32>, which is not a tensor of matrices, rows and columns of f32, bf16 or i32}}
mncore.kernel @k_mncore implements @k inputs 0 tensors [0 : tensor<2x2xf32> ""] {
}

// -----

// expected-error @below {{has an argument tensor<1x2x2xf32> with a layout of elements of 16 bits; expects 32 bits, or 16 for bf16}}
mncore.kernel @k_mncore implements @k inputs 0 tensors [0 : tensor<1x2x2xf32> "r:(a:2) c:(h:4) @DRAM+0, rep(g)"] {
}

// -----

// expected-error @below {{has an argument tensor<1x2x2xi64>, which is not a tensor}}
mncore.kernel @k_mncore implements @k inputs 0 tensors [0 : tensor<1x2x2xi64> ""] {
}

// -----

// expected-error @below {{has 'arith.constant' inside; expects mncore.repeat and mncore.pipeline}}
mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  arith.constant 1 : index
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  // expected-error @below {{has trip count 0; expects 1 or more}}
  mncore.repeat 0 {
  }
}

// -----

// expected-error @below {{'mncore.wait' op expects parent op 'mncore.pipeline'}}
mncore.wait i[1]

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" trip [2] {
    // expected-error @below {{no address grows by 70000 a cycle}}
    mncore.alu "lpassa" lm[0]v 70000 -> lr[0]v
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" trip [2] {
    // expected-error @below {{'l1bmd' has no operation in this dialect}}
    mncore.l1bm "l1bmd" lbi -> lr[0]v
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  // expected-error @below {{'mncore.alu': reads a value that is not written earlier in this loop}}
  mncore.pipeline "loop" trip [2] {
    mncore.alu "lpassa" %a -> lr[0]v
    %a = mncore.alu "lpassa" lm[0]v -> long any
  }
}

// -----

// expected-error @below {{has a layout 'r:(a:2' that cannot be read: character 7 of the layout: expected `,` or `)`, found the end}}
mncore.kernel @k_mncore implements @k inputs 0 tensors [0 : tensor<1x1x2xf32> "r:(a:2"] {
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" trip [2] {
    // expected-error @below {{'nop; lpassa $lm0v2 $lr0v2' is not an instruction}}
    mncore.alu "nop; lpassa" lm[0]v -> lr[0]v
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" trip [2] {
    // expected-error @below {{takes addresses from DAR, which this dialect cannot express}}
    mncore.mv "mvp/n64" tag i[1] di[0] group 0 -> p[0] group 2
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" trip [2] {
    // expected-error @below {{writes 't', which is not a place or value; write a place, such as lr[0], or a value, such as 'long any'}}
    mncore.alu "lpassa" lm[0]v -> t
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" trip [2] {
    // expected-error @below {{writes {}, which is not a place or value}}
    "mncore.alu"() {opcode = "lpassa", inputs = [{constant = 1 : i64}], outputs = [{}]} : () -> ()
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" trip [2] {
    // expected-error @below {{names a register that the schedule allocates; write a value}}
    mncore.alu "lpassa" lm[0]v -> omr[1]
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" trip [2] {
    // expected-error @below {{'mncore.alu' op not part of a mask}}
    mncore.alu "lpassa" lr[0]v -> lr[0]v mask "1100t"
  }
}

// -----

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" trip [2] {
    // expected-error @below {{has a result that it does not write}}
    mncore.alu "lpassa" %a -> lr[0]v
    %a = "mncore.alu"() {opcode = "zero", inputs = [], outputs = []} : () -> !mncore.value
  }
}

// -----

%a = builtin.unrealized_conversion_cast to !mncore.value
mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" trip [2] {
    // expected-error @below {{reads a value that no instruction writes}}
    mncore.alu "lpassa" %a -> lr[0]v
  }
}

// -----

"mncore.kernel"() ({
  // expected-error @below {{has a constant without a place}}
  "mncore.pipeline"() ({
    mncore.wait i[1] at 0
  }) {name = "loop", trip = array<i64: 2>, ii = 1 : i32, stages = 1 : i32, mii = 1 : i32, bound_by = "nothing", constants = [{word = 1 : i64}]} : () -> ()
}) {sym_name = "k_mncore", implements = @k, inputs = 0 : i32, tensors = []} : () -> ()

// -----

// expected-error @below {{has an argument without a type}}
"mncore.kernel"() ({
  mncore.pipeline "loop" trip [2] {
  }
}) {sym_name = "k_mncore", implements = @k, inputs = 0 : i32, tensors = [{}]} : () -> ()

// -----

// expected-error @below {{has a view [64, 128] from 1 by [128, 1] that is not one of}}
mncore.kernel @k_mncore implements @k inputs 1 tensors [0 : tensor<1x64x128xbf16> "x:() r:(a:4*8,a:2*4,a:2*512,g:4) c:(w:2,a:4*1,a:16*32) @DRAM+0" view "[64, 128] from 1 by [128, 1]"] {
}

// -----

// expected-error @below {{'[64, 128] by [128, 1]'}}
mncore.kernel @k_mncore implements @k inputs 1 tensors [0 : tensor<1x64x128xbf16> "x:() r:(a:4*8,a:2*4,a:2*512,g:4) c:(w:2,a:4*1,a:16*32) @DRAM+0" view "[64, 128] by [128, 1]"] {
}
