//! Makes a kernel that differs smaller, as long as it differs.
//!
//! A step takes a part away: a statement, a stage, a branch; or puts a part's child, or a constant, in its place. Many kernels that are
//! one step smaller are tried in one build, and the smallest that still differs is the next.

use std::collections::BTreeSet;

use super::tree::{Body, Expr, Id, Kernel, Stage, Stmt, Ty};

/// What says which kernels differ.
pub(super) trait Oracle {
    /// How many kernels may be tried at a time for a finding.
    fn tries(&self, finding: usize) -> usize;

    /// Says, for each question, a finding's number and a kernel, whether it differs where the finding was.
    /// Questions of a finding come with the smallest first: after the first that differs the others needn't be tried.
    fn differ(&mut self, questions: &[(usize, Kernel)]) -> anyhow::Result<Vec<bool>>;
}

/// Kernels that are tried in a build, at most, all findings together.
const TRIES: usize = 160;

/// Rounds in which a finding is made smaller, at most.
const ROUNDS: usize = 14;

/// Reduces kernels side by side: each is as small as it gets when this returns.
pub(super) fn all(kernels: &mut [Kernel], oracle: &mut dyn Oracle) -> anyhow::Result<()> {
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let mut active: Vec<usize> = (0..kernels.len()).collect();
    for _ in 0..ROUNDS {
        if active.is_empty() {
            break;
        }
        let share = TRIES / active.len();
        let mut questions = Vec::new();
        for &finding in &active {
            let mut smaller = smaller(&kernels[finding]);
            smaller.retain(|kernel| seen.insert(format!("{finding} {kernel:?}")));
            let chosen = spread(smaller, share.min(oracle.tries(finding)));
            questions.extend(chosen.into_iter().map(|kernel| (finding, kernel)));
        }
        let answers = oracle.differ(&questions)?;
        let mut progress = BTreeSet::new();
        for ((finding, kernel), _) in questions.into_iter().zip(answers).filter(|(_, differs)| *differs) {
            if kernel.size() < kernels[finding].size() || !progress.contains(&finding) {
                kernels[finding] = kernel;
                progress.insert(finding);
            }
        }
        active.retain(|finding| progress.contains(finding));
    }
    Ok(())
}

/// At most so many of the kernels, from the smallest to the largest, the smaller ones more often.
fn spread(mut kernels: Vec<Kernel>, most: usize) -> Vec<Kernel> {
    kernels.sort_by_cached_key(Kernel::size);
    if kernels.len() <= most {
        return kernels;
    }
    let len = kernels.len();
    let place = |step: usize| {
        let part = step as f64 / most as f64;
        ((part * part * 0.5 + part * 0.5) * len as f64) as usize
    };
    let chosen: BTreeSet<usize> = (0..most).map(place).collect();
    let kernels = kernels.into_iter().enumerate();
    kernels.filter_map(|(place, kernel)| chosen.contains(&place).then_some(kernel)).collect()
}

/// All kernels that are a step smaller and would compile.
pub(super) fn smaller(kernel: &Kernel) -> Vec<Kernel> {
    let mut all = Vec::new();
    match kernel {
        Kernel::Threads(body) => all.extend(bodies(body).into_iter().map(Kernel::Threads)),
        Kernel::Group { ty, stages } => {
            for at in 0..stages.len() {
                let mut fewer = stages.clone();
                fewer.remove(at);
                if !fewer.is_empty() {
                    all.push(Kernel::Group { ty: *ty, stages: fewer });
                }
                let with = |stage: Stage| {
                    let mut changed = stages.clone();
                    changed[at] = stage;
                    Kernel::Group { ty: *ty, stages: changed }
                };
                let bodies = stages[at].body().into_iter().flat_map(bodies);
                all.extend(bodies.map(|body| with(stages[at].with_body(body))));
            }
        }
    }
    let size = kernel.size();
    let mut seen = BTreeSet::new();
    all.retain(|smaller| smaller.size() < size && smaller.is_closed() && seen.insert(format!("{smaller:?}")));
    all
}

fn bodies(body: &Body) -> Vec<Body> {
    let mut all = Vec::new();
    let with = |results: Vec<Expr>| Body { stmts: body.stmts.clone(), results };
    if body.results.len() > 1 {
        all.extend(body.results.iter().map(|result| with(vec![result.clone()])));
    }
    // A result can have any type in a kernel of threads; of groups' pieces the type is checked by the caller's text.
    all.extend(each_kid(&body.results).into_iter().map(with));
    all.extend(statements(&body.stmts).into_iter().map(|stmts| Body { stmts, ..body.clone() }));
    // A variable that is set once can stand where it is read.
    for (at, stmt) in body.stmts.iter().enumerate() {
        if let Stmt::Let { id, value } = stmt {
            let mut inlined = body.clone();
            inlined.stmts.remove(at);
            if !inlined.stmts.iter().any(|stmt| stmt.changes(&[*id])) {
                inlined.results = inlined.results.iter().map(|result| inline(result, *id, value)).collect();
                all.push(inlined);
            }
        }
    }
    all
}

fn inline(expr: &Expr, id: Id, value: &Expr) -> Expr {
    if expr.kids.is_empty() && expr.form.uses == [id] {
        return value.clone();
    }
    Expr { kids: expr.kids.iter().map(|kid| inline(kid, id, value)).collect(), ..expr.clone() }
}

fn statements(stmts: &[Stmt]) -> Vec<Vec<Stmt>> {
    let mut all = Vec::new();
    if stmts.len() > 2 {
        let half = stmts.len() / 2;
        all.push(stmts[half..].to_vec());
        all.push(stmts[..half].to_vec());
    }
    for (at, stmt) in stmts.iter().enumerate() {
        let with = |new: &[Stmt]| [&stmts[..at], new, &stmts[at + 1..]].concat();
        all.push(with(&[]));
        match stmt {
            Stmt::Let { id, value } => {
                all.extend(exprs(value).into_iter().map(|value| with(&[Stmt::Let { id: *id, value }])));
            }
            Stmt::Array { id, len, value } => {
                // The list itself has to stay a list.
                let values = each_kid(&value.kids).into_iter().map(|kids| Expr { kids, ..value.clone() });
                all.extend(values.map(|value| with(&[Stmt::Array { id: *id, len: *len, value }])));
            }
            Stmt::Change { form, kids } => {
                let changed = |kids| with(&[Stmt::Change { form: form.clone(), kids }]);
                all.extend(each_kid(kids).into_iter().map(changed));
            }
            Stmt::If { condition, then, otherwise } => {
                all.push(with(then));
                all.push(with(otherwise));
                let changed = |condition: &Expr, then: &[Stmt], otherwise: &[Stmt]| {
                    let (then, otherwise) = (then.to_vec(), otherwise.to_vec());
                    with(&[Stmt::If { condition: condition.clone(), then, otherwise }])
                };
                all.extend(exprs(condition).iter().map(|condition| changed(condition, then, otherwise)));
                all.extend(statements(then).iter().map(|then| changed(condition, then, otherwise)));
                all.extend(statements(otherwise).iter().map(|otherwise| changed(condition, then, otherwise)));
            }
            Stmt::For { id, range, body } => {
                let [zero, _] = Ty::Usize.small();
                all.push(with(&[&[Stmt::Let { id: *id, value: zero }], &body[..]].concat()));
                let changed = |range: &str, body: Vec<Stmt>| {
                    with(&[Stmt::For { id: *id, range: range.to_owned(), body }])
                };
                if range != "0..2_usize" {
                    all.push(changed("0..2_usize", body.clone()));
                }
                all.extend(statements(body).into_iter().map(|body| changed(range, body)));
            }
            Stmt::Exit { condition, word } => {
                let changed = |condition| with(&[Stmt::Exit { condition, word }]);
                all.extend(exprs(condition).into_iter().map(changed));
            }
        }
    }
    all
}

/// Lists in which one child is smaller.
fn each_kid(kids: &[Expr]) -> Vec<Vec<Expr>> {
    let mut all = Vec::new();
    for (at, kid) in kids.iter().enumerate() {
        for smaller in exprs(kid) {
            let mut changed = kids.to_vec();
            changed[at] = smaller;
            all.push(changed);
        }
    }
    all
}

/// Expressions of the same type that are a step smaller.
pub(super) fn exprs(expr: &Expr) -> Vec<Expr> {
    let mut all = Vec::new();
    if !(expr.kids.is_empty() && expr.form.uses.is_empty()) {
        all.extend(expr.ty.small());
    }
    let mut inner = Vec::new();
    expr.kids.iter().for_each(|kid| below(kid, &mut inner));
    for part in inner {
        if part.ty == expr.ty {
            all.push(part.clone());
        } else if part.ty.is_float() == expr.ty.is_float() {
            all.extend(part.clone().cast(expr.ty));
        }
    }
    all.extend(each_kid(&expr.kids).into_iter().map(|kids| Expr { kids, ..expr.clone() }));
    all
}

fn below<'e>(expr: &'e Expr, all: &mut Vec<&'e Expr>) {
    all.push(expr);
    expr.kids.iter().for_each(|kid| below(kid, all));
}
