//! The one place that opens files: never through a link, never one that could be waited for, never more than fits.
//!
//! A cloned repository may hold a link, a named pipe or a device under any name, the names of our own files too. *Own*
//! files ([`own`]) are those in `.codegraph/`; what is not a plain file of a trusted owner there is refused with the
//! remedy. *Sources* ([`below`]) are files of the project; what leads out of it is not there.

mod below;
mod error;
mod named;
mod own;
mod replace;

pub use below::{Below, move_below, open_below, read_below, replace_below};
pub use error::{Error, Result};
pub use named::read_named;
pub use own::{Use, check, folder, is_data_folder, is_plain, lock, make_folder, open, read};
pub use replace::{Replacement, copy, create, replace, sync_folder};

/// What no settings file, manifest or list of rules is larger than.
pub const SMALL: u64 = 8 << 20;
