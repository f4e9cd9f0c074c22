//! Colours.
//!
//! Four types without arithmetic between them: sRGB values must not be added up or averaged as they stand.

use super::convert::{decode_srgb, encode_srgb, rec709_to_rec2020, rec2020_to_rec709};
use super::plain::over_array;
use num_traits::Float;

over_array! {
    /// Red, green and blue with Rec. 709 primaries, coded by the sRGB curve; floats from 0 to 1, integers from 0 to their
    /// greatest. What image files and screens hold.
    ///
    /// A type of its own: colours of another kind are converted by name or not at all.
    ///
    /// ```
    /// use sparse_layout_runtime::semantic::{ColorRgbRec2020, ColorSrgbRec709};
    /// let grey = ColorSrgbRec709([188u8; 3]).to_unit::<f32>();
    /// let light: ColorRgbRec2020<f32> = grey.to_rec2020();
    /// assert!((light.0[0] - 0.5029).abs() < 1e-4);
    /// ```
    ///
    /// ```compile_fail,E0308
    /// # use sparse_layout_runtime::semantic::{ColorRgbRec2020, ColorSrgbRec709};
    /// let grey = ColorSrgbRec709([0.5f32; 3]);
    /// let light: ColorRgbRec2020<f32> = grey; // the same bytes, another meaning
    /// ```
    ColorSrgbRec709[3]
}

over_array! {
    /// [`ColorSrgbRec709`] and alpha, which is linear and not multiplied in.
    ColorSrgbaRec709[4]
}

over_array! {
    /// Red, green and blue with Rec. 2020 primaries, linear light. What a renderer computes with.
    ColorRgbRec2020[3]
}

over_array! {
    /// [`ColorRgbRec2020`] and alpha, not multiplied in.
    ColorRgbaRec2020[4]
}

impl<T: Float> ColorSrgbRec709<T> {
    /// The same colour as linear light with Rec. 2020 primaries.
    #[must_use]
    pub fn to_rec2020(self) -> ColorRgbRec2020<T> {
        ColorRgbRec2020(rec709_to_rec2020(self.0.map(decode_srgb)))
    }

    /// In 8 bits a lane, rounded; below 0 is 0, above 1 is 255, NaN is 0.
    #[must_use]
    pub fn to_u8(self) -> ColorSrgbRec709<u8> {
        ColorSrgbRec709(self.0.map(to_u8))
    }
}

impl<T: Float> ColorSrgbaRec709<T> {
    /// The same colour as linear light with Rec. 2020 primaries; alpha as it is.
    #[must_use]
    pub fn to_rec2020(self) -> ColorRgbaRec2020<T> {
        let [r, g, b, alpha] = self.0;
        let [r, g, b] = ColorSrgbRec709([r, g, b]).to_rec2020().0;
        ColorRgbaRec2020([r, g, b, alpha])
    }

    /// In 8 bits a lane, rounded; below 0 is 0, above 1 is 255, NaN is 0.
    #[must_use]
    pub fn to_u8(self) -> ColorSrgbaRec709<u8> {
        ColorSrgbaRec709(self.0.map(to_u8))
    }
}

impl<T: Float> ColorRgbRec2020<T> {
    /// The same colour as coded for a screen. Colours that Rec. 709 does not hold get lanes below 0 or above 1.
    #[must_use]
    pub fn to_srgb(self) -> ColorSrgbRec709<T> {
        ColorSrgbRec709(rec2020_to_rec709(self.0).map(encode_srgb))
    }
}

impl<T: Float> ColorRgbaRec2020<T> {
    /// The same colour as coded for a screen; alpha as it is. As [`ColorRgbRec2020::to_srgb`].
    #[must_use]
    pub fn to_srgb(self) -> ColorSrgbaRec709<T> {
        let [r, g, b, alpha] = self.0;
        let [r, g, b] = ColorRgbRec2020([r, g, b]).to_srgb().0;
        ColorSrgbaRec709([r, g, b, alpha])
    }
}

impl ColorSrgbRec709<u8> {
    /// In floats from 0 to 1, still coded.
    #[must_use]
    pub fn to_unit<T: Float>(self) -> ColorSrgbRec709<T> {
        ColorSrgbRec709(self.0.map(to_unit))
    }
}

impl ColorSrgbaRec709<u8> {
    /// In floats from 0 to 1, still coded.
    #[must_use]
    pub fn to_unit<T: Float>(self) -> ColorSrgbaRec709<T> {
        ColorSrgbaRec709(self.0.map(to_unit))
    }
}

fn to_u8<T: Float>(v: T) -> u8 {
    // A cast from float to integer saturates, and takes NaN for 0.
    (v.to_f64().unwrap_or(0.0) * 255.0).round() as u8
}

fn to_unit<T: Float>(v: u8) -> T {
    super::convert::number(f64::from(v) / 255.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn screen_colours_come_back() {
        for v in 0..=255u8 {
            let color = ColorSrgbaRec709([v, 255 - v, v / 2, 77]);
            assert_eq!(color.to_unit::<f32>().to_rec2020().to_srgb().to_u8(), color);
            assert_eq!(ColorSrgbRec709([v; 3]).to_unit::<f64>().to_rec2020().to_srgb().to_u8().0, [v; 3]);
        }
    }

    #[test]
    fn lanes_out_of_range_saturate() {
        assert_eq!(ColorSrgbRec709([-0.1, 1.5, f32::NAN]).to_u8().0, [0, 255, 0]);
        assert_eq!(ColorSrgbaRec709([0.5, 0.25, f64::INFINITY, 1.0]).to_u8().0, [128, 64, 255, 255]);
    }

    #[test]
    fn alpha_is_not_converted() {
        assert_eq!(ColorSrgbaRec709([1.0, 0.0, 0.0, 0.5f32]).to_rec2020().0[3], 0.5);
        assert_eq!(ColorRgbaRec2020([1.0, 0.0, 0.0, 0.5f32]).to_srgb().0[3], 0.5);
    }

    #[test]
    fn a_wide_green_leaves_rec709() {
        let [r, g, b] = ColorRgbRec2020([0.0, 1.0, 0.0f64]).to_srgb().0;
        assert!(r < 0.0 && g > 1.0 && b < 0.0, "{r} {g} {b}");
    }
}
