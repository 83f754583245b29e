// A file of several programs: public ones first, all run or one chosen by name; private ones cannot be run.
// RUN: ttmlir-opt --ttcore-register-device %s | ttmlir-translate --ttnn-to-flatbuffer -o %t.ttnn

// RUN: ttrt run --device reference --init ones %t.ttnn | FileCheck %s --check-prefix=SEVERAL
// SEVERAL: program 'first':
// SEVERAL-NEXT: output 0: 1x2 bf16: [-1, -1]
// SEVERAL-NEXT: program 'second':
// SEVERAL-NEXT: output 0: 1x2 bf16: [2, 2]
// RUN: not ttrt run --device reference --program hidden %t.ttnn 2>&1 | FileCheck %s --check-prefix=PRIVATE
// PRIVATE: error: {{.*}}: the file has no program 'hidden' that can be run; it has: 'first', 'second'

// RUN: ttrt run --device reference --init arange --program first %t.ttnn | FileCheck %s --check-prefix=FIRST
// FIRST: output 0: 1x2 bf16: [-0, -1]
// RUN: ttrt run --device reference --init ones --program second %t.ttnn | FileCheck %s --check-prefix=SECOND
// SECOND: output 0: 1x2 bf16: [2, 2]

// None of these operations has a kernel; nothing else computes in its place.
// RUN: not ttrt run --device tensix --program second %t.ttnn 2>&1 | FileCheck %s --check-prefix=TENSIX
// TENSIX: error: {{.*}}: program 'second', operation 0 (add) at {{.*}}: add has no kernel

// RUN: ttrt read --section op_stats %t.ttnn | FileCheck %s --check-prefix=STATS
// STATS: "first"
// STATS: "second"

#layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>
func.func private @hidden(%x: tensor<1x2xbf16, #layout>) -> tensor<1x2xbf16, #layout> {
  %0 = "ttnn.relu"(%x) : (tensor<1x2xbf16, #layout>) -> tensor<1x2xbf16, #layout>
  return %0 : tensor<1x2xbf16, #layout>
}
func.func @first(%x: tensor<1x2xbf16, #layout>) -> tensor<1x2xbf16, #layout> {
  %0 = "ttnn.neg"(%x) : (tensor<1x2xbf16, #layout>) -> tensor<1x2xbf16, #layout>
  return %0 : tensor<1x2xbf16, #layout>
}
func.func @second(%x: tensor<1x2xbf16, #layout>, %y: tensor<1x2xbf16, #layout>) -> tensor<1x2xbf16, #layout> {
  %0 = "ttnn.add"(%x, %y) : (tensor<1x2xbf16, #layout>, tensor<1x2xbf16, #layout>) -> tensor<1x2xbf16, #layout>
  return %0 : tensor<1x2xbf16, #layout>
}
