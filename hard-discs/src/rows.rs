//! Many short lists of numbers in one array.

use std::collections::BTreeMap;

/// A row of numbers for each of many owners. What does not fit into a row goes into a list of its own.
///
/// Numbers are looked for without a branch a number: which one it is, or whether it is there, is nothing that a processor could
/// guess, and to look at all of a row takes a few instructions.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    /// `stride - 1` numbers each, and last how many of them count. Those that do not are the owner's own.
    words: Vec<u32>,
    stride: usize,
    /// What is too long for its row, as a whole.
    long: BTreeMap<u32, Vec<u32>>,
}

/// The length of a row whose numbers lie elsewhere.
const LONG: u32 = u32::MAX;

impl Rows {
    /// Empty rows of so many words, a multiple of four, which have room for one number less.
    pub(crate) fn new(owners: usize, stride: usize) -> Rows {
        debug_assert!(stride > 0 && stride.is_multiple_of(4));
        let mut words = Vec::with_capacity(owners * stride);
        for owner in 0..owners as u32 {
            words.resize(words.len() + stride - 1, owner);
            words.push(0);
        }
        Rows { words, stride, long: BTreeMap::new() }
    }

    /// The words of a row, and how many of them are numbers that count.
    #[inline(always)]
    fn row(&self, owner: usize) -> (&[u32], u32) {
        let row = &self.words[owner * self.stride..][..self.stride];
        (row, row[self.stride - 1])
    }

    #[inline(always)]
    fn row_mut(&mut self, owner: usize) -> &mut [u32] {
        &mut self.words[owner * self.stride..][..self.stride]
    }

    #[inline]
    pub(crate) fn get(&self, owner: usize) -> &[u32] {
        match self.row(owner) {
            (_, LONG) => self.long(owner),
            (row, length) => &row[..length as usize],
        }
    }

    /// The numbers of a row, with the owner's own added as often as it takes to make a multiple of four, or nearly always so.
    #[inline]
    pub(crate) fn padded(&self, owner: usize) -> &[u32] {
        match self.row(owner) {
            (_, LONG) => self.long(owner),
            (row, length) => &row[..(length as usize).next_multiple_of(4).min(self.stride - 1)],
        }
    }

    #[cold]
    fn long(&self, owner: usize) -> &[u32] {
        &self.long[&(owner as u32)]
    }

    /// Reads a row, so that it is in the cache.
    #[inline(always)]
    pub(crate) fn glance(&self, owner: usize) -> u64 {
        u64::from(self.row(owner).1)
    }

    /// How many words a row has.
    #[inline]
    pub(crate) fn stride(&self) -> usize {
        self.stride
    }

    /// All rows, if they have `W` words: the numbers of one and, last, how many of them count. Of those that lie elsewhere that
    /// is more than memory can hold.
    #[inline(always)]
    pub(crate) fn words<const W: usize>(&self) -> &[[u32; W]] {
        self.words.as_chunks().0
    }

    #[inline]
    pub(crate) fn push(&mut self, owner: usize, number: u32) {
        let last = self.stride - 1;
        let row = self.row_mut(owner);
        let length = row[last];
        if (length as usize) < last {
            row[length as usize] = number;
            row[last] += 1;
        } else if length == LONG {
            self.long.entry(owner as u32).or_default().push(number);
        } else {
            let mut list = row[..last].to_vec();
            list.push(number);
            row[last] = LONG;
            self.long.insert(owner as u32, list);
        }
    }

    /// Takes a number out of a row that has it.
    #[inline]
    pub(crate) fn remove(&mut self, owner: usize, number: u32) {
        let last = self.stride - 1;
        let row = self.row_mut(owner);
        if row[last] == LONG {
            let list = self.long.entry(owner as u32).or_default();
            list.iter().position(|&n| n == number).map(|place| list.swap_remove(place));
            return;
        }
        let places = row.iter().zip(0..).map(|(&n, place)| if n == number { place } else { u32::MAX });
        let place = places.fold(u32::MAX, |first, place| first.min(place)) as usize;
        let length = row[last] as usize;
        if place < length {
            row[place] = row[length - 1];
            row[length - 1] = owner as u32;
            row[last] -= 1;
        }
    }

    /// Puts these numbers into a row in place of those that are there.
    pub(crate) fn set(&mut self, owner: usize, numbers: &[u32]) {
        let last = self.stride - 1;
        if self.row(owner).1 == LONG {
            self.long.remove(&(owner as u32));
        }
        let row = self.row_mut(owner);
        row[..last].fill(owner as u32);
        if let Some(start) = row[..last].get_mut(..numbers.len()) {
            start.copy_from_slice(numbers);
            row[last] = numbers.len() as u32;
        } else {
            row[last] = LONG;
            self.long.insert(owner as u32, numbers.to_vec());
        }
    }
}

/// Numbers gathered from here and there, in memory that is used again and again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gathered {
    /// Longer than what counts of it.
    words: Vec<u32>,
    len: usize,
}

impl Gathered {
    pub(crate) fn get(&self) -> &[u32] {
        &self.words[..self.len]
    }

    /// Forgets all, and makes room for so many and four more. What is written there counts once [`Gathered::keep`] says so.
    #[inline(always)]
    pub(crate) fn room(&mut self, count: usize) -> &mut [u32] {
        if self.words.len() < count + 4 {
            self.words.resize(count + 4, 0);
        }
        &mut self.words
    }

    /// The first `len` of those in the room count.
    #[inline(always)]
    pub(crate) fn keep(&mut self, len: usize) {
        self.len = len;
    }

    pub(crate) fn set(&mut self, numbers: &[u32]) {
        self.room(numbers.len())[..numbers.len()].copy_from_slice(numbers);
        self.len = numbers.len();
    }

    /// Fills up with a number to a multiple of four.
    #[inline(always)]
    pub(crate) fn padded(&mut self, with: u32) -> &[[u32; 4]] {
        if let Some(next) = self.words.get_mut(self.len..self.len + 4) {
            next.copy_from_slice(&[with; 4]);
        }
        self.words[..self.len.next_multiple_of(4)].as_chunks().0
    }
}

/// Whether a number is among these.
#[inline(always)]
pub(crate) fn has(fours: &[[u32; 4]], number: u32) -> bool {
    fours.iter().fold(false, |any, four| any | four.iter().fold(false, |any, &n| any | (n == number)))
}
