use super::*;

const NEEDS: &[Need] = &[
    (MLIR, "no-such-file", "libmlir-19-dev"),
    (MLIR, "no-such-file-either", "libmlir-19-dev"),
    (LLVM, "no-such-file", "llvm-19-dev"),
    (SearchPath::Path, "sh", "dash"),
    (SearchPath::Path, "no-such-program", "nothing"),
    (SearchPath::Include, "no-such-header.h", "nothing"),
];

#[test]
fn missing_packages_are_named_once() {
    let packages = missing(NEEDS, |_| DEBIAN_PREFIX.into()).expect("Debian's place is no error");
    assert_eq!(packages, ["libmlir-19-dev", "llvm-19-dev", "nothing"]);
}

#[test]
fn a_prefix_of_the_users_own_is_not_apts_business() {
    let error = missing(NEEDS, |variable| Path::new("/no-such-place").join(variable))
        .expect_err("nothing is there");
    assert_eq!(
        error.to_string(),
        "MLIR_SYS_190_PREFIX is /no-such-place/MLIR_SYS_190_PREFIX, and there is no no-such-file \
         below it; install it there (Debian calls the package libmlir-19-dev), or unset \
         MLIR_SYS_190_PREFIX to use apt's LLVM 19"
    );
}
