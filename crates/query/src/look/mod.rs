//! Questions of somebody who looks: wide answers over the whole project, or over one file, that a page draws.
//!
//! They read what the other questions read and decide nothing new; who refers to whom is gathered once per state of the
//! index ([`Traffic`]).

mod census;
mod central;
mod cloud;
mod files;
mod health;
mod listing;
mod network;
mod traffic;

pub use census::{Census, CensusAnswer, CensusEntry, census};
pub use central::{Central, CentralAnswer, CentralFile, CentralSymbol, central};
pub use cloud::{Cloud, CloudAnswer, CloudTerm, cloud};
pub use files::{Files, FilesAnswer, FoundFile, files};
pub use health::{HealthAnswer, LanguageHealth, health};
pub use listing::{Listing, ListingAnswer, Piece, PieceKind, listing};
pub use network::{Network, NetworkAnswer, NetworkEdge, NetworkNode, NodeType, network};
pub(crate) use traffic::Traffic;
