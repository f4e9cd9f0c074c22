//! Reads a mesh from a file: OBJ or PLY, plain or gzipped, told apart by content.

use std::fmt;
use std::io::Read;
use std::path::Path;

use flate2::read::MultiGzDecoder;

use crate::mesh::Mesh;
use crate::{read_obj, read_ply};

/// What is wrong in a file, and in which of its lines if it has lines.
#[derive(Debug)]
pub(crate) struct ParseError {
    pub(crate) line: Option<usize>,
    pub(crate) what: String,
}

impl ParseError {
    pub(crate) fn at(line: usize, what: impl Into<String>) -> Self {
        Self { line: Some(line), what: what.into() }
    }

    pub(crate) fn whole(what: impl Into<String>) -> Self {
        Self { line: None, what: what.into() }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        f.write_str(&self.what)
    }
}

/// Reads the vertices and triangles at `path`. The error is one line that begins with the path.
pub(crate) fn read_parts(path: &Path) -> Result<Parts, String> {
    let bytes = std::fs::read(path).map_err(|e| format!("{}: cannot be read: {e}", path.display()))?;
    parse_parts(&bytes).map_err(|e| format!("{}: {e}", path.display()))
}

/// As [`read_parts`], checked as a mesh.
pub(crate) fn read_mesh(path: &Path) -> Result<Mesh, String> {
    check(read_parts(path)?).map_err(|e| format!("{}: {e}", path.display()))
}

fn check((vertices, triangles): Parts) -> Result<Mesh, ParseError> {
    Mesh::new(vertices, triangles).map_err(|e| ParseError::whole(e.to_string()))
}

/// Unpacks if need be, then parses as what the first bytes say: PLY begins with its name, anything else must be OBJ.
fn parse_parts(bytes: &[u8]) -> Result<Parts, ParseError> {
    let unpacked;
    let mut bytes = bytes;
    if bytes.starts_with(&[0x1f, 0x8b]) {
        let mut out = Vec::new();
        MultiGzDecoder::new(bytes)
            .read_to_end(&mut out)
            .map_err(|e| ParseError::whole(format!("broken gzip data after {} bytes: {e}", out.len())))?;
        unpacked = out;
        bytes = &unpacked;
    }
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(ParseError::whole("the file is empty"));
    }
    match bytes {
        [b'p', b'l', b'y', b'\r' | b'\n', ..] => read_ply::parse(bytes),
        _ => read_obj::parse(bytes),
    }
}

/// Cuts a polygon into a fan of triangles around its first corner: right for convex polygons.
pub(crate) fn push_fan(polygon: &[u32], triangles: &mut Vec<[u32; 3]>) {
    for pair in polygon[1..].windows(2) {
        triangles.push([polygon[0], pair[0], pair[1]]);
    }
}

/// The vertices and triangles of a file before they are checked as a mesh.
pub(crate) type Parts = (Vec<[f32; 3]>, Vec<[u32; 3]>);

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write;
    use std::path::PathBuf;

    /// A file of the shared data, or None where the variable that names its folder is not set: such tests then pass unseen.
    pub(crate) fn shared_mesh(name: &str) -> Option<PathBuf> {
        let root = std::env::var_os("SPARSE_LAYOUT_DATA")?;
        Some(PathBuf::from(root).join("mesh").join(name))
    }

    const TETRAHEDRON: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn parse_mesh(bytes: &[u8]) -> Result<Mesh, ParseError> {
        check(parse_parts(bytes)?)
    }

    fn message(bytes: &[u8]) -> String {
        let text = parse_mesh(bytes).unwrap_err().to_string();
        assert!(!text.contains('\n'), "one line: {text}");
        text
    }

    #[test]
    fn gzip_is_seen_by_content() {
        let plain = parse_mesh(TETRAHEDRON.as_bytes()).unwrap();
        let packed = parse_mesh(&gzip(TETRAHEDRON.as_bytes())).unwrap();
        assert_eq!(plain.triangles(), packed.triangles());
        assert_eq!(plain.vertices(), packed.vertices());
        assert!((plain.signed_volume() - 1.0 / 6.0).abs() < 1e-9);
    }

    #[test]
    fn broken_files_give_one_line() {
        let packed = gzip(TETRAHEDRON.as_bytes());
        assert!(message(&packed[..packed.len() / 2]).starts_with("broken gzip data"));
        assert!(message(&packed[..packed.len() - 3]).starts_with("broken gzip data"));
        assert_eq!(message(b""), "the file is empty");
        assert_eq!(message(&gzip(b" \n")), "the file is empty");
        assert_eq!(message(b"v 0 0 0\n"), "no faces");
        assert_eq!(message(b"# nothing here\n"), "no vertices");
        assert!(message(b"<html>\n").starts_with("line 1: "));
        assert!(message(b"v 0 0 0\n\xff\xfe\x00").starts_with("line 2: "));
    }

    #[test]
    fn a_wrong_path_is_named() {
        let text = read_mesh(Path::new("no/such/file.obj")).unwrap_err();
        assert!(text.starts_with("no/such/file.obj: cannot be read: "), "{text}");
        assert!(read_mesh(Path::new(".")).unwrap_err().starts_with(".: cannot be read: "));
    }

    #[test]
    fn shared_meshes_have_their_published_sizes() {
        for (name, vertices, triangles) in [
            ("spot.obj.gz", 2930, 5856),
            ("stanford_bunny.obj.gz", 35_947, 69_451),
            ("dragon_vrip_res3.ply.gz", 22_998, 47_794),
        ] {
            let Some(path) = shared_mesh(name) else { return };
            let mesh = read_mesh(&path).unwrap();
            assert_eq!((mesh.vertices().len(), mesh.triangles().len()), (vertices, triangles), "{name}");
        }
    }
}
