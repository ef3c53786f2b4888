//! A bound on the memory of all chunks on their way.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Bytes that may be in flight, taken by the reader and given back when a
/// chunk has been dealt with.
#[derive(Debug)]
pub struct Budget {
    limit: usize,
    state: Mutex<State>,
    freed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    taken: usize,
    closed: bool,
}

/// The budget was closed: nobody wants more chunks.
#[derive(Debug, PartialEq, Eq)]
pub struct Closed;

impl Budget {
    /// A budget of `limit` bytes.
    pub fn new(limit: usize) -> Budget {
        Budget {
            limit,
            state: Mutex::default(),
            freed: Condvar::new(),
        }
    }

    /// Takes `bytes`, waiting until they fit. More than the whole budget is
    /// given when nothing else is taken: a chunk of one huge document must
    /// pass, too.
    ///
    /// # Errors
    /// [`Closed`] once [`Budget::close`] was called.
    pub fn take(&self, bytes: usize) -> Result<(), Closed> {
        let mut state = self.lock();
        while !state.closed && state.taken > 0 && state.taken.saturating_add(bytes) > self.limit {
            state = self
                .freed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
        if state.closed {
            return Err(Closed);
        }
        state.taken = state.taken.saturating_add(bytes);
        Ok(())
    }

    /// Gives back what was taken.
    pub fn give_back(&self, bytes: usize) {
        let mut state = self.lock();
        state.taken = state.taken.saturating_sub(bytes);
        self.freed.notify_all();
    }

    /// Ends all waiting and refuses from now on.
    pub fn close(&self) {
        self.lock().closed = true;
        self.freed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // The state is two plain values: whole whenever a lock ends.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;

    use super::*;

    #[test]
    fn taking_waits_until_it_fits() {
        let budget = Arc::new(Budget::new(10));
        budget.take(6).unwrap();
        budget.take(4).unwrap();
        let given_back = Arc::new(AtomicBool::new(false));
        let waiter = {
            let (budget, given_back) = (Arc::clone(&budget), Arc::clone(&given_back));
            thread::spawn(move || {
                budget.take(5).unwrap();
                given_back.load(Ordering::SeqCst)
            })
        };
        budget.give_back(4);
        given_back.store(true, Ordering::SeqCst);
        budget.give_back(6);
        assert!(waiter.join().unwrap(), "5 of 4 free bytes were given");
    }

    #[test]
    fn more_than_the_whole_passes_alone() {
        let budget = Budget::new(10);
        budget.take(99).unwrap();
        budget.give_back(99);
        budget.take(10).unwrap();
    }

    #[test]
    fn closing_ends_the_wait() {
        let budget = Arc::new(Budget::new(1));
        budget.take(1).unwrap();
        let waiter = {
            let budget = Arc::clone(&budget);
            thread::spawn(move || budget.take(1))
        };
        budget.close();
        assert_eq!(waiter.join().unwrap(), Err(Closed));
    }
}
