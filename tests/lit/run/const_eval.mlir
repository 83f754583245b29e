// Weights are transposed, and a bias is scaled, once for each set of weights. Results have the same
// bits as without hoisting.
// RUN: ttmlir-opt --ttir-to-tensix-pipeline %s -o %t.tensix.mlir
// RUN: FileCheck %s --input-file=%t.tensix.mlir
// CHECK: func.func private @forward_const_eval_0
// CHECK: "ttnn.permute"
// CHECK: func.func @forward
// CHECK: ttcore.load_cached(@forward_const_eval_0, [%arg1])
// CHECK-NOT: "ttnn.permute"
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.tensix.mlir -o %t.tensix.ttnn
// RUN: ttmlir-opt --ttir-to-tensix-pipeline=enable-const-eval=false %s | ttmlir-translate --ttnn-to-flatbuffer -o %t.tensix.plain.ttnn
// RUN: ttmlir-opt --ttir-to-mncore-pipeline %s | ttmlir-translate --ttnn-to-flatbuffer -o %t.mncore.ttnn
// RUN: ttmlir-opt --ttir-to-mncore-pipeline=enable-const-eval=false %s | ttmlir-translate --ttnn-to-flatbuffer -o %t.mncore.plain.ttnn

// RUN: ttrt run --device tensix --golden --stats --result-file %t.json %t.tensix.ttnn -o %t.0.npy -o %t.1.npy | FileCheck %s --check-prefix=TENSIX
// TENSIX: permute
// TENSIX: golden: [[ALL:[0-9]+]] of [[ALL]] results are within their bounds
// TENSIX: once for each set of weights
// TENSIX-NEXT: kernels ran: 4;
// TENSIX: in each run
// TENSIX-NEXT: kernels ran: 2;
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t.json
// JSON: "cached_kernels": [
// JSON: permute
// JSON: "kernels": [
// JSON: forward_matmul
// RUN: ttrt run --device tensix %t.tensix.plain.ttnn -o %t.2.npy -o %t.3.npy --stats | FileCheck %s --check-prefix=PLAIN
// PLAIN: kernels ran: 6;
// RUN: cmp %t.0.npy %t.2.npy
// RUN: cmp %t.1.npy %t.3.npy

// RUN: ttrt run --device mncore --golden %t.mncore.ttnn -o %t.0.npy -o %t.1.npy | FileCheck %s --check-prefix=GOLDEN
// GOLDEN: golden: [[ALL:[0-9]+]] of [[ALL]] results are within their bounds
// RUN: ttrt run --device mncore %t.mncore.plain.ttnn -o %t.2.npy -o %t.3.npy
// RUN: cmp %t.0.npy %t.2.npy
// RUN: cmp %t.1.npy %t.3.npy

// RUN: ttrt run --device reference --golden %t.tensix.ttnn | FileCheck %s --check-prefix=GOLDEN
// RUN: ttrt run --device interpreter --golden %t.tensix.ttnn | FileCheck %s --check-prefix=GOLDEN
// RUN: ttrt check %t.tensix.ttnn | FileCheck %s --check-prefix=CAN
// CAN: can run

// RUN: ttrt read --section op_stats %t.tensix.ttnn | FileCheck %s --check-prefix=STATS
// STATS: "forward": {
// STATS: "forward_const_eval_0": {
// RUN: ttrt read %t.tensix.ttnn | FileCheck %s --check-prefix=READ
// READ: "cached": [
// READ: "program": "forward_const_eval_0"

func.func @forward(%x: tensor<64x32xf32>, %w: tensor<48x32xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %b: tensor<1x48xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> (tensor<64x48xf32>, tensor<1x48xf32>) {
  %0 = "ttir.matmul"(%x, %w) <{transpose_b = true}> : (tensor<64x32xf32>, tensor<48x32xf32>) -> tensor<64x48xf32>
  %1 = "ttir.exp"(%b) : (tensor<1x48xf32>) -> tensor<1x48xf32>
  %2 = "ttir.add"(%0, %1) : (tensor<64x48xf32>, tensor<1x48xf32>) -> tensor<64x48xf32>
  %3 = "ttir.sum"(%w) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<48x32xf32>) -> tensor<48xf32>
  %4 = "ttir.reshape"(%3) <{shape = [1 : i32, 48 : i32]}> : (tensor<48xf32>) -> tensor<1x48xf32>
  return %2, %4 : tensor<64x48xf32>, tensor<1x48xf32>
}
