//! The textbook's priority queue: insert, take the minimum or maximum, and also remove or change any item.
//!
//! This is a collection for everyday use, not a future event list: it knows nothing of time, and asks only that keys can be
//! ordered. Items of equal priority come out in any order.

use std::cmp::Reverse;

/// Underflow: the queue has nothing to give, or not that item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Underflow {
    /// There is no item at all.
    #[error("the priority queue is empty")]
    Empty,
    /// The item has left the queue already.
    #[error("the item is no longer in the priority queue")]
    Gone,
}

/// Names an item of a [`MinPq`] or [`MaxPq`], to remove it or to change its priority. Once the item has left it matches
/// nothing, even if another item takes its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ticket {
    slot: usize,
    number: u64,
}

/// A minimum-oriented priority queue: a binary heap of places that knows where each item is.
///
/// Insert, delete, remove and change take O(log n), min, size and is-empty O(1), making one from an array O(n).
///
/// ```
/// use saltus::queue::{MinPq, Underflow};
///
/// let mut pq = MinPq::from(vec![7, 3, 9]);
/// let five = pq.insert(5);
/// assert_eq!(pq.min(), Ok(&3));
/// pq.change(five, 1)?;
/// assert_eq!(pq.del_min(), Ok(1));
/// assert_eq!(pq.remove(five), Err(Underflow::Gone));
/// # Ok::<(), Underflow>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct MinPq<K> {
    /// The heap: the item in it, and which slot knows its position.
    heap: Vec<(K, usize)>,
    slots: Vec<Slot>,
    free: Vec<usize>,
    /// Numbers given out: each item has its own, so that a ticket cannot match a later one.
    numbers: u64,
}

#[derive(Clone, Debug)]
struct Slot {
    position: usize,
    number: u64,
}

impl<K: Ord> MinPq<K> {
    /// An empty queue.
    pub fn new() -> Self {
        MinPq { heap: Vec::new(), slots: Vec::new(), free: Vec::new(), numbers: 0 }
    }

    /// Adds an item.
    pub fn insert(&mut self, key: K) -> Ticket {
        let ticket = self.append(key);
        self.swim(self.heap.len() - 1);
        ticket
    }

    /// Removes the smallest item and returns it.
    pub fn del_min(&mut self) -> Result<K, Underflow> {
        if self.is_empty() {
            return Err(Underflow::Empty);
        }
        Ok(self.take(0))
    }

    /// The smallest item.
    pub fn min(&self) -> Result<&K, Underflow> {
        self.heap.first().map(|(key, _)| key).ok_or(Underflow::Empty)
    }

    /// How many items there are.
    pub fn size(&self) -> usize {
        self.heap.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }

    /// Removes any item and returns it.
    pub fn remove(&mut self, ticket: Ticket) -> Result<K, Underflow> {
        let position = self.position(ticket)?;
        Ok(self.take(position))
    }

    /// Gives an item another priority, smaller or larger, and returns its old one.
    pub fn change(&mut self, ticket: Ticket, key: K) -> Result<K, Underflow> {
        let position = self.position(ticket)?;
        let old = std::mem::replace(&mut self.heap[position].0, key);
        self.settle(position);
        Ok(old)
    }

    /// The priority of an item.
    pub fn get(&self, ticket: Ticket) -> Result<&K, Underflow> {
        Ok(&self.heap[self.position(ticket)?].0)
    }

    fn position(&self, ticket: Ticket) -> Result<usize, Underflow> {
        let slot = self.slots.get(ticket.slot).ok_or(Underflow::Gone)?;
        (slot.number == ticket.number).then_some(slot.position).ok_or(Underflow::Gone)
    }

    /// Puts an item at the end of the heap, where it may be out of order.
    fn append(&mut self, key: K) -> Ticket {
        self.numbers += 1;
        let entry = Slot { position: self.heap.len(), number: self.numbers };
        let slot = match self.free.pop() {
            Some(slot) => {
                self.slots[slot] = entry;
                slot
            }
            None => {
                self.slots.push(entry);
                self.slots.len() - 1
            }
        };
        self.heap.push((key, slot));
        Ticket { slot, number: self.numbers }
    }

    fn take(&mut self, position: usize) -> K {
        let (key, slot) = self.heap.swap_remove(position);
        self.slots[slot].number = 0;
        self.free.push(slot);
        if position < self.heap.len() {
            self.settle(position);
        }
        key
    }

    /// Moves an item to where it belongs, up or down.
    fn settle(&mut self, position: usize) {
        self.slots[self.heap[position].1].position = position;
        self.swim(position);
        self.sink(position);
    }

    fn less(&self, a: usize, b: usize) -> bool {
        self.heap[a].0 < self.heap[b].0
    }

    fn exchange(&mut self, a: usize, b: usize) {
        self.heap.swap(a, b);
        self.slots[self.heap[a].1].position = a;
        self.slots[self.heap[b].1].position = b;
    }

    fn swim(&mut self, mut node: usize) {
        while node > 0 && self.less(node, (node - 1) / 2) {
            self.exchange(node, (node - 1) / 2);
            node = (node - 1) / 2;
        }
    }

    fn sink(&mut self, mut node: usize) {
        while 2 * node + 1 < self.heap.len() {
            let mut child = 2 * node + 1;
            if child + 1 < self.heap.len() && self.less(child + 1, child) {
                child += 1;
            }
            if !self.less(child, node) {
                break;
            }
            self.exchange(node, child);
            node = child;
        }
    }
}

/// Builds the heap from the bottom up: at most 2n comparisons and n exchanges.
impl<K: Ord> From<Vec<K>> for MinPq<K> {
    fn from(keys: Vec<K>) -> Self {
        let mut queue = MinPq::new();
        for key in keys {
            queue.append(key);
        }
        for node in (0..queue.heap.len() / 2).rev() {
            queue.sink(node);
        }
        queue
    }
}

impl<K: Ord> FromIterator<K> for MinPq<K> {
    fn from_iter<I: IntoIterator<Item = K>>(keys: I) -> Self {
        keys.into_iter().collect::<Vec<K>>().into()
    }
}

/// A maximum-oriented priority queue: a [`MinPq`] in the opposite order.
#[derive(Clone, Debug, Default)]
pub struct MaxPq<K>(MinPq<Reverse<K>>);

impl<K: Ord> MaxPq<K> {
    /// An empty queue.
    pub fn new() -> Self {
        MaxPq(MinPq::new())
    }

    /// Adds an item.
    pub fn insert(&mut self, key: K) -> Ticket {
        self.0.insert(Reverse(key))
    }

    /// Removes the largest item and returns it.
    pub fn del_max(&mut self) -> Result<K, Underflow> {
        self.0.del_min().map(|key| key.0)
    }

    /// The largest item.
    pub fn max(&self) -> Result<&K, Underflow> {
        self.0.min().map(|key| &key.0)
    }

    /// How many items there are.
    pub fn size(&self) -> usize {
        self.0.size()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Removes any item and returns it.
    pub fn remove(&mut self, ticket: Ticket) -> Result<K, Underflow> {
        self.0.remove(ticket).map(|key| key.0)
    }

    /// Gives an item another priority, smaller or larger, and returns its old one.
    pub fn change(&mut self, ticket: Ticket, key: K) -> Result<K, Underflow> {
        self.0.change(ticket, Reverse(key)).map(|key| key.0)
    }

    /// The priority of an item.
    pub fn get(&self, ticket: Ticket) -> Result<&K, Underflow> {
        self.0.get(ticket).map(|key| &key.0)
    }
}

impl<K: Ord> From<Vec<K>> for MaxPq<K> {
    fn from(keys: Vec<K>) -> Self {
        keys.into_iter().collect()
    }
}

impl<K: Ord> FromIterator<K> for MaxPq<K> {
    fn from_iter<I: IntoIterator<Item = K>>(keys: I) -> Self {
        MaxPq(keys.into_iter().map(Reverse).collect())
    }
}
