use super::*;

const PTX: &str = "\
.version 8.3
.target sm_80
.func other()
{
	ret;
}
.visible .func (.param .b32 r) callee(.param .b32 a)
{
	ret;
}
.visible .entry k()
{
	mov.u32 %r1, 0;
AGAIN:
	add.u32 %r1, %r1, 1;
	@%p1 bra AGAIN;
	ret;
}
.visible .entry last() { ret; }
";

fn counts(warp_instructions: u64) -> Counts {
    Counts { warp_instructions, thread_instructions: 32 * warp_instructions, sectors: 4, ..Counts::default() }
}

fn launch(kernel: &str, groups: u32, lines: &[(u32, u64)]) -> ExecutedLaunch {
    let lines = lines.iter().map(|&(line, warps)| (line, counts(warps))).collect();
    ExecutedLaunch { kernel: kernel.into(), groups: [groups, 2, 1], block: [64, 1, 1], lines }
}

#[test]
fn what_is_written_is_read_again() {
    let image = ExecutedImage { architecture: "sm_80".into(), ptx: PTX.into() };
    let other = ExecutedImage { architecture: "sm_90".into(), ..image.clone() };
    let launches = [launch("k", 3, &[(13, 1), (15, 70)]), launch("last", 1, &[]), launch("k", 4, &[(17, 1)])];
    // As two processes of one program would, and then another program.
    let file = [
        image.to_part("17.a"),
        launches[0].to_part("17.a"),
        image.to_part("18.a"),
        launches[1].to_part("18.a"),
        launches[2].to_part("18.a"),
        other.to_part("19.a"),
        launches[0].to_part("19.a"),
    ];
    let executed = Executed::read(&file.concat()).unwrap();
    assert_eq!(executed.kernels(), ["k", "last"]);
    assert_eq!(
        executed.of_kernel("k"),
        [(&image, vec![&launches[0], &launches[2]]), (&other, vec![&launches[0]])]
    );
    assert_eq!(executed.of_kernel("none"), []);
    assert_eq!(launches[0].total(), Counts { sectors: 8, ..counts(71) });
}

#[test]
fn the_first_line_that_cannot_be_read_is_named() {
    let image = ExecutedImage { architecture: "sm_80".into(), ptx: PTX.into() }.to_part("1");
    for (file, line, expected) in [
        ("image 1 sm_80".to_owned(), 1, "an image or a launch"),
        ("image 1 sm_80 many".to_owned(), 1, "a number of lines"),
        ("image 1 sm_80 2\n.version 8.3\n".to_owned(), 3, "PTX"),
        ("launch 1 k 1,1,1 32,1,1 0".to_owned(), 1, "told before"),
        (format!("{image}launch 1 k 1,1 32,1,1 0"), 21, "groups"),
        (format!("{image}launch 1 k 1,1,1 32,1,1 2\n13 1 32 0 0 0\n13 1 32 0 0\n"), 23, "five counts"),
        (format!("{image}launch 1 k 1,1,1 32,1,1 2\n13 1 32 0 0 0\n"), 23, "five counts"),
        (format!("{image}\n"), 21, "an image or a launch"),
    ] {
        let error = Executed::read(&file).unwrap_err();
        assert!(error.line == line && error.expected.contains(expected), "{file}\n{error}");
    }
}

#[test]
fn a_listing_has_the_kernel_and_the_functions_that_ran() {
    let lines = LineCounts::from([(9, counts(1)), (13, counts(2)), (15, counts(100)), (16, counts(50))]);
    let parts = listing(PTX, "k", &lines).unwrap();
    let numbers: Vec<Vec<u32>> =
        parts.iter().map(|part| part.iter().map(|line| line.number).collect()).collect();
    assert_eq!(numbers, [(11..=18).collect::<Vec<_>>(), (7..=10).collect()]);
    assert_eq!(parts[0][4].text, "\tadd.u32 %r1, %r1, 1;");
    let hot: Vec<u32> = parts.concat().iter().filter(|line| line.is_hot).map(|line| line.number).collect();
    assert_eq!(hot, [15, 16]);
    assert_eq!(parts[0][3].counts, None);
    // On one line with its braces.
    let parts = listing(PTX, "last", &LineCounts::from([(19, counts(3))])).unwrap();
    assert_eq!((parts.len(), parts[0].len(), parts[0][0].counts), (1, 1, Some(counts(3))));
    // Each warp executes it once.
    assert!(!parts[0][0].is_hot);
    assert!(listing(PTX, "other", &lines).unwrap_err().to_string().contains("no kernel `other`"));
}
