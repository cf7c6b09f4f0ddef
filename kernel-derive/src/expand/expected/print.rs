fn kernel() {
    gridwright::__private::print(
        t,
        "x = {}, {{y}} = {}",
        [gridwright::__private::argument(x[t.index()]), gridwright::__private::argument(y)],
    )
}
