// The whole line, from TTIR to numbers: x * 2 + 1, where the sum broadcasts a row.
// RUN: ttmlir-opt --ttir-to-tensix-pipeline --mlir-print-debuginfo %s | ttmlir-translate --ttnn-to-flatbuffer -o %t.ttnn

// RUN: ttrt run --init arange --device tensix --golden --stats %t.ttnn | FileCheck %s --check-prefixes=CHECK,GOLDEN,STATS
// RUN: ttrt run --init arange --device reference %t.ttnn | FileCheck %s
// CHECK: output 0: 2x3 bf16: [1, 3, 5, 7, 9, 11]
// GOLDEN: multiply + add {{ *}}0.0%
// GOLDEN: golden: [[N:[0-9]+]] of [[N]] results are within their bounds
// STATS: kernels ran: 1; instructions executed, MOP and REPLAY expanded:
// STATS-DAG: 32 ELWMUL
// STATS-DAG: 8 ELWADD

// One device reads the results of the other.
// RUN: ttrt run --init arange --device tensix --threads 3 %t.ttnn -o %t.npy | FileCheck %s --check-prefix=WRITTEN
// RUN: ttrt run --device tensix --input %t.npy %t.ttnn -o %t.tensix.npy
// RUN: ttrt run --device reference --input %t.npy %t.ttnn -o %t.reference.npy
// RUN: cmp %t.tensix.npy %t.reference.npy
// RUN: ttrt run --device reference --input %t.npy %t.ttnn | FileCheck %s --check-prefix=AGAIN
// WRITTEN: output 0: 2x3 bf16, written to {{.*}}.npy
// AGAIN: output 0: 2x3 bf16: [3, 7, 11, 15, 19, 23]

// RUN: ttrt check %t.ttnn
// RUN: ttrt run --init arange --golden --result-file %t.json %t.ttnn
// RUN: FileCheck %s --check-prefix=RESULT < %t.json
// RESULT: "device": "tensix"
// RESULT: "loc": "{{.*}}model.mlir:[[# @LINE + 7]]:8"
// RESULT: "result": "pass"

func.func @model(%x: tensor<2x3xbf16>) -> tensor<2x3xbf16> {
  %two = "ttir.full"() <{fill_value = 2.0 : f32, shape = array<i32: 1, 1>}> : () -> tensor<1x1xbf16>
  %ones = "ttir.ones"() <{shape = array<i32: 3>}> : () -> tensor<3xbf16>
  %0 = "ttir.multiply"(%x, %two) : (tensor<2x3xbf16>, tensor<1x1xbf16>) -> tensor<2x3xbf16>
  %1 = "ttir.add"(%0, %ones) : (tensor<2x3xbf16>, tensor<3xbf16>) -> tensor<2x3xbf16>
  return %1 : tensor<2x3xbf16>
}
