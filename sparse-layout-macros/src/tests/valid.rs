//! Declarations that are right, and what they become.

use super::{expand, parts};
use crate::declaration::declaration;

/// The constant tree of a declaration without its paths, spaces and the names of the lists.
fn tree(code: &str) -> String {
    let expansion = expand(code);
    let problems: Vec<&str> = expansion.errors.list().iter().map(|problem| problem.text.as_str()).collect();
    assert!(problems.is_empty(), "{code}\n{}", problems.join("\n"));
    let text = expansion.tokens.to_string().split_whitespace().collect::<String>();
    let text = text
        .replace("::sparse_layout::__rt::", "")
        .replace("Size::", "")
        .replace("Bounds::", "")
        .replace("::core::primitive::", "");
    let (from, to) = (text.find("axes:&").expect("axes"), text.find(",padded:").expect("padded"));
    text[from..to].to_owned()
}

fn struct_of(args: &str) -> String {
    format!("#[sparse_layout({args})] struct Smoke {{ density: f32 }}")
}

fn levels(args: &str) -> String {
    let text = tree(&struct_of(args));
    let (from, to) = (text.find("levels:&[").expect("levels") + 9, text.find("],fields:").expect("fields"));
    text[from..to].replace("LevelDecl::new", "")
}

#[test]
fn sizes_in_every_form() {
    assert_eq!(levels("axes(x, y), dense(8)"), r#"("level0",Kind::Dense,ROOT,&[Cells(8),Cells(8)],&[0,1])"#);
    assert_eq!(levels("axes(x, y,), dense(8, 0x4,)"), r#"("level0",Kind::Dense,ROOT,&[Cells(8),Cells(4)],&[0,1])"#);
    assert_eq!(
        levels("axes(x, y), dense(y = 8usize, x = 1_0)"),
        r#"("level0",Kind::Dense,ROOT,&[Cells(10),Cells(8)],&[1,0])"#
    );
    let constant = r#"("level0",Kind::Dense,ROOT,&[Cells(((a::N)|0)asi128),Cells((({2*N})|0)asi128)],&[0,1])"#;
    assert_eq!(levels("axes(x, y), dense(a::N, { 2 * N })"), constant);
    let cover = r#"("level0",Kind::Pointer,ROOT,&[Cover],&[0]),("level1",Kind::Dense,0,&[Cells(8)],&[0])"#;
    assert_eq!(levels("axes(x = 0..9), pointer(_) > dense(8)"), cover);
}

#[test]
fn hashes_in_every_form() {
    assert_eq!(levels("axes(x, y), hash()"), r#"("level0",Kind::Hash,ROOT,&[Unbounded,Unbounded],&[0,1])"#);
    let partly =
        r#"("level0",Kind::Hash,ROOT,&[None,Unbounded],&[1]),("level1",Kind::Dense,0,&[Cells(4),Cells(4)],&[0,1])"#;
    assert_eq!(levels("axes(x, y), hash(y) > dense(4)"), partly);
    let bounded =
        r#"("level0",Kind::Pointer,ROOT,&[Cells(4),Cells(4)],&[0,1]),("level1",Kind::Hash,0,&[Cells(64),None],&[0])"#;
    assert_eq!(levels("axes(x, y), pointer(4) > hash(x = 64)"), bounded);
    let mixed = r#"("level0",Kind::Hash,ROOT,&[Unbounded,Cells(8)],&[0,1])"#;
    assert_eq!(levels("axes(x, y), hash(x, y = 8)"), mixed);
}

#[test]
fn bounds_in_every_form() {
    let text =
        tree(&struct_of("axes(x = -8..8, y = LO..HI + 1, z = .., w), dense(16, 4, _, 2), allow(non_power_of_two)"));
    let axes = r#"axes:&[Axis{name:"x",bounds:Fixed(-8,8)},Axis{name:"y",bounds:Fixed(((LO)|0)asi128,((HI+1)|0)asi128)},Axis{name:"z",bounds:RunTime},Axis{name:"w",bounds:Sizes}]"#;
    assert!(text.starts_with(axes), "{text}");
}

#[test]
fn braces_place_fields() {
    let code = "#[sparse_layout(axes(x), { total, tile: pointer(4, soa) { age, dense(4) { mass } dense(2) } mask: bitmasked(8) { on } })]
                struct Smoke { density: f32, age: u8, total: u64, mass: f64, on: u8 }";
    let text = tree(code);
    let fields = r#"fields:&[FieldDecl::of::<f32>("density","f32",2),FieldDecl::of::<u8>("age","u8",0),FieldDecl::of::<u64>("total","u64",{ROOT}),FieldDecl::of::<f64>("mass","f64",1),FieldDecl::of::<u8>("on","u8",3)]"#;
    assert!(text.ends_with(fields), "{text}");
    assert!(text.contains(r#"("tile",Kind::Pointer,ROOT,&[Cells(4)],&[0]),"#), "{text}");
    assert!(text.contains(r#"("mask",Kind::Bitmasked,ROOT,&[Cells(8)],&[0])"#), "{text}");
}

#[test]
fn options_of_levels() {
    let options = r#"("level0",Kind::Dense,ROOT,&[Cells(8),Cells(4)],&[0,1]).morton().storage(Storage::Aosoa)"#;
    assert_eq!(levels("axes(x, y), dense(8, 4, aosoa, morton)"), options);
    let text = expand("#[sparse_layout(axes(x), hash(hasher = Mine<u8, 4>) > dense(8))] struct Smoke { density: f32 }")
        .tokens
        .to_string();
    assert!(text.contains("< Mine < u8 , 4 > as :: sparse_layout :: __rt :: CoordHash > :: hash (key)"), "{text}");
}

#[test]
fn several_errors_in_one_compile() {
    let code = "#[sparse_layout(axes(x, x, y in 0..8), dense[8] . pionter(8.0) > tile: dense(q = 4, y = 0), paded)]
                struct Smoke<'a, T> { density: T, new: f32, #[cfg(unix)] #[field(backgroud = 1)] age: u32 }";
    let expansion = expand(code);
    let mut ids: Vec<&str> = expansion.errors.list().iter().map(|problem| problem.code.text().id).collect();
    ids.sort_unstable();
    let expected = [
        "axis-syntax",
        "axis-twice",
        "axis-unknown",
        "field-cfg",
        "field-option",
        "generic-element",
        "kind-brackets",
        "kind-unknown",
        "lifetime",
        "name-reserved",
        "option-unknown",
        "separator",
        "size-float",
        "size-zero",
    ];
    assert_eq!(ids, expected);
}

#[test]
fn fragments_of_macro_rules() {
    use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
    // What `$n:expr`, `$t:ty` and a whole tree as `$t:expr` arrive as.
    let fragment = |text: &str| TokenTree::from(Group::new(Delimiter::None, text.parse().expect("tokens")));
    let replaced = |stream: TokenStream| -> TokenStream {
        fn walk(stream: TokenStream, fragment: &dyn Fn(&str) -> TokenTree) -> TokenStream {
            stream
                .into_iter()
                .map(|token| match token {
                    TokenTree::Ident(word) if word == "EIGHT" => fragment("8"),
                    TokenTree::Ident(word) if word == "SUM" => fragment("4 + 4"),
                    TokenTree::Ident(word) if word == "TREE" => fragment("pointer(4) > dense(8)"),
                    TokenTree::Ident(word) if word == "TYPE" => fragment("f32"),
                    TokenTree::Group(group) => Group::new(group.delimiter(), walk(group.stream(), fragment)).into(),
                    other => other,
                })
                .collect()
        }
        walk(stream, &fragment)
    };
    for (args, sizes) in [
        ("axes(x), dense(EIGHT)", "Cells(8)"),
        ("axes(x = 0..EIGHT), dense(x = EIGHT)", "Cells(8)"),
        ("axes(x), dense(SUM)", "Cells(((4+4)|0)as::core::primitive::i128)"),
        ("axes(x), TREE", "Cells(4)"),
    ] {
        let (args, item) = parts(&format!("#[sparse_layout({args})] struct Smoke {{ density: TYPE }}"));
        let expansion = declaration(replaced(args.clone()), replaced(item));
        assert!(expansion.errors.is_empty(), "{args}: {:?}", expansion.errors.list());
        let text = expansion.tokens.to_string().split_whitespace().collect::<String>();
        assert!(text.contains(sizes), "{args}: {text}");
    }
}

#[test]
fn the_power_of_two_rule() {
    let warned = |args: &str| -> Vec<String> {
        let text = expand(&struct_of(args)).tokens.to_string();
        text.split("deprecated (note = \"")
            .skip(1)
            .map(|rest| rest.split('\\').next().unwrap_or_default().to_owned())
            .collect()
    };
    let none: Vec<String> = Vec::new();
    assert_eq!(warned("axes(i), dense(i = 10) > dense(i = 32)"), none);
    let again = "the `dense` level divides the axis `i` again, by 10, which is no power of two";
    assert_eq!(warned("axes(i), dense(i = 32) > dense(i = 10)"), [again]);
    assert_eq!(warned("axes(i, j), dense(i = 10) > dense(j = 30)"), none);
    let named = "the level `t` divides the axis `j` again, by 6, which is no power of two";
    assert_eq!(warned("axes(i, j), dense(i = 3) > dense(j = 5) > dense(i = 8) > t: dense(j = 6)"), [named]);
    let both = "the `dense` level divides the axes `i` and `j` again, by 10, which is no power of two";
    assert_eq!(warned("axes(i, j), hash() > dense(10)"), [both]);
    assert_eq!(warned("axes(i, j), hash() > dense(10), allow(non_power_of_two)"), none);
    assert_eq!(warned("axes(i, j), hash() > dense(10), padded"), none);
}
