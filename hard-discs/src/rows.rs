//! Many short lists of numbers in one array.

use std::collections::BTreeMap;

/// A row of numbers for each of many owners. What does not fit into a row goes into a list of its own.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    /// One word of length and `stride - 1` numbers each.
    words: Vec<u32>,
    stride: usize,
    /// What is too long for its row, as a whole.
    long: BTreeMap<u32, Vec<u32>>,
}

/// The length of a row whose numbers lie elsewhere.
const LONG: u32 = u32::MAX;

impl Rows {
    /// Empty rows with room for so many numbers each.
    pub(crate) fn new(owners: usize, room: usize) -> Rows {
        Rows { words: vec![0; owners * (room + 1)], stride: room + 1, long: BTreeMap::new() }
    }

    #[inline]
    pub(crate) fn get(&self, owner: usize) -> &[u32] {
        let start = owner * self.stride;
        match self.words[start] {
            LONG => self.long(owner),
            length => &self.words[start + 1..start + 1 + length as usize],
        }
    }

    #[cold]
    fn long(&self, owner: usize) -> &[u32] {
        &self.long[&(owner as u32)]
    }

    #[inline]
    pub(crate) fn push(&mut self, owner: usize, number: u32) {
        let row = &mut self.words[owner * self.stride..(owner + 1) * self.stride];
        let length = row[0] as usize;
        if length + 1 < row.len() {
            row[1 + length] = number;
            row[0] += 1;
        } else if row[0] == LONG {
            self.long.entry(owner as u32).or_default().push(number);
        } else {
            let mut list = row[1..].to_vec();
            list.push(number);
            row[0] = LONG;
            self.long.insert(owner as u32, list);
        }
    }

    /// Takes a number out of a row that has it.
    #[inline]
    pub(crate) fn remove(&mut self, owner: usize, number: u32) {
        let row = &mut self.words[owner * self.stride..(owner + 1) * self.stride];
        if row[0] == LONG {
            let list = self.long.entry(owner as u32).or_default();
            list.iter().position(|&n| n == number).map(|place| list.swap_remove(place));
            return;
        }
        let length = row[0] as usize;
        let numbers = &mut row[1..1 + length];
        if let Some(place) = numbers.iter().position(|&n| n == number) {
            numbers[place] = numbers[length - 1];
            row[0] -= 1;
        }
    }

    pub(crate) fn clear(&mut self, owner: usize) {
        if std::mem::replace(&mut self.words[owner * self.stride], 0) == LONG {
            self.long.remove(&(owner as u32));
        }
    }
}
