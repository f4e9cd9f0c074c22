//! The fifteen semantics.

use std::fmt;

/// What the lanes of an element are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Semantic {
    /// Numbers and nothing else.
    None,
    /// A vector of 2.
    Vec2,
    /// A vector of 3.
    Vec3,
    /// A vector of 4.
    Vec4,
    /// Red, green, blue: Rec. 709 primaries, sRGB transfer curve.
    ColorSrgbRec709,
    /// The same and alpha.
    ColorSrgbaRec709,
    /// Red, green, blue: Rec. 2020 primaries, linear light.
    ColorRgbRec2020,
    /// The same and alpha.
    ColorRgbaRec2020,
    /// A matrix of 2 rows and 2 columns.
    Mat22,
    /// A matrix of 3 rows and 3 columns.
    Mat33,
    /// A matrix of 3 rows and 4 columns.
    Mat34,
    /// A matrix of 4 rows and 4 columns.
    Mat44,
    /// A complex number.
    Complex,
    /// A dual number.
    Dual,
    /// A quaternion.
    Quaternion,
}

impl Semantic {
    /// All of them.
    pub const ALL: [Semantic; 15] = [
        Semantic::None,
        Semantic::Vec2,
        Semantic::Vec3,
        Semantic::Vec4,
        Semantic::ColorSrgbRec709,
        Semantic::ColorSrgbaRec709,
        Semantic::ColorRgbRec2020,
        Semantic::ColorRgbaRec2020,
        Semantic::Mat22,
        Semantic::Mat33,
        Semantic::Mat34,
        Semantic::Mat44,
        Semantic::Complex,
        Semantic::Dual,
        Semantic::Quaternion,
    ];

    /// Scalars of a value; 1 for `None`.
    pub const fn lanes(self) -> usize {
        match self {
            Semantic::None => 1,
            Semantic::Vec2 | Semantic::Complex | Semantic::Dual => 2,
            Semantic::Vec3 | Semantic::ColorSrgbRec709 | Semantic::ColorRgbRec2020 => 3,
            Semantic::Vec4
            | Semantic::ColorSrgbaRec709
            | Semantic::ColorRgbaRec2020
            | Semantic::Mat22
            | Semantic::Quaternion => 4,
            Semantic::Mat33 => 9,
            Semantic::Mat34 => 12,
            Semantic::Mat44 => 16,
        }
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Semantic::None => "None",
            Semantic::Vec2 => "Vec2",
            Semantic::Vec3 => "Vec3",
            Semantic::Vec4 => "Vec4",
            Semantic::ColorSrgbRec709 => "Color_sRGB_Rec709",
            Semantic::ColorSrgbaRec709 => "Color_sRGBA_Rec709",
            Semantic::ColorRgbRec2020 => "Color_RGB_Rec2020",
            Semantic::ColorRgbaRec2020 => "Color_RGBA_Rec2020",
            Semantic::Mat22 => "Mat22",
            Semantic::Mat33 => "Mat33",
            Semantic::Mat34 => "Mat34",
            Semantic::Mat44 => "Mat44",
            Semantic::Complex => "Complex",
            Semantic::Dual => "Dual",
            Semantic::Quaternion => "Quaternion",
        }
    }

    /// That of an array of `n`.
    pub(crate) const fn of_vector(n: usize) -> Semantic {
        match n {
            2 => Semantic::Vec2,
            3 => Semantic::Vec3,
            4 => Semantic::Vec4,
            _ => Semantic::None,
        }
    }

    /// That of a matrix.
    pub(crate) const fn of_matrix(rows: usize, columns: usize) -> Semantic {
        match (rows, columns) {
            (2, 2) => Semantic::Mat22,
            (3, 3) => Semantic::Mat33,
            (3, 4) => Semantic::Mat34,
            (4, 4) => Semantic::Mat44,
            _ => Semantic::None,
        }
    }
}

impl fmt::Display for Semantic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
