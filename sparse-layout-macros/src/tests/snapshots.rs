//! Expansions of five declarations, to be read by people, and the size of a large one.
//!
//! `SPARSE_LAYOUT_BLESS=1 cargo test -p sparse-layout-macros` writes them anew.

use std::path::Path;

use super::expand;

fn pretty(code: &str) -> String {
    let expansion = expand(code);
    assert!(expansion.errors.is_empty(), "{:?}", expansion.errors.list());
    let file = syn::parse2(expansion.tokens).expect("a list of items");
    prettyplease::unparse(&file)
}

/// Compares with a file beside this one, or writes it.
pub(super) fn compare(path: &Path, text: &str) {
    if std::env::var_os("SPARSE_LAYOUT_BLESS").is_some() {
        std::fs::write(path, text).expect("the file can be written");
        return;
    }
    let known = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        known == text,
        "{} is not current: run the tests with SPARSE_LAYOUT_BLESS=1, and read what changes",
        path.display()
    );
}

fn snapshot(name: &str, code: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("src/tests/snapshots/{name}.txt"));
    compare(&path, &format!("{code}\n\n{}", pretty(code).replace("::sparse_layout::__rt::", "rt::")));
}

#[test]
fn smallest() {
    snapshot("smallest", "#[sparse_layout(axes(x), dense(8))]\nstruct Line { height: f32 }");
}

#[test]
fn topology() {
    snapshot("topology", "#[sparse_layout(axes(x, y), hash() > mask: bitmasked(8))]\npub struct Mask;");
}

#[test]
fn vdb() {
    let code = "/// Smoke on a VDB-like tree.\n#[sparse_layout(axes(x, y, z), hash() > pointer(16) > pointer(16) > bitmasked(8))]
pub struct Smoke {\n    /// Kilograms per cubic metre.\n    pub density: f32,\n    #[field(background = [0.0, 0.0, 1.5])]\n    pub velocity: [f32; 3],\n}";
    snapshot("vdb", code);
}

#[test]
fn siblings() {
    let code = "#[sparse_layout(axes(x = -8..8, y = ..), { total, tile: pointer(x = 4, y = _) { age, cells: dense(4, N, aos) } }, crate = crate::layouts)]
#[derive(PartialEq)]\npub(crate) struct World { age: u32, total: u64, r#type: u8 }";
    snapshot("siblings", code);
}

#[test]
fn generic() {
    let code = "#[sparse_layout(axes(x), hash(hasher = Mine) > dense(N), deny(non_power_of_two))]
pub struct Pool<T: Element, const N: usize = 8> where T: Copy { pub item: [T; N] }";
    snapshot("generic", code);
}

#[test]
fn a_large_layout_stays_small() {
    let fields: String = (0..64).map(|field| format!("pub field{field}: f32, ")).collect();
    let args = "axes(x, y, z), hash() > pointer(16) > pointer(16) > bitmasked(4) > dense(2) > bitmasked(2)";
    let lines = pretty(&format!("#[sparse_layout({args})] pub struct Large {{ {fields} }}")).lines().count();
    assert!(lines < 3800, "{lines} lines");
}
