//! Stanford PLY: ASCII and binary of both byte orders; any scalar types, any further elements and properties.

use crate::read::{ParseError, Parts, push_fan};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Ascii,
    Little,
    Big,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

#[derive(Debug)]
struct Property {
    name: String,
    kind: Scalar,
    /// Type of the length if the property is a list.
    length: Option<Scalar>,
}

#[derive(Debug)]
struct Element {
    name: String,
    count: u64,
    properties: Vec<Property>,
}

#[derive(Debug)]
struct Header {
    format: Format,
    elements: Vec<Element>,
    /// Bytes and lines up to and including `end_header`.
    bytes: usize,
    lines: usize,
}

/// Reads `x`, `y`, `z` of the element `vertex` and the list `vertex_indices` (or `vertex_index`) of `face`, if there are faces;
/// polygons become fans.
pub(crate) fn parse(bytes: &[u8]) -> Result<Parts, ParseError> {
    let header = header(bytes)?;
    let count_of = |name: &str| header.elements.iter().find(|e| e.name == name).map(|e| e.count);
    let vertex_count = count_of("vertex").ok_or_else(|| ParseError::whole("the PLY header names no vertices"))?;

    let mut body = Body { format: header.format, rest: &bytes[header.bytes..], line: header.lines, words: &[] };
    let mut vertices = Vec::new();
    let mut triangles = Vec::new();
    let mut values = Vec::new();
    for element in &header.elements {
        let wanted = Wanted::of(element)?;
        if element.properties.is_empty() {
            continue;
        }
        for number in 0..element.count {
            let fail = |body: &Body<'_>, what: String| match body.format {
                Format::Ascii => ParseError::at(body.line, what),
                _ => ParseError::whole(format!("{} {number} of {}: {what}", element.name, element.count)),
            };
            body.next_line().map_err(|e| fail(&body, e))?;
            let mut position = [0.0; 3];
            for (slot, property) in element.properties.iter().enumerate() {
                values.clear();
                body.property(property, &mut values).map_err(|e| fail(&body, e))?;
                match wanted {
                    Wanted::Position(slots) => {
                        if let Some(axis) = slots.iter().position(|&s| s == slot) {
                            position[axis] = values[0] as f32;
                            if !position[axis].is_finite() {
                                let what = format!("the vertex coordinate {} is not finite", values[0]);
                                return Err(fail(&body, what));
                            }
                        }
                    }
                    Wanted::Corners(wanted) if wanted == slot => {
                        let corners = corners(&values, vertex_count).map_err(|e| fail(&body, e))?;
                        push_fan(&corners, &mut triangles);
                    }
                    _ => {}
                }
            }
            if let Wanted::Position(_) = wanted {
                vertices.push(position);
            }
        }
    }
    Ok((vertices, triangles))
}

/// Which properties of an element go into the mesh, by their place in it.
#[derive(Clone, Copy)]
enum Wanted {
    Position([usize; 3]),
    Corners(usize),
    Nothing,
}

impl Wanted {
    fn of(element: &Element) -> Result<Self, ParseError> {
        let place = |names: &[&str], list: bool| {
            element
                .properties
                .iter()
                .position(|p| names.contains(&p.name.as_str()) && p.length.is_some() == list)
                .ok_or_else(|| ParseError::whole(format!("the PLY element {} has no {}", element.name, names[0])))
        };
        Ok(match element.name.as_str() {
            "vertex" => Self::Position([place(&["x"], false)?, place(&["y"], false)?, place(&["z"], false)?]),
            "face" => Self::Corners(place(&["vertex_indices", "vertex_index"], true)?),
            _ => Self::Nothing,
        })
    }
}

fn corners(values: &[f64], vertices: u64) -> Result<Vec<u32>, String> {
    if values.len() < 3 {
        return Err(format!("a face of {} corners", values.len()));
    }
    values
        .iter()
        .map(|&v| {
            let inside = v >= 0.0 && v < vertices as f64 && v.fract() == 0.0 && v <= f64::from(u32::MAX);
            if inside {
                Ok(v as u32)
            } else {
                Err(format!("a face uses vertex {v}, but the file has {vertices} (from 0)"))
            }
        })
        .collect()
}

fn header(bytes: &[u8]) -> Result<Header, ParseError> {
    let mut format = None;
    let mut elements: Vec<Element> = Vec::new();
    let mut at = 0;
    for line in 1.. {
        let length = bytes[at..].iter().position(|&b| b == b'\n');
        let length = length.ok_or_else(|| ParseError::at(line, "the PLY header has no end_header"))?;
        let text = std::str::from_utf8(&bytes[at..at + length]).map_err(|_| ParseError::at(line, "not text"))?;
        at += length + 1;
        let words: Vec<&str> = text.split_whitespace().collect();
        let fail = || ParseError::at(line, format!("{:?} is not understood in a PLY header", text.trim()));
        match words[..] {
            ["ply"] if line == 1 => {}
            [] | ["comment" | "obj_info", ..] => {}
            ["format", name, "1.0"] => {
                format = Some(match name {
                    "ascii" => Format::Ascii,
                    "binary_little_endian" => Format::Little,
                    "binary_big_endian" => Format::Big,
                    _ => return Err(fail()),
                });
            }
            ["element", name, count] => elements.push(Element {
                name: name.into(),
                count: count.parse().map_err(|_| fail())?,
                properties: Vec::new(),
            }),
            ["property", ref what @ .., name] => {
                let (kind, length) = match *what {
                    [kind] => (kind, None),
                    ["list", length, kind] => (kind, Some(scalar(length).filter(|l| l.is_integer()).ok_or_else(fail)?)),
                    _ => return Err(fail()),
                };
                let kind = scalar(kind).ok_or_else(fail)?;
                elements.last_mut().ok_or_else(fail)?.properties.push(Property { name: name.into(), kind, length });
            }
            ["end_header"] => {
                let format = format.ok_or_else(|| ParseError::at(line, "the PLY header names no format"))?;
                return Ok(Header { format, elements, bytes: at, lines: line });
            }
            _ => return Err(fail()),
        }
    }
    unreachable!("the loop ends at end_header or at the end of the bytes")
}

fn scalar(name: &str) -> Option<Scalar> {
    Some(match name {
        "char" | "int8" => Scalar::I8,
        "uchar" | "uint8" => Scalar::U8,
        "short" | "int16" => Scalar::I16,
        "ushort" | "uint16" => Scalar::U16,
        "int" | "int32" => Scalar::I32,
        "uint" | "uint32" => Scalar::U32,
        "float" | "float32" => Scalar::F32,
        "double" | "float64" => Scalar::F64,
        _ => return None,
    })
}

impl Scalar {
    fn is_integer(self) -> bool {
        !matches!(self, Self::F32 | Self::F64)
    }
}

/// What follows the header. An f64 holds every scalar type exactly.
struct Body<'a> {
    format: Format,
    rest: &'a [u8],
    /// ASCII only: the number of the line in hand and what is left of it.
    line: usize,
    words: &'a [u8],
}

const EARLY: &str = "the file ends early";

impl Body<'_> {
    /// ASCII: one element a line, empty lines do not count. Binary: nothing.
    fn next_line(&mut self) -> Result<(), String> {
        if self.format != Format::Ascii {
            return Ok(());
        }
        loop {
            self.line += 1;
            if self.rest.is_empty() {
                return Err(EARLY.into());
            }
            let length = self.rest.iter().position(|&b| b == b'\n').unwrap_or(self.rest.len());
            self.words = self.rest[..length].trim_ascii();
            self.rest = &self.rest[(length + 1).min(self.rest.len())..];
            if !self.words.is_empty() {
                return Ok(());
            }
        }
    }

    fn property(&mut self, property: &Property, out: &mut Vec<f64>) -> Result<(), String> {
        let count = match property.length {
            None => 1,
            Some(kind) => {
                let length = self.scalar(kind)?;
                if !(length >= 0.0 && length.fract() == 0.0) {
                    return Err(format!("{length} is no length of a list"));
                }
                length as u64
            }
        };
        for _ in 0..count {
            out.push(self.scalar(property.kind)?);
        }
        Ok(())
    }

    fn scalar(&mut self, kind: Scalar) -> Result<f64, String> {
        let little = match self.format {
            Format::Ascii => return self.word(),
            Format::Little => true,
            Format::Big => false,
        };
        macro_rules! take {
            ($t:ty) => {{
                let (head, rest) = self.rest.split_first_chunk().ok_or(EARLY)?;
                self.rest = rest;
                f64::from(if little { <$t>::from_le_bytes(*head) } else { <$t>::from_be_bytes(*head) })
            }};
        }
        Ok(match kind {
            Scalar::I8 => take!(i8),
            Scalar::U8 => take!(u8),
            Scalar::I16 => take!(i16),
            Scalar::U16 => take!(u16),
            Scalar::I32 => take!(i32),
            Scalar::U32 => take!(u32),
            Scalar::F32 => take!(f32),
            Scalar::F64 => take!(f64),
        })
    }

    fn word(&mut self) -> Result<f64, String> {
        let length = self.words.iter().position(u8::is_ascii_whitespace).unwrap_or(self.words.len());
        let (word, rest) = self.words.split_at(length);
        self.words = rest.trim_ascii_start();
        if word.is_empty() {
            return Err("the line ends early".into());
        }
        let text = std::str::from_utf8(word).map_err(|_| "not text")?;
        text.parse().map_err(|_| format!("{text:?} is not a number"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "ply\nformat ascii 1.0\ncomment by hand\nelement vertex 4\nproperty float x\nproperty double y\n\
                        property uchar red\nproperty float z\nelement face 2\nproperty list uchar int vertex_indices\nend_header\n";
    const BODY: &str = "0 0 9 0\n1 0 9 0\n\n1 1 9 0.5\n0 1 9 0\n4 0 1 2 3\n3 3 2 1\n";

    fn message(text: &str) -> String {
        parse(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn ascii_with_other_properties_and_polygons() {
        let (v, t) = parse(format!("{HEAD}{BODY}").as_bytes()).unwrap();
        assert_eq!(v, [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.5], [0.0, 1.0, 0.0]]);
        assert_eq!(t, [[0, 1, 2], [0, 2, 3], [3, 2, 1]]);
        let windows = format!("{HEAD}{BODY}").replace('\n', "\r\n");
        assert_eq!(parse(windows.as_bytes()).unwrap().1, t);
    }

    /// The same mesh in binary: positions as float and double, a list with a short length, an element to pass over.
    fn binary(little: bool) -> Vec<u8> {
        let order = if little { "little" } else { "big" };
        let mut out = format!(
            "ply\nformat binary_{order}_endian 1.0\nelement edge 1\nproperty list uchar short ends\nelement vertex 3\n\
             property float x\nproperty double y\nproperty short z\nelement face 1\nproperty uchar flag\n\
             property list ushort uint vertex_index\nend_header\n"
        )
        .into_bytes();
        let mut put = |bytes: &[u8]| {
            if little {
                out.extend_from_slice(bytes);
            } else {
                out.extend(bytes.iter().rev());
            }
        };
        put(&[2]);
        put(&7_i16.to_le_bytes());
        put(&(-7_i16).to_le_bytes());
        for (x, y, z) in [(0.0_f32, 0.25_f64, 0_i16), (1.5, -2.0, -3), (0.0, 4.0, 300)] {
            put(&x.to_le_bytes());
            put(&y.to_le_bytes());
            put(&z.to_le_bytes());
        }
        put(&[1]);
        put(&3_u16.to_le_bytes());
        for i in [2_u32, 0, 1] {
            put(&i.to_le_bytes());
        }
        out
    }

    #[test]
    fn points_alone() {
        let text = "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\nproperty float z\nend_header\n";
        let (v, t) = parse(format!("{text}0 1 2\n3 4 5\n").as_bytes()).unwrap();
        assert_eq!((&v[..], t.len()), (&[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]][..], 0));
    }

    #[test]
    fn binary_of_both_orders() {
        for little in [true, false] {
            let (v, t) = parse(&binary(little)).unwrap();
            assert_eq!(v, [[0.0, 0.25, 0.0], [1.5, -2.0, -3.0], [0.0, 4.0, 300.0]]);
            assert_eq!(t, [[2, 0, 1]]);
        }
    }

    #[test]
    fn truncated_binary_names_the_element() {
        let whole = binary(true);
        let end = whole.len();
        let message = |length: usize| parse(&whole[..length]).unwrap_err().to_string();
        assert_eq!(message(end - 1), "face 0 of 1: the file ends early");
        // The face takes 1 + 2 + 3 * 4 bytes.
        assert_eq!(message(end - 15), "face 0 of 1: the file ends early");
        assert_eq!(message(end - 16), "vertex 2 of 3: the file ends early");
        assert_eq!(message(40), "line 3: the PLY header has no end_header");
    }

    #[test]
    fn each_fault_names_its_line() {
        let body = |from: &str, to: &str| message(&format!("{HEAD}{}", BODY.replacen(from, to, 1)));
        assert_eq!(body("1 1 9 0.5", "1 nan 9 0.5"), "line 15: the vertex coordinate NaN is not finite");
        assert_eq!(body("1 1 9 0.5", "1 1 9"), "line 15: the line ends early");
        assert_eq!(body("1 1 9 0.5", "1 one 9 0.5"), "line 15: \"one\" is not a number");
        assert_eq!(body("4 0 1 2 3", "4 0 1 2 4"), "line 17: a face uses vertex 4, but the file has 4 (from 0)");
        assert_eq!(body("4 0 1 2 3", "4 0 1 2 -1"), "line 17: a face uses vertex -1, but the file has 4 (from 0)");
        assert_eq!(body("4 0 1 2 3", "2 0 1"), "line 17: a face of 2 corners");
        assert_eq!(body("3 3 2 1\n", ""), "line 18: the file ends early");
        let head = |from: &str, to: &str| message(&format!("{}{BODY}", HEAD.replacen(from, to, 1)));
        assert_eq!(head("ascii", "utf8"), "line 2: \"format utf8 1.0\" is not understood in a PLY header");
        assert_eq!(head("float x", "half x"), "line 5: \"property half x\" is not understood in a PLY header");
        assert_eq!(head("float x", "float u"), "the PLY element vertex has no x");
        assert_eq!(head("list uchar int vertex_indices", "int material"), "the PLY element face has no vertex_indices");
        assert_eq!(head("format ascii 1.0\n", ""), "line 10: the PLY header names no format");
    }
}
