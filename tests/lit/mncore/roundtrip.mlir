// RUN: ttmlir-opt %s | ttmlir-opt | FileCheck %s

// CHECK-LABEL: mncore.kernel @k_mncore implements @k inputs 1 tensors [0 : tensor<1x64x128xbf16> "x:() r:(a:4*8,a:2*4,a:2*512,g:4) c:(w:2,a:4*1,a:16*32) @DRAM+0"] {
mncore.kernel @k_mncore implements @k inputs 1
    tensors [0 : tensor<1x64x128xbf16> "x:() r:(a:4*8,a:2*4,a:2*512,g:4) c:(w:2,a:4*1,a:16*32) @DRAM+0"] {
  // CHECK-NEXT: mncore.pipeline "fetch" {
  mncore.pipeline "fetch" {
    // CHECK-NEXT: mncore.mv "mvb/n512" tag i[20] d[1024] -> lc[4096]
    mncore.mv "mvb/n512" tag i[20] d[1024] -> lc[4096]
    // CHECK-NEXT: mncore.mv "mvp/n64" tag i[1] lc[0] group 2 l2b 1 -> p[64] group 3
    mncore.mv "mvp/n64" tag i[1] lc[0] group 2 l2b 1 -> p[64] group 3
    // CHECK-NEXT: mncore.mv "mvr2dfadd/n64" tag i[1] lc[0] group 1 -> p[0] group 1
    mncore.mv "mvr2dfadd/n64" tag i[1] lc[0] group 1 -> p[0] group 1
  }
  // CHECK: mncore.repeat 2 {
  mncore.repeat 2 {
    // CHECK-NEXT: mncore.pipeline "values" trip [3, 4] min_ii 16 {
    mncore.pipeline "values" trip [3, 4] min_ii 16 {
      // CHECK-NEXT: mncore.wait i[(i0 + 2 * i1) mod 4 + 1] when i0 from 1, i1 every 2 rest 1, i2 below 3
      mncore.wait i[(i0 + 2 * i1) mod 4 + 1] when i0 from 1, i1 every 2 rest 1, i2 below 3
      // CHECK-NEXT: mncore.l2bm "l2bmb" lc[(64 * i1) mod 512 + 1024] -> lb[64 * i2]
      mncore.l2bm "l2bmb" lc[(64 * i1) mod 512 + 1024] -> lb[64 * i2]
      // CHECK-NEXT: mncore.l2bm "l2bm@4" lb[64] -> lc[128]
      mncore.l2bm "l2bm@4" lb[64] -> lc[128]
      // CHECK-NEXT: %[[A:.*]] = mncore.l1bm "l1bmd" lb[64 * i2] -> long any
      %a = mncore.l1bm "l1bmd" lb[64 * i2] -> long any
      // CHECK-NEXT: %[[B:.*]]:2 = mncore.alu "lpassa" %[[A]] -> long forward, long flags, lr[8 * i0]v
      %b:2 = mncore.alu "lpassa" %a -> long forward, long flags, lr[8 * i0]v
      // CHECK-NEXT: mncore.mwrite "gmwrite" %[[B]]#0 -> lx[0]
      mncore.mwrite "gmwrite" %b#0 -> lx[0]
      // CHECK-NEXT: %[[C:.*]] = mncore.mau "gmfma" lx, lm[16 + 8 * i1]v, neg widen r[8]v -> long r when i1 is 0
      %c = mncore.mau "gmfma" lx, lm[16 + 8 * i1]v, neg widen r[8]v -> long r when i1 is 0
      // CHECK-NEXT: mncore.alu "hpassa" narrow llm[0]v -> ln[2]v 6 mask "1100"
      mncore.alu "hpassa" narrow llm[0]v -> ln[2]v 6 mask "1100"
      // CHECK-NEXT: %[[D:.*]] = mncore.alu "iadd" %[[A]], 0x3f800000 -> long any into %[[A]] mask %[[B]]#1 when i1 is_not 2
      %d = mncore.alu "iadd" %a, 0x3f800000 -> long any into %a mask %b#1 when i1 is_not 2
      // CHECK-NEXT: mncore.alu "imm" 0xffffffff -> lr[0], ln[4]
      mncore.alu "imm" 0xffffffff -> lr[0], ln[4]
      // CHECK-NEXT: mncore.alu "hbfn/7" %[[D]] -> lr[0]v
      mncore.alu "hbfn/7" %d -> lr[0]v
      // CHECK-NEXT: mncore.alu "ladd" msb1, %[[D]] -> lr[0]v
      mncore.alu "ladd" msb1, %d -> lr[0]v
      // CHECK-NEXT: %{{.*}} = mncore.mread "hmread" lly[4] -> double any
      %e = mncore.mread "hmread" lly[4] -> double any
      // CHECK-NEXT: mncore.l1bm "l1bmrffadd" %[[D]] -> lb[64]
      mncore.l1bm "l1bmrffadd" %d -> lb[64]
      // CHECK-NEXT: mncore.l1bm "l1bmm@3" %{{.*}} -> llb[64]
      mncore.l1bm "l1bmm@3" %e -> llb[64]
    }
  }
  // CHECK: mncore.pipeline "scheduled" trip [4] ii 2 stages 3 mii 2 bound_by "the slot l1bm" constants [0x3f800000 in r[508], 0x00000010 in s[0]] {
  mncore.pipeline "scheduled" trip [4] ii 2 stages 3 mii 2 bound_by "the slot l1bm" constants [0x3f800000 in r[508], 16 in s[0]] {
    // CHECK-NEXT: %{{.*}}:3 = mncore.alu "lpassa" lm[0]v -> long any in r[64] slots 3, long flags in omr[1] slots 2, long any in t when i0 is 0 at 0
    %a:3 = mncore.alu "lpassa" lm[0]v -> long any in r[64] slots 3, long flags in omr[1] slots 2, long any in t when i0 is 0 at 0
    // CHECK-NEXT: mncore.mv "mvb/n64" tag i[1] d[0] -> lc[0] at 5
    mncore.mv "mvb/n64" tag i[1] d[0] -> lc[0] at 5
  }
}

// CHECK-LABEL: mncore.kernel @k_moved implements @k inputs 1
// CHECK-SAME: @DRAM+0" view "[64, 128] from 8191 by [-128, -1]"] {
mncore.kernel @k_moved implements @k inputs 1
    tensors [0 : tensor<1x64x128xbf16> "x:() r:(a:4*8,a:2*4,a:2*512,g:4) c:(w:2,a:4*1,a:16*32) @DRAM+0" view "[64, 128] from 8191 by [-128, -1]"] {
}
