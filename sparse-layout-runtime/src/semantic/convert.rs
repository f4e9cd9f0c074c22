//! Conversions between colours, on plain numbers.

use num_traits::Float;

/// A constant in the type of a colour's lanes.
pub(super) fn number<T: Float>(v: f64) -> T {
    T::from(v).expect("any float type holds some number near this one")
}

/// Linear light of an sRGB value, by IEC 61966-2-1; both from 0 to 1. Below 0 the curve is mirrored, above 1 it goes on.
///
/// ```
/// use sparse_layout_runtime::semantic::decode_srgb;
/// assert!((decode_srgb(0.5f64) - 0.2140411).abs() < 1e-7);
/// ```
pub fn decode_srgb<T: Float>(v: T) -> T {
    let a = v.abs();
    let light =
        if a <= number(0.04045) { a / number(12.92) } else { ((a + number(0.055)) / number(1.055)).powf(number(2.4)) };
    light.copysign(v)
}

/// The sRGB value of linear light: the inverse of [`decode_srgb`].
pub fn encode_srgb<T: Float>(light: T) -> T {
    let a = light.abs();
    let v = if a <= number(0.003_130_8) {
        a * number(12.92)
    } else {
        a.powf(number(1.0 / 2.4)) * number(1.055) - number(0.055)
    };
    v.copysign(light)
}

/// Rec. 709 to Rec. 2020, linear light, both with white D65 (x 0.3127, y 0.3290). From the primaries of the two
/// recommendations; ITU-R BT.2087 prints the same to four digits.
const TO_REC2020: [[f64; 3]; 3] = [
    [0.627_403_895_934_699, 0.329_283_038_377_884, 0.043_313_065_687_417],
    [0.069_097_289_358_232, 0.919_540_395_075_459, 0.011_362_315_566_309],
    [0.016_391_438_875_150, 0.088_013_307_877_226, 0.895_595_253_247_624],
];

/// The inverse of [`TO_REC2020`].
const TO_REC709: [[f64; 3]; 3] = [
    [1.660_491_002_108_434, -0.587_641_138_788_550, -0.072_849_863_319_884],
    [-0.124_550_474_521_591, 1.132_899_897_125_96, -0.008_349_422_604_369],
    [-0.018_150_763_354_905, -0.100_578_898_008_007, 1.118_729_661_362_913],
];

/// Linear light with Rec. 709 primaries in Rec. 2020 primaries. White stays white.
pub fn rec709_to_rec2020<T: Float>(rgb: [T; 3]) -> [T; 3] {
    times(&TO_REC2020, rgb)
}

/// Linear light with Rec. 2020 primaries in Rec. 709 primaries; what those do not hold gets lanes below 0.
pub fn rec2020_to_rec709<T: Float>(rgb: [T; 3]) -> [T; 3] {
    times(&TO_REC709, rgb)
}

fn times<T: Float>(rows: &[[f64; 3]; 3], [r, g, b]: [T; 3]) -> [T; 3] {
    rows.map(|[x, y, z]| r * number(x) + g * number(y) + b * number(z))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::semantic::Mat33;

    /// Columns: X, Y, Z of a system's red, green and blue, so scaled that together they are white (D65).
    fn to_xyz(primaries: [[f64; 2]; 3]) -> Mat33<f64> {
        let xyz = |[x, y]: [f64; 2]| [x / y, 1.0, (1.0 - x - y) / y];
        let m = Mat33::<f64>::from(primaries.map(xyz));
        let scale = inverse(m) * xyz([0.3127, 0.3290]);
        Mat33::from(std::array::from_fn(|c| m.0[c].map(|v| v * scale[c])))
    }

    /// By Cramer's rule.
    fn inverse(m: Mat33<f64>) -> Mat33<f64> {
        let cross = |a: [f64; 3], b: [f64; 3]| {
            [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
        };
        let [a, b, c] = m.0;
        let bc = cross(b, c);
        let det: f64 = (0..3).map(|i| a[i] * bc[i]).sum();
        Mat33::from_rows([bc, cross(c, a), cross(a, b)].map(|row| row.map(|v| v / det)))
    }

    #[test]
    fn the_matrices_follow_from_the_primaries() {
        let rec709 = to_xyz([[0.64, 0.33], [0.30, 0.60], [0.15, 0.06]]);
        let rec2020 = to_xyz([[0.708, 0.292], [0.170, 0.797], [0.131, 0.046]]);
        for (found, expected) in [(inverse(rec2020) * rec709, TO_REC2020), (inverse(rec709) * rec2020, TO_REC709)] {
            for (r, row) in expected.iter().enumerate() {
                for (c, v) in row.iter().enumerate() {
                    assert!((found.at(r, c) - v).abs() < 2e-14, "{r} {c}: {} {v}", found.at(r, c));
                }
            }
        }
    }

    #[test]
    fn the_curve_has_its_known_values() {
        // 18 % grey, half, the ends, the corner of the curve, and 8-bit 128.
        for (v, light) in [
            (0.461_356_13, 0.18),
            (0.5, 0.214_041_14),
            (0.0, 0.0),
            (1.0, 1.0),
            (0.04045, 0.003_130_8),
            (128.0 / 255.0, 0.215_860_5),
        ] {
            assert!((decode_srgb(v) - light).abs() < 1e-7f64, "{v}: {}", decode_srgb(v));
            assert!((encode_srgb(light) - v).abs() < 1e-6f64, "{light}: {}", encode_srgb(light));
            assert_eq!(decode_srgb(-v), -decode_srgb(v));
            assert_eq!(encode_srgb(-light), -encode_srgb(light));
        }
    }

    #[test]
    fn white_stays_white() {
        for v in rec709_to_rec2020([1.0f64; 3]).into_iter().chain(rec2020_to_rec709([1.0f64; 3])) {
            assert!((v - 1.0).abs() < 1e-14, "{v}");
        }
    }
}
