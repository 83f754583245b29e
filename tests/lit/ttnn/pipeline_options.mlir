// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="compute-cfg-math-fidelity=hifi2 compute-cfg-fp32-dest-acc-en=false" %s | FileCheck %s --check-prefix=CONFIG
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="mock-system-desc-arch=blackhole" %s | FileCheck %s --check-prefix=ARCH
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="system-desc-path='%S/../passes/Inputs/one_row.mlir'" %s | FileCheck %s --check-prefix=FILE
// RUN: not ttmlir-opt --ttir-to-ttnn-backend-pipeline="optimisation-level=0" %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not ttmlir-opt --ttir-to-ttnn-backend-pipeline="optimization-level=2" %s 2>&1 | FileCheck %s --check-prefix=LEVEL
// RUN: not ttmlir-opt --ttir-to-ttnn-backend-pipeline="system-desc-path=absent.mlir" %s 2>&1 | FileCheck %s --check-prefix=ABSENT

// CONFIG: compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi2, fp32_dest_acc_en = false>
// ARCH: arch = <blackhole>
// FILE: workerGrid = #ttcore.grid<1x4,
// UNKNOWN: ttir-to-ttnn-backend-pipeline: no such option 'optimisation-level'; known: system-desc-path, mock-system-desc-arch, mesh-shape, optimization-level, enable-cpu-hoisted-const-eval, allow-lossy-constants, compute-cfg-math-fidelity, compute-cfg-math-approx-mode, compute-cfg-fp32-dest-acc-en, compute-cfg-packer-l1-acc, compute-cfg-dst-full-sync-en, enable-const-eval
// LEVEL: option 'optimization-level' takes 0, not '2'
// ABSENT: error: 'builtin.module' op cannot read the system description absent.mlir: No such file or directory
func.func @forward(%a: tensor<32x32xbf16>) -> tensor<32x32xbf16> {
  %0 = "ttir.matmul"(%a, %a) : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %0 : tensor<32x32xbf16>
}
