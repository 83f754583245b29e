// RUN: ttmlir-opt --ttnn-set-compute-kernel-config %s | FileCheck %s
// RUN: ttmlir-opt --ttnn-set-compute-kernel-config="math-fidelity=lofi fp32-dest-acc-en=unset packer-l1-acc=false" %s | FileCheck %s --check-prefix=LOFI
// RUN: ttmlir-opt --ttnn-set-compute-kernel-config="math-fidelity=undefined fp32-dest-acc-en=unset" %s | FileCheck %s --check-prefix=UNSET
// RUN: not ttmlir-opt --ttnn-set-compute-kernel-config="math-fidelity=hifi5" %s 2>&1 | FileCheck %s --check-prefix=WRONG

// WRONG: option 'math-fidelity' takes lofi or hifi2 or hifi3 or hifi4 or undefined, not 'hifi5'

#tiles = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>

// CHECK-LABEL: @forward
// CHECK: "ttnn.matmul"{{.*}}compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4, fp32_dest_acc_en = true>
// LOFI: "ttnn.matmul"{{.*}}compute_config = #ttnn.device_compute_kernel_config<math_fidelity = lofi, packer_l1_acc = false>
// UNSET: "ttnn.matmul"
// UNSET-NOT: compute_config
// A configuration that the program gives is kept.
// CHECK: "ttnn.linear"{{.*}}compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi2, fp32_dest_acc_en = true, dst_full_sync_en = true>
// LOFI: "ttnn.linear"{{.*}}compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi2, packer_l1_acc = false, dst_full_sync_en = true>
// UNSET: "ttnn.linear"{{.*}}compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi2, dst_full_sync_en = true>
// CHECK: "ttnn.add"
// CHECK-NOT: compute_config
func.func @forward(%a: tensor<32x32xbf16, #tiles>) -> tensor<32x32xbf16, #tiles> {
  %0 = "ttnn.matmul"(%a, %a) : (tensor<32x32xbf16, #tiles>, tensor<32x32xbf16, #tiles>) -> tensor<32x32xbf16, #tiles>
  %1 = "ttnn.linear"(%0, %a) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi2, dst_full_sync_en = true>}> : (tensor<32x32xbf16, #tiles>, tensor<32x32xbf16, #tiles>) -> tensor<32x32xbf16, #tiles>
  %2 = "ttnn.add"(%1, %a) : (tensor<32x32xbf16, #tiles>, tensor<32x32xbf16, #tiles>) -> tensor<32x32xbf16, #tiles>
  return %2 : tensor<32x32xbf16, #tiles>
}
