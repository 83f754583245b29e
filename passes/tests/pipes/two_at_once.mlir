// Two tiles are on their way at once, each way: the vector kernel turns (x, y) to (x - y, relu y).
pto.func @two_aic(%a: memref<96x64xf32>, %c: memref<96x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<cube>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %3 = arith.constant 3 : index
  %peer = pto.import_peer_buffer "there" of @two_aiv : <8192, vec>
  %own = pto.reserve_buffer "back" auto : <8192, mat>
  %there, %back = pto.aic_initialize_pipe %peer, %own : !pto.buffer<8192, vec>, !pto.buffer<8192, mat> -> !pto.pipe<c2v, 2 x 4096>, !pto.pipe<v2c, 2 x 4096>
  scf.for %i = %0 to %3 step %1 {
    %x = pto.tload %a[%i, %0] : memref<96x64xf32> -> <tensor<32x32xf32>, mat>
    %y = pto.tload %a[%i, %1] : memref<96x64xf32> -> <tensor<32x32xf32>, mat>
    pto.tpush %x, %there : <tensor<32x32xf32>, mat>, <c2v, 2 x 4096>
    pto.tpush %y, %there : <tensor<32x32xf32>, mat>, <c2v, 2 x 4096>
    %difference = pto.tpop %back : <v2c, 2 x 4096> -> <tensor<32x32xf32>, mat>
    %relu = pto.tpop %back : <v2c, 2 x 4096> -> <tensor<32x32xf32>, mat>
    pto.tstore %difference, %c[%i, %0] : <tensor<32x32xf32>, mat> -> memref<96x64xf32>
    pto.tstore %relu, %c[%i, %1] : <tensor<32x32xf32>, mat> -> memref<96x64xf32>
    pto.tfree %difference, %back : <tensor<32x32xf32>, mat>, <v2c, 2 x 4096>
    pto.tfree %relu, %back : <tensor<32x32xf32>, mat>, <v2c, 2 x 4096>
  }
  pto.return
}

pto.func @two_aiv(%a: memref<96x64xf32>, %c: memref<96x64xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %3 = arith.constant 3 : index
  %own = pto.reserve_buffer "there" auto : <8192, vec>
  %peer = pto.import_peer_buffer "back" of @two_aic : <8192, mat>
  %there, %back = pto.aiv_initialize_pipe %own, %peer : !pto.buffer<8192, vec>, !pto.buffer<8192, mat> -> !pto.pipe<c2v, 2 x 4096>, !pto.pipe<v2c, 2 x 4096>
  scf.for %i = %0 to %3 step %1 {
    %x = pto.tpop %there : <c2v, 2 x 4096> -> <tensor<32x32xf32>, vec>
    %y = pto.tpop %there : <c2v, 2 x 4096> -> <tensor<32x32xf32>, vec>
    %difference = pto.tsub %x, %y {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
    %relu = pto.trelu %y {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
    pto.tfree %x, %there : <tensor<32x32xf32>, vec>, <c2v, 2 x 4096>
    pto.tfree %y, %there : <tensor<32x32xf32>, vec>, <c2v, 2 x 4096>
    pto.tpush %difference, %back : <tensor<32x32xf32>, vec>, <v2c, 2 x 4096>
    pto.tpush %relu, %back : <tensor<32x32xf32>, vec>, <v2c, 2 x 4096>
  }
  pto.return
}

pto.func @two_at_once(%a: memref<96x64xf32>, %c: memref<96x64xf32>) attributes {kind = #pto.kind<orchestration>} {
  pto.launch cube @two_aic vector [@two_aiv](%a, %c) : memref<96x64xf32>, memref<96x64xf32>
  pto.return
}
