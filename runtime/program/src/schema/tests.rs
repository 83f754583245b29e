use super::*;

#[test]
fn generated_code_is_fresh() {
    assert_eq!(
        crate::generated::SCHEMA_SHA256,
        schema_hash().to_string(),
        "src/generated.rs does not come from program.fbs as it is: run `cargo xtask codegen`"
    );
}

#[test]
fn version_is_the_package_version() {
    assert_eq!(Version::CURRENT.to_string(), env!("CARGO_PKG_VERSION"));
}
