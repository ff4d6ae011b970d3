//! Bags of entries in small chunks of one size, so that memory moves between them without being copied or wasted.

/// Empty chunks that wait for use. Last in, first out: the chunk that was emptied last is still in the cache.
#[derive(Debug)]
pub(super) struct Pool<E> {
    spare: Vec<Vec<E>>,
    /// Chunks that are out, in bags.
    lent: usize,
}

impl<E> Pool<E> {
    /// Entries a chunk: about a KiB. Smaller ones cost a change of chunk too often, larger ones waste more when half empty.
    const CHUNK: usize = {
        let fit = 1024 / size_of::<E>();
        if fit < 8 { 8 } else { fit }
    };

    pub(super) fn new() -> Self {
        Pool {
            spare: Vec::new(),
            lent: 0,
        }
    }

    fn take(&mut self) -> Vec<E> {
        self.lent += 1;
        self.spare.pop().unwrap_or_else(|| Vec::with_capacity(Self::CHUNK))
    }

    fn give_back(&mut self, chunk: Vec<E>) {
        debug_assert!(chunk.is_empty());
        self.lent -= 1;
        self.spare.push(chunk);
    }

    /// Frees most of the spare chunks if they are many more than are in use. To be called now and then, not every time, so
    /// that a queue that breathes does not free and allocate in turns.
    pub(super) fn trim(&mut self) {
        if self.spare.len() > 2 * self.lent + 64 {
            self.spare.truncate(self.lent / 2 + 16);
            self.spare.shrink_to_fit();
        }
    }
}

/// A bag of entries in no particular order.
#[derive(Debug)]
pub(super) struct Bag<E> {
    /// The chunk that is being filled, here and not in the list so that adding an entry takes one look.
    open: Vec<E>,
    full: Vec<Vec<E>>,
}

impl<E> Bag<E> {
    pub(super) fn new() -> Self {
        Bag {
            open: Vec::new(),
            full: Vec::new(),
        }
    }

    #[inline]
    pub(super) fn push(&mut self, entry: E, pool: &mut Pool<E>) {
        if self.open.len() == self.open.capacity() {
            self.open_another(pool);
        }
        self.open.push(entry);
    }

    #[inline(never)]
    fn open_another(&mut self, pool: &mut Pool<E>) {
        let full = std::mem::replace(&mut self.open, pool.take());
        if !full.is_empty() {
            self.full.push(full);
        }
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.open.len() + self.full.iter().map(Vec::len).sum::<usize>()
    }

    /// Moves every entry out, the youngest first, and gives the chunks back as they become empty.
    #[inline]
    pub(super) fn empty_into(&mut self, pool: &mut Pool<E>, mut sink: impl FnMut(E, &mut Pool<E>)) {
        let mut chunk = std::mem::take(&mut self.open);
        while !chunk.is_empty() {
            while let Some(entry) = chunk.pop() {
                sink(entry, pool);
            }
            pool.give_back(chunk);
            chunk = self.full.pop().unwrap_or_default();
        }
    }

    /// Drops every entry for which `keep` says no, and packs the rest into as few chunks as will hold it.
    pub(super) fn retain(&mut self, pool: &mut Pool<E>, mut keep: impl FnMut(&E) -> bool) {
        let mut all = std::mem::replace(self, Bag::new());
        all.empty_into(pool, |entry, pool| {
            if keep(&entry) {
                self.push(entry, pool);
            }
        });
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &E> {
        self.open.iter().chain(self.full.iter().flatten())
    }
}
