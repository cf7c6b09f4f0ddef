//! Cube maps: "Cubemap Textures" of the CUDA C++ Programming Guide.

/// The face that a direction meets, and where, from -1 to 1 on both of its axes. Of equal components z wins over y, and y over x.
pub(super) fn face([x, y, z]: [f64; 3]) -> (u32, [f64; 2]) {
    let (face, major, s, t) = if z.abs() >= x.abs() && z.abs() >= y.abs() {
        if z >= 0.0 { (4, z, x, -y) } else { (5, -z, -x, -y) }
    } else if y.abs() >= x.abs() {
        if y >= 0.0 { (2, y, x, z) } else { (3, -y, x, -z) }
    } else if x >= 0.0 {
        (0, x, -z, -y)
    } else {
        (1, -x, z, -y)
    };
    (face, [s / major, t / major])
}

/// The direction of a place on a face, which may lie beyond its edges.
fn direction(face: u32, [s, t]: [f64; 2]) -> [f64; 3] {
    match face {
        0 => [1.0, -t, -s],
        1 => [-1.0, -t, s],
        2 => [s, 1.0, t],
        3 => [s, -1.0, -t],
        4 => [s, -t, 1.0],
        _ => [-s, -t, -1.0],
    }
}

/// A step of a direction as one on its face, by how the face's coordinates change there.
pub(super) fn step(at: [f64; 3], step: [f64; 3]) -> [f64; 2] {
    let (own, place) = face(at);
    // The derivative of s / major, both of which are a component of the direction or its negative.
    let axes = |value: [f64; 3]| -> [f64; 3] {
        let [x, y, z] = value;
        match own {
            0 => [x, -z, -y],
            1 => [-x, z, -y],
            2 => [y, x, z],
            3 => [-y, x, -z],
            4 => [z, x, -y],
            _ => [-z, -x, -y],
        }
    };
    let ([major, ..], [change, s, t]) = (axes(at), axes(step));
    [(s - place[0] * change) / major, (t - place[1] * change) / major]
}

/// The face and the texel beyond an edge of a face.
pub(super) fn beyond(own: u32, [x, y]: [i64; 2], size: u32) -> (u32, [i64; 2]) {
    let place = [x, y].map(|at| (at as f64 + 0.5) / f64::from(size) * 2.0 - 1.0);
    let (other, place) = face(direction(own, place));
    let texel = |at: f64| (((at + 1.0) / 2.0 * f64::from(size)).floor() as i64).clamp(0, i64::from(size) - 1);
    (other, place.map(texel))
}

#[cfg(test)]
mod tests {
    use super::{beyond, direction, face};

    #[test]
    fn faces_are_met_where_their_directions_lead() {
        for own in 0..6 {
            for place in [[0.5, -0.25], [-0.75, 0.5]] {
                assert_eq!(face(direction(own, place)), (own, place));
            }
        }
    }

    #[test]
    fn neighbours_of_an_edge_have_each_other_as_neighbours() {
        for own in 0..6 {
            for at in [[-1, 1], [4, 2], [0, -1], [3, 4]] {
                let (other, [x, y]) = beyond(own, at, 4);
                assert_ne!(own, other);
                assert!(x == 0 || x == 3 || y == 0 || y == 3);
            }
        }
    }
}
