// RUN: ttmlir-opt --mncore-schedule %s | FileCheck %s
// RUN: ttmlir-opt --mncore-schedule --mlir-print-debuginfo %s | FileCheck %s --check-prefix=PLACES

// CHECK-LABEL: mncore.kernel @k_mncore
mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  // The MAU takes one instruction a step: two of them are two steps.
  //
  // CHECK-NEXT: mncore.pipeline "sums" trip [16] ii 2 stages {{[0-9]+}} mii 2 bound_by "the slot mau-calc" {
  // CHECK-NEXT:   %[[A:.*]] = mncore.l1bm "l1bmd" lb[64 * i0] -> long any at 0
  // CHECK-NEXT:   %[[B:.*]] = mncore.mau "fvadd" %[[A]], %[[A]] -> long any at 1
  // CHECK-NEXT:   mncore.mau "fvadd" %[[B]], lm[8 * i0]v -> ln[8 * i0]v at 2
  // PLACES: mncore.mau "fvadd" {{.*}} at 2 loc(#[[SUM:.*]])
  mncore.pipeline "sums" trip [16] {
    %a = mncore.l1bm "l1bmd" lb[64 * i0] -> long any
    %b = mncore.mau "fvadd" %a, %a -> long any
    mncore.mau "fvadd" %b, lm[8 * i0]v -> ln[8 * i0]v loc("model.mlir":7:3)
  }
  // Values that are read later have registers, one for each iteration that needs it at once; constants, too.
  //
  // CHECK: mncore.pipeline "later" trip [16] ii {{.*}} constants [0x3f800000 in {{[rsmn]}}[{{[0-9]+}}]] {
  // CHECK: mncore.alu "lpassa" lm[8 * i0]v -> long any in {{[rs]}}[{{[0-9]+}}]
  mncore.pipeline "later" trip [16] {
    %a = mncore.alu "lpassa" lm[8 * i0]v -> long any
    %b = mncore.mau "fvadd" %a, 0x3f800000 -> long any
    mncore.mau "fvfma" %b, %b, %a -> ln[8 * i0]v
  }
  // A loop that has a schedule keeps it.
  //
  // CHECK: mncore.pipeline "done" ii 9 stages 1 mii 1 bound_by "nothing" {
  mncore.pipeline "done" ii 9 stages 1 mii 1 bound_by "nothing" {
    // CHECK-NEXT: mncore.wait i[1] at 3
    mncore.wait i[1] at 3
  }
}

// PLACES: #[[SUM]] = loc("model.mlir":7:3)
