// Scaled products of sums and of differences, those below a threshold replaced by 0: operations before both factors.
func.func @scores(%q: tensor<33x65xbf16>, %p: tensor<33x65xbf16>, %s: tensor<1x1xbf16>, %k: tensor<65x97xbf16>, %o: tensor<65x97xbf16>, %t: tensor<1x1xbf16>) -> tensor<33x97xbf16> {
  %0 = "ttir.add"(%q, %p) : (tensor<33x65xbf16>, tensor<33x65xbf16>) -> tensor<33x65xbf16>
  %1 = "ttir.multiply"(%0, %s) : (tensor<33x65xbf16>, tensor<1x1xbf16>) -> tensor<33x65xbf16>
  %2 = "ttir.subtract"(%k, %o) : (tensor<65x97xbf16>, tensor<65x97xbf16>) -> tensor<65x97xbf16>
  %3 = "ttir.matmul"(%1, %2) : (tensor<33x65xbf16>, tensor<65x97xbf16>) -> tensor<33x97xbf16>
  %4 = "ttir.subtract"(%3, %t) : (tensor<33x97xbf16>, tensor<1x1xbf16>) -> tensor<33x97xbf16>
  %5 = "ttir.relu"(%4) : (tensor<33x97xbf16>) -> tensor<33x97xbf16>
  return %5 : tensor<33x97xbf16>
}
