// Diagnostics of modules that have no assembler text. Each run changes one thing of a module that has one.

// RUN: ttmlir-opt --mncore-schedule %s | ttmlir-translate --mncore-to-vsm --kernel @one | FileCheck %s
// CHECK:      # one
// CHECK-NEXT: # reads argument 0: 1x64x128xbf16 x:()
// CHECK:      lpassa $lm0v $lr0v  # <stdin>:{{[0-9]+}}

// RUN: not ttmlir-translate --mncore-to-vsm %s 2>&1 | FileCheck %s --check-prefix=SEVERAL
// SEVERAL: error: 'builtin.module' op has several kernels, @one, @two, @three, @late; choose one with --kernel

// RUN: not ttmlir-translate --mncore-to-vsm --kernel four %s 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: error: 'builtin.module' op has no kernel @four; it has @one, @two, @three, @late

// RUN: echo 'module {}' | not ttmlir-translate --mncore-to-vsm 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: 'builtin.module' op has no mncore.kernel; compile it first: ttmlir-opt --ttir-to-mncore-pipeline

// RUN: not ttmlir-translate --mncore-to-vsm --kernel one %s 2>&1 | FileCheck %s --check-prefix=UNSCHEDULED
// UNSCHEDULED: vsm.mlir:[[#@LINE+13]]:3: error: 'mncore.pipeline' op has no schedule; run mncore-schedule first

// RUN: ttmlir-opt --mncore-schedule %s | sed 's/ in [rs]\[[0-9]*\]//' | not ttmlir-translate --mncore-to-vsm --kernel two 2>&1 | FileCheck %s --check-prefix=REGISTER
// REGISTER: error: 'mncore.kernel' op cannot be emitted: loop: value 0 has no register, but item 2 does not read it in the step after item 0 writes it

// RUN: not ttmlir-translate --mncore-to-vsm --kernel three %s 2>&1 | FileCheck %s --check-prefix=STEP
// STEP: error: 'mncore.kernel' op cannot be emitted: loop, statement 1, `lpassa $lm0v $lr0v; lpassa $lr8v $ls0v`: a second expression of the group alu

// RUN: not ttmlir-translate --mncore-to-vsm --kernel late %s 2>&1 | FileCheck %s --check-prefix=LOG
// LOG: vsm.mlir:51:5: error: 'mncore.alu' op cannot be emitted: item 1 of loop in iteration 0 reads GRF0 0 in step 0 for what item 0 of loop in iteration 0 wrote, but finds what was there before the kernel;

mncore.kernel @one implements @k inputs 1
    tensors [0 : tensor<1x64x128xbf16> "x:() r:(a:4*8,a:2*4,a:2*512,g:4) c:(w:2,a:4*1,a:16*32) @DRAM+0"] {
  mncore.pipeline "loop" {
    mncore.alu "lpassa" lm[0]v -> lr[0]v
  }
}
mncore.kernel @two implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" {
    %a = mncore.alu "lpassa" lm[0]v -> long any
    %b = mncore.mau "fvadd" %a, %a -> long any
    mncore.mau "fvadd" %b, %a -> ln[0]v
  }
}
mncore.kernel @three implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" ii 1 stages 1 mii 1 bound_by "nothing" {
    mncore.alu "lpassa" lm[0]v -> lr[0]v at 0
    mncore.alu "lpassa" lr[8]v -> ls[0]v at 0
  }
}
mncore.kernel @late implements @k inputs 0 tensors [] {
  mncore.pipeline "loop" trip [2] ii 4 stages 1 mii 1 bound_by "nothing" {
    mncore.alu "lpassa" lm[0]v -> lr[0]v at 1
    mncore.alu "lpassa" lr[0]v -> ln[0]v at 0
  }
}
