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
            return self.remove_from_long(owner, number);
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

    /// A list that is not even nearly too long any more goes back into its row.
    #[cold]
    fn remove_from_long(&mut self, owner: usize, number: u32) {
        let Some(list) = self.long.get_mut(&(owner as u32)) else { return };
        list.iter().position(|&n| n == number).map(|place| list.swap_remove(place));
        if list.len() + 1 < self.stride - 1 {
            let list = std::mem::take(list);
            self.set(owner, &list);
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

    /// Makes room for so many and four more. What is written there counts once [`Gathered::keep`] says so.
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

#[cfg(test)]
mod tests {
    use saltus::Stream;

    use super::*;

    #[test]
    fn rows_hold_what_lists_would_and_give_back_what_grew_long() {
        let mut random = Stream::new(9, 0, 0);
        for stride in [4, 8, 16] {
            let (mut rows, mut lists) = (Rows::new(6, stride), vec![Vec::new(); 6]);
            for step in 0..20_000u32 {
                let owner = random.below(6) as usize;
                let list: &mut Vec<u32> = &mut lists[owner];
                // Numbers small enough to be taken for a length; phases that grow and that shrink.
                let number = 10 + random.below(40) as u32;
                let grows = random.below(10) < if step / 500 % 2 == 0 { 7 } else { 2 };
                match list.iter().position(|&n| n == number) {
                    Some(place) => {
                        list.swap_remove(place);
                        rows.remove(owner, number);
                    }
                    None if grows => {
                        list.push(number);
                        rows.push(owner, number);
                    }
                    None if !list.is_empty() && random.below(3) == 0 => {
                        let kept = list.split_off(list.len() / 2);
                        *list = kept;
                        rows.set(owner, list);
                    }
                    None => {}
                }
                let sorted = |numbers: &[u32]| {
                    let mut numbers = numbers.to_vec();
                    numbers.sort_unstable();
                    numbers
                };
                assert_eq!(sorted(rows.get(owner)), sorted(list), "stride {stride}, step {step}");
                let padding = |n: &&u32| !list.contains(n);
                assert!(rows.padded(owner).iter().filter(padding).all(|&n| n == owner as u32));
            }
            for (owner, list) in lists.iter().enumerate() {
                list.iter().for_each(|&number| rows.remove(owner, number));
            }
            assert!(rows.long.is_empty(), "lists that are not needed any more stay");
        }
    }
}
