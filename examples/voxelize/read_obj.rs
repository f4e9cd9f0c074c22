//! Wavefront OBJ: positions and faces; everything else is passed over.

use crate::read::{ParseError, Parts, push_fan};

/// Statements that say nothing about the triangles. Any other word is an error: the file is then not an OBJ file, or broken.
const PASSED_OVER: [&str; 31] = [
    "vt",
    "vn",
    "vp",
    "g",
    "o",
    "s",
    "mg",
    "usemtl",
    "mtllib",
    "usemap",
    "maplib",
    "l",
    "p",
    "cstype",
    "deg",
    "bmat",
    "step",
    "curv",
    "curv2",
    "surf",
    "parm",
    "trim",
    "hole",
    "scrv",
    "sp",
    "end",
    "con",
    "bevel",
    "lod",
    "shadow_obj",
    "trace_obj",
];

/// Reads `v` and `f` lines: corners as `v`, `v/vt`, `v//vn` or `v/vt/vn`, counted from 1 or back from the last vertex with negative
/// numbers; polygons become fans. A vertex may come after the face that uses it.
pub(crate) fn parse(bytes: &[u8]) -> Result<Parts, ParseError> {
    let mut vertices = Vec::new();
    let mut triangles = Vec::new();
    let mut largest = Largest::default();
    let mut polygon = Vec::new();
    let mut joined = String::new();
    for (number, line) in (1..).zip(bytes.split(|&b| b == b'\n')) {
        let line = std::str::from_utf8(line).map_err(|_| ParseError::at(number, "not text"))?.trim_end();
        if let Some(part) = line.strip_suffix('\\') {
            joined.push_str(part);
            joined.push(' ');
            continue;
        }
        let whole = if joined.is_empty() {
            line
        } else {
            joined.push_str(line);
            joined.as_str()
        };
        let mut words = whole.split('#').next().unwrap_or("").split_whitespace();
        match words.next() {
            Some("v") => vertices.push(vertex(words, number)?),
            Some("f") => {
                polygon.clear();
                for word in words {
                    polygon.push(corner(word, vertices.len(), number)?);
                    largest.see(polygon[polygon.len() - 1], number);
                }
                if polygon.len() < 3 {
                    return Err(ParseError::at(number, format!("a face of {} corners", polygon.len())));
                }
                push_fan(&polygon, &mut triangles);
            }
            Some(word) if !PASSED_OVER.contains(&word) => {
                let word: String = word.chars().take(20).collect();
                return Err(ParseError::at(number, format!("{word:?} is no OBJ statement")));
            }
            _ => {}
        }
        joined.clear();
    }
    if let Some((index, line)) = largest.out_of(vertices.len()) {
        let what = format!("a face uses vertex {}, but the file has {}", u64::from(index) + 1, vertices.len());
        return Err(ParseError::at(line, what));
    }
    Ok((vertices, triangles))
}

/// The largest vertex number seen, with its line: vertices may follow the faces, so the range is known only at the end.
#[derive(Default)]
struct Largest(Option<(u32, usize)>);

impl Largest {
    fn see(&mut self, index: u32, line: usize) {
        if self.0.is_none_or(|(seen, _)| index > seen) {
            self.0 = Some((index, line));
        }
    }

    fn out_of(&self, vertices: usize) -> Option<(u32, usize)> {
        self.0.filter(|&(index, _)| index as usize >= vertices)
    }
}

fn vertex<'a>(mut words: impl Iterator<Item = &'a str>, line: usize) -> Result<[f32; 3], ParseError> {
    let mut position = [0.0_f32; 3];
    for c in &mut position {
        let word = words.next().ok_or_else(|| ParseError::at(line, "a vertex needs three coordinates"))?;
        *c = word.parse().map_err(|_| ParseError::at(line, format!("{word:?} is not a number")))?;
        if !c.is_finite() {
            return Err(ParseError::at(line, format!("the vertex coordinate {word} is not finite")));
        }
    }
    Ok(position)
}

/// The position number of a corner, from 0.
fn corner(word: &str, vertices: usize, line: usize) -> Result<u32, ParseError> {
    let number = word.split('/').next().unwrap_or("");
    let index: i64 = number.parse().map_err(|_| ParseError::at(line, format!("{word:?} is not a corner")))?;
    let from_zero = match index {
        0 => return Err(ParseError::at(line, "a face uses vertex 0, but OBJ counts from 1")),
        1.. => index - 1,
        _ => index + vertices as i64,
    };
    u32::try_from(from_zero).map_err(|_| {
        ParseError::at(line, format!("a face uses vertex {index}, but there are {vertices} above this line"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

    fn triangles(faces: &str) -> Vec<[u32; 3]> {
        parse(format!("{SQUARE}{faces}").as_bytes()).unwrap().1
    }

    fn message(text: &str) -> String {
        parse(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn all_corner_forms() {
        let fan = [[0, 1, 2], [0, 2, 3]];
        for faces in [
            "f 1 2 3 4",
            "f 1/9 2/9 3/9 4/9",
            "f 1//7 2//7 3//7 4//7",
            "f 1/2/3 2/2/3 3/2/3 4/2/3 # tail",
            "f -4 -3 -2 -1",
            "f 1 2 \\\n3 4\r\n",
            "vn 0 0 1\ng a\nusemtl m\nf 1 2 3 4",
        ] {
            assert_eq!(triangles(faces), fan, "{faces}");
        }
    }

    #[test]
    fn vertices_may_follow_and_carry_colours() {
        let (v, t) = parse(b"f 1 2 3\nv 0 0 0 1 0 0\nv 1 0 0 1.0\nv 0 1e0 -2.5").unwrap();
        assert_eq!(t, [[0, 1, 2]]);
        assert_eq!(v, [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, -2.5]]);
    }

    #[test]
    fn each_fault_names_its_line() {
        for (tail, expected) in [
            ("f 1 2 5", "line 5: a face uses vertex 5, but the file has 4"),
            ("\nf 1 2 9\nf 1 2 3", "line 6: a face uses vertex 9, but the file has 4"),
            ("f 1 2 0", "line 5: a face uses vertex 0, but OBJ counts from 1"),
            ("f -5 1 2", "line 5: a face uses vertex -5, but there are 4 above this line"),
            ("f 1 2", "line 5: a face of 2 corners"),
            ("f 1 2 x", "line 5: \"x\" is not a corner"),
            ("v 1 2", "line 5: a vertex needs three coordinates"),
            ("v 1 2 z", "line 5: \"z\" is not a number"),
            ("v 1 nan 2", "line 5: the vertex coordinate nan is not finite"),
            ("v 1 2 1e99", "line 5: the vertex coordinate 1e99 is not finite"),
            ("face 1 2 3", "line 5: \"face\" is no OBJ statement"),
        ] {
            assert_eq!(message(&format!("{SQUARE}{tail}")), expected);
        }
    }
}
