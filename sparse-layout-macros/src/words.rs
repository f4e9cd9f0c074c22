//! The words of the language, and what people write in their place.

use crate::ast::Kind;

/// The options that stand between the parentheses of a level; an axis cannot be called like that.
pub(crate) const FLAGS: [&str; 7] = ["morton", "soa", "aosoa", "aos", "hasher", "max", "chunk"];

/// The options after the tree.
pub(crate) const OPTIONS: [&str; 4] = ["crate", "allow", "deny", "padded"];

/// Other systems' words for the kinds, and what is said about them.
const FOREIGN: &[(&[&str], Kind, &str)] = &[
    (&["list", "vec", "append", "queue", "particles"], Kind::Dynamic, "a list per cell is a `dynamic` level"),
    (
        &["hashmap", "hashed", "hash_map", "hashtable", "unbounded", "root", "map", "table"],
        Kind::Hash,
        "the level without bounds, found by its key, is `hash`",
    ),
    (
        &["sparse", "ptr", "pointers", "internal", "internal_node", "node", "indirect", "compressed", "octree", "tree"],
        Kind::Pointer,
        "the level whose cells are allocated when they are activated is `pointer`",
    ),
    (
        &["bitmask", "mask", "masked", "bits", "bitmap", "bytemap", "leaf", "leaf_node", "topology"],
        Kind::Bitmasked,
        "the level with one activity bit per cell is `bitmasked`",
    ),
    (
        &["array", "block", "tile", "grid", "full", "uniform", "image", "brick", "packed", "place", "quant_array"],
        Kind::Dense,
        "the level whose cells all exist is `dense`",
    ),
];

/// The kind that another system's word stands for.
pub(crate) fn foreign(word: &str) -> Option<(Kind, &'static str)> {
    let word = word.to_lowercase();
    let entry = FOREIGN.iter().find(|(words, ..)| words.contains(&word.as_str()))?;
    Some((entry.1, entry.2))
}

/// The word of the list nearest to one with a typo: at most a third of its letters differ.
pub(crate) fn nearest<'a>(word: &str, list: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let most = (word.chars().count() / 3).clamp(1, 3);
    let scored = list.into_iter().map(|known| (distance(&word.to_lowercase(), &known.to_lowercase()), known));
    scored
        .filter(|(score, known)| *score <= most && *score < known.chars().count())
        .min_by_key(|(score, _)| *score)
        .map(|(_, known)| known)
}

/// Letters to insert, remove, replace or swap with the next one (restricted Damerau-Levenshtein distance).
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(64).collect(), b.chars().take(64).collect());
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

/// `a`, `b` and `c`, in backquotes.
pub(crate) fn listed<S: AsRef<str>>(names: &[S]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{}`", name.as_ref())).collect();
    match quoted.split_last() {
        None => "none".to_owned(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        assert_eq!(distance("pionter", "pointer"), 1);
        assert_eq!(distance("dens", "dense"), 1);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
    }

    #[test]
    fn nearest_words() {
        let kinds = || Kind::ALL.map(Kind::word);
        assert_eq!(nearest("pionter", kinds()), Some("pointer"));
        assert_eq!(nearest("Dense", kinds()), Some("dense"));
        assert_eq!(nearest("bitmaskd", kinds()), Some("bitmasked"));
        assert_eq!(nearest("volume", kinds()), None);
        assert_eq!(nearest("x", ["y"]), None);
    }

    #[test]
    fn lists() {
        assert_eq!(listed(&["x", "y", "z"]), "`x`, `y` and `z`");
        assert_eq!(listed(&["x"]), "`x`");
    }
}
