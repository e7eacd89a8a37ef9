//! Memory that an allocator keeps for the next work of a thread. What one thread has freed for another is given back by that
//! other one only, so each has to be told when there is nothing to do.

use std::sync::OnceLock;

static GIVE_BACK: OnceLock<fn()> = OnceLock::new();

/// Says how a thread gives back what the allocator of this process keeps for it.
pub fn give_back_with(give_back: fn()) {
    let _ = GIVE_BACK.set(give_back);
}

/// Gives back what is kept for this thread and for those that work on all cores.
pub fn give_back_memory() {
    if let Some(give_back) = GIVE_BACK.get() {
        give_back();
        rayon::broadcast(|_| give_back());
    }
}
