// RUN: ttmlir-opt --mncore-schedule --split-input-file --verify-diagnostics %s

mncore.kernel @k_mncore implements @k inputs 0 tensors [] {
  // expected-error @below {{has no schedule: item 1 reads value 0 in iteration 1, in which item 0 does not write it; give both the same conditions}}
  mncore.pipeline "conditions" trip [2] {
    %a = mncore.alu "lpassa" lm[0]v -> long any when i0 is 0
    mncore.alu "lpassa" %a -> lr[0]v
  }
}
