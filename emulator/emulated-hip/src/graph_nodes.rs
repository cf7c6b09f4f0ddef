//! What graphs are made of here.

use std::convert::Infallible;

use crate::context::{Context, Hip};
use crate::copy::Transfer;
use crate::error::Error;
use crate::executor;
use crate::launch::Launch;
use crate::process::process;
use crate::registry::Registry;
use crate::shared::graph::{self, Graphs, NodeOf, Run};

pub(crate) type Task = graph::Task<Hip>;
type Graph = graph::Graph<Hip>;

static GRAPHS: Registry<Graph> = Registry::new(9);
static NODES: Registry<NodeOf> = Registry::new(10);

impl Graphs for Hip {
    type Launch = Launch;
    type Copy = Transfer;
    type OwnMemory = Infallible;

    fn graphs() -> &'static Registry<Graph> {
        &GRAPHS
    }

    fn nodes() -> &'static Registry<NodeOf> {
        &NODES
    }

    fn executes() -> bool {
        process().is_ok_and(|process| process.settings.execute)
    }
}

impl Run for Launch {
    fn run(&self) -> Result<(), Error> {
        self.execute(process()?)
    }
}

impl graph::Launch<Hip> for Launch {
    fn is_of(&self, context: &Context) -> bool {
        self.is_of(context)
    }

    fn check(_context: &Context) -> Result<(), Error> {
        executor::check()
    }
}

impl Run for Transfer {
    fn run(&self) -> Result<(), Error> {
        self.execute(process()?)
    }
}
