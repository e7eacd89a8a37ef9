//! Memory for the syntax tree of one file: handed out by moving a pointer, taken back all at once.
//!
//! Parsing allocates some hundred thousand small nodes per megabyte of text, and taking a tree apart again costs a
//! tenth of making it. Nothing of a tree outlives the extraction of its file, so nothing is taken apart: the next file
//! starts at the beginning of the same memory.
#![expect(unsafe_code, reason = "the parser takes its allocator as C functions")]

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::cell::UnsafeCell;
use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::OnceLock;

use tree_sitter::Allocator;

/// What the parser allocates outside of an extraction comes from here.
static OUTSIDE: OnceLock<Allocator> = OnceLock::new();

thread_local! {
    static ARENA: UnsafeCell<Arena> = const { UnsafeCell::new(Arena::EMPTY) };
}

/// Lets extraction hand out the parser's memory. `outside` serves the parser at all other times.
///
/// # Safety
///
/// Nothing has been parsed yet, and the functions of `outside` belong together.
pub unsafe fn install(outside: Allocator) {
    if OUTSIDE.set(outside).is_ok() {
        let own = Allocator { malloc: take, calloc: take_zeroed, realloc: resize, free: give_back };
        // SAFETY: the caller says that no block comes from another allocator; these four belong together.
        unsafe { tree_sitter::set_allocator(Some(own)) };
    }
}

/// Until it is dropped, the parser's memory on this thread comes from the arena. Whatever the parser made meanwhile
/// must be dropped or forgotten by then, and nothing that it made before may be dropped meanwhile.
pub(crate) struct Section(());

impl Section {
    /// `None` without [`install`], and inside another section. Beyond `limit` bytes the arena says that it is full; it goes
    /// on all the same, since the parser cannot do without.
    pub(crate) fn open(limit: usize) -> Option<Section> {
        OUTSIDE.get()?;
        let opened = with(|arena| {
            let opened = !std::mem::replace(&mut arena.open, true);
            arena.limit = if opened { limit } else { arena.limit };
            opened
        });
        opened.then_some(Section(()))
    }
}

impl Drop for Section {
    fn drop(&mut self) {
        with(Arena::reset);
    }
}

/// Whether more was taken than is allowed for this file.
pub(crate) fn is_full() -> bool {
    with(|arena| arena.open && arena.taken > arena.limit)
}

/// How much was taken for this file.
pub(crate) fn taken() -> usize {
    with(|arena| arena.taken)
}

/// Allows no more than what was taken: the text is not worth it.
pub(crate) fn fill() {
    with(|arena| arena.limit = arena.taken.saturating_sub(1));
}

/// Takes everything back although the section goes on. The parser is dropped.
pub(crate) fn empty() {
    with(|arena| {
        arena.reset();
        arena.open = true;
    });
}

/// Whether there is no need to take a tree apart.
pub(crate) fn is_open() -> bool {
    with(|arena| arena.open)
}

fn with<T>(work: impl FnOnce(&mut Arena) -> T) -> T {
    ARENA.with(|arena| {
        // SAFETY: the cell is this thread's, no reference leaves this function, and nothing that runs in `work` comes
        // here again.
        work(unsafe { &mut *arena.get() })
    })
}

/// What the arena does if it is open. It is gone when a parser is dropped at the end of its thread.
fn inside<T>(work: impl FnOnce(&mut Arena) -> T) -> Option<T> {
    let done = ARENA.try_with(|arena| {
        // SAFETY: as in `with`.
        let arena = unsafe { &mut *arena.get() };
        arena.open.then(|| work(arena))
    });
    done.ok().flatten()
}

/// Sizes up to this are rounded to steps, larger ones to powers of two.
const SMALL: usize = 1024;
const STEP: usize = 16;
const CLASSES: usize = SMALL / STEP + 1 + usize::BITS as usize;
/// In front of every block: its class.
const HEADER: usize = 8;
const CHUNK: usize = 1 << 20;
/// As much is kept for the next file.
const KEPT: usize = 4 << 20;

struct Arena {
    open: bool,
    next: *mut u8,
    end: *mut u8,
    chunks: Vec<(*mut u8, usize)>,
    /// So many chunks are in use; the last of these is `next` in.
    used: usize,
    /// Bytes of the chunks in use, and how many there may be.
    taken: usize,
    limit: usize,
    /// Blocks that were given back, by class: each begins with a pointer to the next.
    free: [*mut u8; CLASSES],
}

const fn class_of(size: usize) -> usize {
    match size {
        0 => 1,
        1..=SMALL => size.div_ceil(STEP),
        _ => SMALL / STEP + size.next_power_of_two().trailing_zeros() as usize,
    }
}

const fn size_of_class(class: usize) -> usize {
    match class <= SMALL / STEP {
        true => class * STEP,
        false => 1 << (class - SMALL / STEP),
    }
}

impl Arena {
    const EMPTY: Arena = Arena {
        open: false,
        next: null_mut(),
        end: null_mut(),
        chunks: Vec::new(),
        used: 0,
        taken: 0,
        limit: usize::MAX,
        free: [null_mut(); CLASSES],
    };

    #[inline]
    fn take(&mut self, size: usize) -> *mut u8 {
        let class = class_of(size);
        let block = self.free[class];
        if !block.is_null() {
            // SAFETY: a block that was given back begins with the pointer that `give_back` wrote.
            self.free[class] = unsafe { block.cast::<*mut u8>().read() };
            return block;
        }
        let length = HEADER + size_of_class(class);
        if (self.end as usize) - (self.next as usize) < length {
            self.grow(length);
        }
        // SAFETY: `length` bytes are free at `next`, which is aligned to 8 because all lengths are multiples of it.
        unsafe {
            self.next.cast::<usize>().write(class);
            let block = self.next.add(HEADER);
            self.next = self.next.add(length);
            block
        }
    }

    /// A block with the same beginning that has at least so many bytes.
    ///
    /// # Safety
    ///
    /// The block is one of the arena's, or null.
    unsafe fn resize(&mut self, block: *mut u8, size: usize) -> *mut u8 {
        if block.is_null() {
            return self.take(size);
        }
        // SAFETY: the block has as many bytes as its class, and the new one has more.
        unsafe {
            let had = size_of_class(class_at(block));
            if size <= had {
                return block;
            }
            let new = self.take(size);
            new.copy_from_nonoverlapping(block, had);
            self.give_back(block);
            new
        }
    }

    /// Keeps a block for the next one of its class.
    ///
    /// # Safety
    ///
    /// The block is one of the arena's, or null, and nobody uses it any more.
    unsafe fn give_back(&mut self, block: *mut u8) {
        if block.is_null() {
            return;
        }
        // SAFETY: every class has room for a pointer.
        unsafe {
            let class = class_at(block);
            block.cast::<*mut u8>().write(self.free[class]);
            self.free[class] = block;
        }
    }

    #[cold]
    fn grow(&mut self, least: usize) {
        if self.chunks.get(self.used).is_none_or(|chunk| chunk.1 < least) {
            self.chunks.insert(self.used, new_chunk(least.max(CHUNK)));
        }
        self.start_at(self.chunks[self.used]);
        self.taken += self.chunks[self.used].1;
        self.used += 1;
    }

    fn start_at(&mut self, (start, size): (*mut u8, usize)) {
        self.next = start;
        // SAFETY: the chunk is so long.
        self.end = unsafe { start.add(size) };
    }

    /// Takes everything back. The first chunks stay for the next file.
    fn reset(&mut self) {
        self.open = false;
        self.free = [null_mut(); CLASSES];
        (self.next, self.end, self.used, self.taken) = (null_mut(), null_mut(), 0, 0);
        let mut total = 0;
        let kept = self.chunks.iter().take_while(|(_, size)| {
            total += size;
            total <= KEPT
        });
        let kept = kept.count();
        self.chunks.drain(kept..).for_each(release);
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        self.chunks.drain(..).for_each(release);
    }
}

fn new_chunk(size: usize) -> (*mut u8, usize) {
    let layout = layout(size);
    // SAFETY: the size is not zero.
    let start = unsafe { alloc(layout) };
    if start.is_null() {
        handle_alloc_error(layout);
    }
    (start, size)
}

fn layout(size: usize) -> Layout {
    Layout::from_size_align(size, STEP).expect("a size that was allocated before")
}

/// Gives a chunk back to the system.
fn release((start, size): (*mut u8, usize)) {
    // SAFETY: chunks are allocated with this layout and released once.
    unsafe { dealloc(start, layout(size)) };
}

/// The class of a block of the arena.
///
/// # Safety
///
/// The block is one of the arena's.
unsafe fn class_at(block: *mut u8) -> usize {
    // SAFETY: `take` wrote it there.
    unsafe { block.sub(HEADER).cast::<usize>().read() }
}

fn outside() -> &'static Allocator {
    OUTSIDE.get().expect("set before the parser knew these functions")
}

unsafe extern "C" fn take(size: usize) -> *mut c_void {
    match inside(|arena| arena.take(size)) {
        Some(block) => block.cast(),
        // SAFETY: handed on as it came.
        None => unsafe { (outside().malloc)(size) },
    }
}

unsafe extern "C" fn take_zeroed(count: usize, size: usize) -> *mut c_void {
    let Some(bytes) = count.checked_mul(size) else { return null_mut() };
    match inside(|arena| arena.take(bytes)) {
        Some(block) => {
            // SAFETY: the block has at least so many bytes.
            unsafe { block.write_bytes(0, bytes) };
            block.cast()
        }
        // SAFETY: handed on as it came.
        None => unsafe { (outside().calloc)(count, size) },
    }
}

unsafe extern "C" fn resize(block: *mut c_void, size: usize) -> *mut c_void {
    // SAFETY: the section's rule says that the block is the arena's.
    match inside(|arena| unsafe { arena.resize(block.cast(), size) }) {
        Some(block) => block.cast(),
        // SAFETY: handed on as it came.
        None => unsafe { (outside().realloc)(block, size) },
    }
}

unsafe extern "C" fn give_back(block: *mut c_void) {
    // SAFETY: the section's rule says that the block is the arena's.
    if inside(|arena| unsafe { arena.give_back(block.cast()) }).is_none() {
        // SAFETY: handed on as it came.
        unsafe { (outside().free)(block) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_size_fits_its_class() {
        for size in (0..5000).chain([1 << 20, (1 << 20) + 1]) {
            let class = class_of(size);
            assert!(size <= size_of_class(class) && class < CLASSES, "{size}");
            assert!(size_of_class(class) >= size_of::<*mut u8>() && size_of_class(class).is_multiple_of(HEADER));
        }
    }

    #[test]
    fn blocks_do_not_overlap_and_are_used_again() {
        let mut arena = Arena::EMPTY;
        let blocks: Vec<(*mut u8, usize)> = (0..4000).map(|i| (arena.take(i % 700), i % 700)).collect();
        for (number, (block, size)) in blocks.iter().enumerate() {
            // SAFETY: the block has so many bytes.
            unsafe { block.write_bytes(number as u8, *size) };
        }
        for (number, (block, size)) in blocks.iter().enumerate() {
            // SAFETY: they were written above.
            let bytes = unsafe { std::slice::from_raw_parts(*block, *size) };
            assert!(bytes.iter().all(|byte| *byte == number as u8) && (*block as usize).is_multiple_of(HEADER));
        }
        arena.take(3 * CHUNK);
        arena.take(5 * CHUNK);
        let before = arena.chunks.clone();
        arena.reset();
        assert!(arena.chunks.iter().map(|chunk| chunk.1).sum::<usize>() <= KEPT && !arena.chunks.is_empty());
        assert_eq!(arena.take(1) as usize, before[0].0 as usize + HEADER);
        arena.take(6 * CHUNK);
        assert_eq!((arena.used, arena.chunks[1].1 > 6 * CHUNK), (2, true));
    }
}
