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

// RUN: ttmlir-opt --mlir-print-debuginfo %s | FileCheck %s --check-prefix=LOCATIONS
// LOCATIONS: "ttir.neg"{{.*}} loc(#loc
// LOCATIONS: #loc{{.*}} = loc("{{.*}}flags.mlir":{{[0-9]+}}:{{[0-9]+}})

// RUN: ttmlir-opt --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC
// GENERIC: "func.func"() <{function_type

// RUN: not ttmlir-opt --pass-pipeline='builtin.module(ces)' %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: no pass or pipeline 'ces'; did you mean 'cse'?; --list-passes shows all

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
