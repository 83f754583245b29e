// From TTIR to instructions; the text of a kernel for the assembler; the program file; the same numbers on both devices.
//
// RUN: ttmlir-opt --ttir-to-mncore-pipeline %s -o %t.mlir --mlir-print-debuginfo
// RUN: FileCheck %s < %t.mlir
// RUN: ttmlir-translate --mncore-to-vsm %t.mlir -o %t.vsm
// RUN: FileCheck %s --check-prefix=VSM < %t.vsm
// RUN: mncore-as %t.vsm -o %t.asm
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mlir -o %t.ttnn
// RUN: ttmlir-translate --flatbuffer-to-json %t.ttnn | FileCheck %s --check-prefix=JSON

// It describes one system, the chip that it is compiled for.
//
// RUN: ttmlir-translate --flatbuffer-to-json %t.ttnn | FileCheck %s --check-prefix=SYSTEM
// RUN: not ttrt run --device tensix --init randn %t.ttnn 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not ttmlir-opt --ttir-to-mncore-pipeline=mock-system-desc-arch=wormhole_b0 %s 2>&1 | FileCheck %s --check-prefix=CHIP

// A module can hold kernels for both chips, and describes both.
//
// RUN: ttmlir-opt --ttir-to-tensix-pipeline %s -o %t.tensix.mlir
// RUN: ttmlir-opt --convert-pto-to-mncore --mncore-schedule %t.tensix.mlir | FileCheck %s --check-prefix=BOTH

// RUN: ttmlir-opt --convert-pto-to-mncore --mncore-schedule %t.tensix.mlir | ttmlir-translate --ttnn-to-flatbuffer | ttmlir-translate --flatbuffer-to-json | FileCheck %s --check-prefix=CHIPS

// CHECK:      builtin.module attributes {mncore.system_desc = {chip = "mncore2"
// CHECK-NOT:  ttcore.device
// CHECK:      pto.func @forward_matmul_0
// CHECK:      mncore.kernel @forward_matmul_0_mncore implements @forward_matmul_0 inputs 2 tensors [0 : tensor<1x64x128xbf16>
// CHECK:        mncore.pipeline "multiply" trip {{.*}} ii [[II:[0-9]+]] stages {{[0-9]+}} mii [[II]] bound_by "the slot alu" {
// CHECK:          mncore.mau "gmfma" lx, lm{{.*}} at {{[0-9]+}} loc(

// VSM:      # forward_matmul_0_mncore
// VSM-NEXT: # reads argument 0: 1x64x128xbf16 {{.*}} @DRAM+0
// VSM-NEXT: # reads argument 1: 1x128x96xbf16 {{.*}} @DRAM+{{[0-9]+}}
// VSM-NEXT: # writes argument 2: 1x64x96xbf16 {{.*}} @DRAM+{{[0-9]+}}
// VSM:      {{.*}}gmfma $lx $lm{{.*}}  # {{.*}}ttir_to_mncore_pipeline.mlir:[[#@LINE+22]]

// SYSTEM:      "system_desc": {
// SYSTEM-NEXT: "chips": [
// SYSTEM-NEXT: "mncore2"
// SYSTEM-NEXT: ]

// CHIPS:      "chips": [
// CHIPS-NEXT: "wormhole_b0",
// CHIPS-NEXT: "mncore2"

// OTHER: error: {{.*}}the program is compiled for mncore2, and not for a Tensix chip: compile it with ttmlir-opt --ttir-to-tensix-pipeline, or run it with --device mncore or reference

// CHIP: option 'mock-system-desc-arch' takes mncore2, not 'wormhole_b0'

// JSON: "name": "forward_matmul_0"
// JSON: "target": "mncore"

// BOTH-DAG: tensix.program @{{.*}} implements @forward_matmul_0
// BOTH-DAG: mncore.kernel @forward_matmul_0_mncore implements @forward_matmul_0

func.func @forward(%a: tensor<64x128xbf16>, %b: tensor<128x96xbf16>) -> tensor<64x96xbf16> {
  %0 = "ttir.matmul"(%a, %b) : (tensor<64x128xbf16>, tensor<128x96xbf16>) -> tensor<64x96xbf16>
  return %0 : tensor<64x96xbf16>
}
