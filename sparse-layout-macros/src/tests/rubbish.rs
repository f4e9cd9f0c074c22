//! Half-written and random declarations: never a panic, always the item and its methods in the output.

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

use super::parts;
use crate::declaration::declaration;

const DECLARATIONS: [&str; 6] = [
    "#[sparse_layout(axes(x, y, z), hash() > pointer(16) > pointer(16) > leaf: bitmasked(8))]
     pub struct Smoke { pub density: f32, #[field(background = [0.0, 0.0, 1.5])] pub velocity: [f32; 3] }",
    "#[sparse_layout(axes(x = -8..8, y = LO..HI, z = ..), { total, tile: pointer(_, 4, _) { age, dense(4, 1, 4, morton, aos) { density } }
     mask: bitmasked(x = _, z = _) }, crate = crate::layouts, deny(non_power_of_two), padded)]
     struct Smoke { density: f32, age: u32, total: u64 }",
    "#[sparse_layout(axes(x), hash(x = 64, hasher = Mine<u32, 4>) > dense({ 2 * N }) > dynamic(i, max = 16, chunk = 4))]
     pub(crate) struct Smoke<T: Element, const N: usize> where T: Copy { density: [T; N] }",
    "#[sparse_layout(axes(x: 3, y in 8), a = dense[8] . dense((8, 4)) -> pionter(8.0) { density: f32; velocity }, paded)]
     struct Smoke { density: f32, velocity: f32 }",
    "#[sparse_layout(axes(morton, x, x), list(-3, 0) > 8)] struct Smoke { density: f32 }",
    "#[sparse_layout(dense(x = 8, y = 4) > dense(z = 2))] struct Smoke { density: f32 }",
];

/// The first `left` tokens, groups cut open and closed again; `None` at the end.
fn truncated(tokens: TokenStream, left: &mut usize) -> TokenStream {
    let mut kept = TokenStream::new();
    for token in tokens {
        if *left == 0 {
            break;
        }
        *left -= 1;
        kept.extend([match token {
            TokenTree::Group(group) => Group::new(group.delimiter(), truncated(group.stream(), left)).into(),
            other => other,
        }]);
    }
    kept
}

fn contains(tokens: TokenStream, word: &str) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == word,
        TokenTree::Group(group) => contains(group.stream(), word),
        _ => false,
    })
}

#[test]
fn every_truncation_keeps_the_item() {
    let mut tried = 0;
    for declared in DECLARATIONS {
        let (args, item) = parts(declared);
        for length in 0.. {
            let mut left = length;
            let expansion = declaration(truncated(args.clone(), &mut left), item.clone());
            let text = expansion.tokens.to_string();
            assert!(
                syn::parse2::<syn::File>(expansion.tokens).is_ok(),
                "{declared} cut after {length} tokens:\n{text}"
            );
            assert!(
                text.contains("struct Smoke") && text.contains("fn density_mut"),
                "{declared} cut after {length} tokens"
            );
            assert_eq!(text.contains("compile_error"), !expansion.errors.is_empty());
            tried += 1;
            if left > 0 {
                break;
            }
        }
        for length in 0.. {
            let mut left = length;
            let item = truncated(item.clone(), &mut left);
            let parses = syn::parse2::<syn::DeriveInput>(item.clone()).is_ok();
            let expansion = declaration(args.clone(), item);
            assert!(
                contains(expansion.tokens.clone(), "Smoke") || !parses,
                "{declared}, item cut after {length} tokens"
            );
            assert!(parses || contains(expansion.tokens, "compile_error"));
            tried += 1;
            if left > 0 {
                break;
            }
        }
    }
    assert!(tried > 300, "{tried}");
}

/// Marsaglia's xorshift64.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).expect("31 bits") % n
    }

    fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len())]
    }

    fn tokens(&mut self, depth: usize) -> TokenStream {
        let length = self.below(if depth == 0 { 12 } else { 6 });
        (0..length).map(|_| self.token(depth)).collect()
    }

    fn token(&mut self, depth: usize) -> TokenTree {
        const WORDS: [&str; 36] = [
            "axes",
            "x",
            "y",
            "z",
            "dense",
            "bitmasked",
            "pointer",
            "hash",
            "dynamic",
            "morton",
            "soa",
            "aosoa",
            "aos",
            "hasher",
            "max",
            "chunk",
            "crate",
            "allow",
            "deny",
            "padded",
            "non_power_of_two",
            "density",
            "velocity",
            "tile",
            "_",
            "N",
            "in",
            "list",
            "self",
            "Self",
            "true",
            "mut",
            "pionter",
            "denisty",
            "i",
            "new",
        ];
        const SIGNS: [char; 18] =
            ['>', ',', '=', ':', '.', '-', '<', ';', '{', '|', '&', '#', '!', '?', '*', '+', '/', '\''];
        match self.below(10) {
            0..4 => TokenTree::Ident(Ident::new(self.pick(&WORDS), Span::call_site())),
            4..6 => {
                let sign = SIGNS[self.below(SIGNS.len())];
                let spacing = if self.below(3) == 0 { Spacing::Joint } else { Spacing::Alone };
                let sign = if matches!(sign, '{' | '\'') { ',' } else { sign };
                TokenTree::Punct(Punct::new(sign, spacing))
            }
            6 => TokenTree::Literal(match self.below(6) {
                0 => Literal::f64_unsuffixed(8.0),
                1 => Literal::string("8"),
                2 => Literal::u128_unsuffixed(u128::MAX),
                3 => Literal::character('x'),
                _ => Literal::usize_unsuffixed(self.below(20)),
            }),
            _ if depth > 4 => TokenTree::Ident(Ident::new("x", Span::call_site())),
            _ => {
                let delimiter = [
                    Delimiter::Parenthesis,
                    Delimiter::Parenthesis,
                    Delimiter::Brace,
                    Delimiter::Bracket,
                    Delimiter::None,
                ][self.below(5)];
                TokenTree::Group(Group::new(delimiter, self.tokens(depth + 1)))
            }
        }
    }

    /// A declaration with some tokens replaced, removed or doubled.
    fn mutated(&mut self, tokens: TokenStream, depth: usize) -> TokenStream {
        let mut out = TokenStream::new();
        for token in tokens {
            match self.below(24) {
                0 => {}
                1 => out.extend([token.clone(), token]),
                2 => out.extend([self.token(depth)]),
                _ => out.extend([match token {
                    TokenTree::Group(group) => {
                        Group::new(group.delimiter(), self.mutated(group.stream(), depth + 1)).into()
                    }
                    other => other,
                }]),
            }
        }
        out
    }
}

#[test]
fn random_tokens_keep_the_item() {
    random_tokens(0x5eed, 50_000);
}

#[test]
fn other_random_tokens_keep_the_item() {
    random_tokens(0xfeed, 50_000);
}

fn random_tokens(seed: u64, rounds: usize) {
    let (_, with_field) = parts("#[sparse_layout()] pub struct Smoke { density: f32 }");
    // Most of the time goes into printing stubs: fewer for an item without fields.
    let (_, without) = parts("#[sparse_layout()] pub struct Smoke;");
    let declared: Vec<TokenStream> = DECLARATIONS.iter().map(|code| parts(code).0).collect();
    let mut random = Random(seed);
    let mut valid = 0;
    for round in 0..rounds {
        let (item, method) = if round % 4 == 0 { (&with_field, "density_mut") } else { (&without, "builder") };
        let args = match random.below(3) {
            0 => random.tokens(0),
            _ => {
                let chosen = random.below(declared.len());
                random.mutated(declared[chosen].clone(), 0)
            }
        };
        let outcome = std::panic::catch_unwind(|| {
            let expansion = declaration(args.clone(), item.clone());
            (contains(expansion.tokens, method), expansion.errors.is_empty())
        });
        let (methods, fine) = outcome.unwrap_or_else(|_| panic!("round {round}: panic on {args}"));
        assert!(methods, "round {round}: {args}");
        valid += u32::from(fine);
    }
    // Not everything is refused, or the test would see only one path.
    assert!(valid > 100, "{valid}");
}
