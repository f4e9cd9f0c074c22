use crate::declaration;
use proc_macro2::TokenStream;

#[test]
fn show() {
    let args: TokenStream = "axes(x, y, z), hash() > pointer(16) > pointer(16) > leaf: bitmasked(8)".parse().unwrap();
    let item: TokenStream = "/// Doc.\npub struct Smoke { pub density: f32, #[field(background = [0.0, 0.0, 1.5])] pub velocity: [f32; 3] }".parse().unwrap();
    let out = declaration(args, item);
    println!("{:#?}", out.errors.list());
    let file = syn::parse2::<syn::File>(out.tokens).unwrap();
    println!("{}", prettyplease::unparse(&file));
}
