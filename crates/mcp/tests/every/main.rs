//! Every tool, with good and with bad input: a right answer, or a clear error; never a dead server.

mod budget;
mod contract;
mod fresh;
mod hostile;
mod sample;
mod several;
mod size;
