"""builds and tests a Rust project with a vendored package and a build script, offline"""

NEEDS = {"cargo": "cargo"}
HEAVY = True
ACT = "cargo build -q --offline && target/debug/app && cargo test -q --offline 2>&1 | grep -o '1 passed' && cargo run -q --offline --release -- x && ls Cargo.lock"


def prepare(host):
    host.write("Cargo.toml", '[package]\nname = "app"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\ndep = "0.1"\n')
    host.write("build.rs", 'fn main() { println!("cargo:rustc-env=BUILT=yes"); }\n')
    host.write("src/main.rs", 'fn main() { println!("{} {}", dep::two(), env!("BUILT")); }\n#[test]\nfn two() { assert_eq!(dep::two(), 2); }\n')
    # As `cargo vendor` leaves it.
    host.write(".cargo/config.toml", '[source.crates-io]\nreplace-with = "vendored"\n[source.vendored]\ndirectory = "vendor"\n')
    host.write("vendor/dep/Cargo.toml", '[package]\nname = "dep"\nversion = "0.1.3"\nedition = "2021"\n')
    host.write("vendor/dep/src/lib.rs", "pub fn two() -> i32 { 2 }\n")
    host.write("vendor/dep/.cargo-checksum.json", '{"files": {}, "package": null}\n')


def works(host, done):
    return done.status == 0 and done.out.split() == ["2", "yes", "1", "passed", "2", "yes", "Cargo.lock"]
