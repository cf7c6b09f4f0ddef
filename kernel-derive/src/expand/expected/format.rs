fn kernel() {
    gridwright::__private::format(
        "x = {}, {{y}} = {}",
        &[
            gridwright::__private::Formatted::argument(&(x[t.index()])),
            gridwright::__private::Formatted::argument(&(y)),
        ],
    )
}
