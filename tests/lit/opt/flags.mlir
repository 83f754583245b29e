// RUN: ttmlir-opt --version | FileCheck %s --check-prefix=VERSION
// VERSION: ttmlir-opt {{.*}} (LLVM 19.{{.*}})

// RUN: ttmlir-opt --show-dialects | FileCheck %s --check-prefix=DIALECTS
// DIALECTS: Available Dialects: arith,builtin,func,mncore,pto,scf,tensix,tensor,ttcore,ttir,ttnn

// RUN: ttmlir-opt --list-passes | FileCheck %s --check-prefix=PASSES
// PASSES: Passes of MLIR:
// PASSES: canonicalize

// Flags run in their order; LLVM's single dash is understood.
// RUN: ttmlir-opt -cse --canonicalize --mlir-print-ir-before-all --mlir-print-ir-after-all %s -o %t 2>&1 | FileCheck %s --check-prefix=DUMP
// DUMP: // -----// IR Dump Before cse //----- //
// DUMP: ttir.neg
// DUMP: // -----// IR Dump After cse //----- //
// DUMP: // -----// IR Dump Before canonicalize //----- //
// DUMP: // -----// IR Dump After canonicalize //----- //

// RUN: ttmlir-opt -cse --canonicalize --mlir-print-ir-before=canonicalize --mlir-print-ir-after=cse,canonicalize %s -o %t 2>&1 | FileCheck %s --check-prefix=SOME
// SOME-NOT: Before cse
// SOME: // -----// IR Dump After cse //----- //
// SOME: // -----// IR Dump Before canonicalize //----- //
// SOME: // -----// IR Dump After canonicalize //----- //

// RUN: not ttmlir-opt --cse --mlir-print-ir-after=ces %s 2>&1 | FileCheck %s --check-prefix=NOPASS
// NOPASS: error: the pipeline has no pass 'ces'; did you mean 'cse'?; it has cse

// RUN: ttmlir-opt --cse --mlir-timing %s -o %t 2>&1 | FileCheck %s --check-prefix=TIMING
// TIMING: ... Execution time report ...
// TIMING: Total Execution Time: {{[0-9.]+}} seconds
// TIMING: ----User Time----  ----Wall Time----  ----Name----
// TIMING-NEXT: {{[0-9.]+}} ({{ *[0-9.]+}}%) {{ *[0-9.]+}} ({{ *[0-9.]+}}%)  (parser)
// TIMING: cse
// TIMING: (verifier)
// TIMING: (printer)
// TIMING: (100.0%)  Total

// RUN: ttmlir-opt --mlir-elide-elementsattrs-if-larger=2 %S/Inputs/constants.mlir | FileCheck %s --check-prefix=ELIDED
// ELIDED: dense<[1.000000e+00, 2.000000e+00]>
// ELIDED: dense_resource<__elided__> : tensor<3xf32>

// Bytecode is read like text, by both tools.
// RUN: ttmlir-opt --ttir-to-tensix-pipeline --emit-bytecode %s -o %t.mlirbc
// RUN: ttmlir-opt %t.mlirbc -o %t.mlir
// RUN: ttmlir-opt --ttir-to-tensix-pipeline %s | cmp - %t.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mlirbc -o %t.ttnn
// RUN: ttmlir-opt --emit-bytecode %s | ttmlir-opt --ttir-to-tensix-pipeline | cmp - %t.mlir
// RUN: not ttmlir-opt --emit-bytecode --split-input-file %s 2>&1 | FileCheck %s --check-prefix=SPLIT
// SPLIT: error: the argument '--emit-bytecode' cannot be used with '--split-input-file'

// RUN: ttmlir-opt --mlir-print-debuginfo %s | FileCheck %s --check-prefix=LOCATIONS
// LOCATIONS: "ttir.neg"{{.*}} loc(#loc
// LOCATIONS: #loc{{.*}} = loc("{{.*}}flags.mlir":{{[0-9]+}}:{{[0-9]+}})

// RUN: ttmlir-opt --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC
// GENERIC: "func.func"() <{function_type

// RUN: not ttmlir-opt --pass-pipeline='builtin.module(ces)' %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: no pass or pipeline 'ces'; did you mean 'cse'?; --list-passes lists all

// RUN: not ttmlir-opt --pass-pipeline='cse' %s 2>&1 | FileCheck %s --check-prefix=PIPELINE
// PIPELINE: error: a pipeline is an operation name and '(': builtin.module(...); expected '(' at column 4 of pipeline 'cse'

// RUN: not ttmlir-opt --pass-pipeline='func.func(ttnn-layout)' %s 2>&1 | FileCheck %s --check-prefix=ANCHOR
// ANCHOR: error: 'ttnn-layout' works on 'builtin.module' and cannot run on 'func.func'

// RUN: not ttmlir-opt --canonicalize="no=1" %s 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: error: canonicalize: no such option no

// RUN: not ttmlir-opt --no-such-flag %s 2>&1 | FileCheck %s --check-prefix=FLAG
// FLAG: error: unexpected argument '--no-such-flag' found

// RUN: not ttmlir-opt %S/absent.mlir 2>&1 | FileCheck %s --check-prefix=ABSENT
// ABSENT: error: cannot read {{.*}}absent.mlir: No such file or directory

func.func @f(%a: tensor<4x4xbf16>) -> tensor<4x4xbf16> {
  %0 = "ttir.neg"(%a) : (tensor<4x4xbf16>) -> tensor<4x4xbf16>
  return %0 : tensor<4x4xbf16>
}
