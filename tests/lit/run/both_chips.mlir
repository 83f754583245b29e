// Both chips' pipelines after each other: one program file with kernels for both, which both devices run.
// RUN: ttmlir-opt --ttir-to-tensix-pipeline --ttir-to-mncore-pipeline=precision=single %s -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mlir -o %t.ttnn
// RUN: ttmlir-translate --flatbuffer-to-json %t.ttnn | FileCheck %s --check-prefix=JSON
// RUN: ttrt run --golden --device tensix %t.ttnn | FileCheck %s --check-prefix=GOLDEN
// RUN: ttrt run --golden --device mncore %t.ttnn | FileCheck %s --check-prefix=GOLDEN
// Pipeline texts do the same.
// RUN: ttmlir-opt --pass-pipeline='builtin.module(ttir-to-tensix-pipeline,ttir-to-mncore-pipeline{precision=single})' %s | cmp - %t.mlir
// RUN: ttmlir-opt --ttir-to-ttnn-runtime-pipeline --ttnn-to-tensix-pipeline --ttnn-to-mncore-pipeline=precision=single %s | cmp - %t.mlir

// RUN: not ttmlir-opt --ttir-to-mncore-pipeline --ttir-to-tensix-pipeline %s 2>&1 | FileCheck %s --check-prefix=ORDER
// ORDER: error: ttir-to-tensix-pipeline: the preceding pipeline makes kernels that only another target supports; give this pipeline first, since both targets can share its kernels
// RUN: not ttmlir-opt --ttir-to-tensix-pipeline --ttir-to-mncore-pipeline=fusion=none %s 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: error: ttir-to-mncore-pipeline: option 'fusion' configures the target-independent part; pass it to the preceding pipeline

// CHECK-DAG: mncore.kernel @forward_linear_relu_0_mncore implements @forward_linear_relu_0
// CHECK-DAG: tensix.program @forward_linear_relu_0_tensix implements @forward_linear_relu_0
// CHECK-DAG: mncore.kernel @forward_matmul_1_mncore implements @forward_matmul_1
// CHECK-DAG: tensix.program @forward_matmul_1_tensix implements @forward_matmul_1
// JSON-DAG: "target": "mncore"
// JSON-DAG: "target": "tensix"
// GOLDEN: golden: 2 of 2 results are within their bounds
func.func @forward(%x: tensor<33x65xbf16>, %w: tensor<65x97xbf16>, %b: tensor<97xbf16>, %v: tensor<97x40xbf16>) -> tensor<33x40xbf16> {
  %0 = "ttir.linear"(%x, %w, %b) : (tensor<33x65xbf16>, tensor<65x97xbf16>, tensor<97xbf16>) -> tensor<33x97xbf16>
  %1 = "ttir.relu"(%0) : (tensor<33x97xbf16>) -> tensor<33x97xbf16>
  %2 = "ttir.matmul"(%1, %v) : (tensor<33x97xbf16>, tensor<97x40xbf16>) -> tensor<33x40xbf16>
  return %2 : tensor<33x40xbf16>
}
