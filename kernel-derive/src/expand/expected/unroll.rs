fn kernel() {
    {
        #[allow(unused_labels, unused_assignments, unreachable_code)]
        let () = 'unrolled: {
            'turn: {
                let i = 0u32;
                {
                    if i == x {
                        break 'turn;
                    }
                    y += i;
                }
            }
            'turn: {
                let i = 1u32;
                {
                    if i == x {
                        break 'turn;
                    }
                    y += i;
                }
            }
        };
    }
    {
        #[allow(unused_labels, unused_assignments, unreachable_code)]
        let () = 'unrolled: {
            let range_0 = (0)..(n);
            let (mut at_0, end_0) = (range_0.start, range_0.end);
            while at_0 < end_0 && end_0.wrapping_sub(at_0) >= 2 {
                'turn: {
                    let i = at_0;
                    {
                        loop {
                            break 'unrolled;
                        }
                    }
                }
                at_0 += 1;
                'turn: {
                    let i = at_0;
                    {
                        loop {
                            break 'unrolled;
                        }
                    }
                }
                at_0 += 1;
            }
            while at_0 < end_0 {
                'turn: {
                    let i = at_0;
                    {
                        loop {
                            break 'unrolled;
                        }
                    }
                }
                at_0 += 1;
            }
        };
    }
}
