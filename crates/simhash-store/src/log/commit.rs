//! Group commit: operations of all threads go into shared records, which one
//! thread writes and syncs.
//!
//! An operation gets its number when it is queued, under the locks of the
//! buckets it changes. So the order of the log is the order in which threads
//! saw the changes.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant, SystemTime};

use super::read::{self, record_key};
use crate::codec::header::LogEnd;
use crate::codec::operation::{Entry, Operation};
use crate::codec::record::RecordBuilder;
use crate::config::Durability;
use crate::disk::engine::{Engine, TreeName};
use crate::document::DocId;
use crate::{Error, Result};

/// Records that may wait to be written, about 30 MB at most of ordinary keys.
/// Writers wait when there are more.
const MAX_BACKLOG: usize = 1024;

/// The log's writing end.
#[derive(Debug)]
pub(crate) struct Commit {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared {
    engine: Arc<Engine>,
    durability: Durability,
    queue: Mutex<Queue>,
    /// There is something for the commit thread to do.
    work: Condvar,
    /// The commit thread has done something.
    done: Condvar,
    /// The queue is long, or poisoned: writers should look before they take
    /// locks.
    attention: AtomicBool,
}

#[derive(Debug)]
struct Queue {
    /// Takes the next operations.
    building: RecordBuilder,
    /// Complete, but not written yet.
    sealed: VecDeque<Arc<RecordBuilder>>,
    /// The end of what is durable.
    durable: LogEnd,
    /// Someone waits for everything below this number to be durable.
    wanted: u64,
    poison: Option<Arc<Error>>,
    closing: bool,
}

impl Queue {
    fn next(&self) -> u64 {
        self.building.next()
    }

    /// Completes the record under construction.
    fn seal(&mut self) {
        if !self.building.is_empty() {
            let next = RecordBuilder::new(self.next());
            let full = std::mem::replace(&mut self.building, next);
            self.sealed.push_back(Arc::new(full));
        }
    }

    fn check(&self) -> Result<()> {
        match &self.poison {
            Some(cause) => Err(Error::Poisoned {
                cause: Arc::clone(cause),
            }),
            None => Ok(()),
        }
    }
}

impl Commit {
    /// Goes on where the log ends.
    pub(crate) fn start(
        engine: Arc<Engine>,
        durability: Durability,
        end: LogEnd,
    ) -> Result<Commit> {
        let shared = Arc::new(Shared {
            engine,
            durability,
            queue: Mutex::new(Queue {
                building: RecordBuilder::new(end.upto),
                sealed: VecDeque::new(),
                durable: end,
                wanted: 0,
                poison: None,
                closing: false,
            }),
            work: Condvar::new(),
            done: Condvar::new(),
            attention: AtomicBool::new(false),
        });
        let thread = thread::Builder::new()
            .name("simhash-commit".to_owned())
            .spawn({
                let shared = Arc::clone(&shared);
                move || shared.run(end)
            })
            .map_err(|error| Error::io("starting the commit thread of", "log".as_ref(), error))?;
        Ok(Commit {
            shared,
            thread: Some(thread),
        })
    }

    /// Waits until there is room for more operations. To be called before
    /// any lock is taken.
    ///
    /// # Errors
    /// [`Error::Poisoned`] after a failed write.
    pub(crate) fn admit(&self) -> Result<()> {
        if !self.shared.attention.load(Ordering::Relaxed) {
            return Ok(());
        }
        let mut queue = self.shared.lock();
        while queue.sealed.len() > MAX_BACKLOG && queue.poison.is_none() {
            queue = wait(&self.shared.done, queue);
        }
        queue.check()
    }

    /// Queues an operation and returns its number.
    ///
    /// # Errors
    /// [`Error::Poisoned`] after a failed write; [`Error::Full`] when there
    /// are no numbers left. Nothing was queued then.
    pub(crate) fn append(&self, operation: &Operation<'_>) -> Result<DocId> {
        let mut queue = self.shared.lock();
        queue.check()?;
        let number = DocId::new(queue.next()).ok_or(Error::Full)?;
        if !queue.building.has_room(operation.key().len()) {
            queue.seal();
            let crowded = queue.sealed.len() > MAX_BACKLOG;
            self.shared.attention.store(crowded, Ordering::Relaxed);
            self.shared.work.notify_one();
        } else if queue.next() == queue.durable.upto {
            // The thread sleeps without a limit while all is durable.
            self.shared.work.notify_one();
        }
        queue.building.push(now(), operation);
        Ok(number)
    }

    /// The number that the next operation gets.
    pub(crate) fn next(&self) -> u64 {
        self.shared.lock().next()
    }

    /// The end of what is durable.
    pub(crate) fn durable(&self) -> LogEnd {
        self.shared.lock().durable
    }

    /// Returns when all operations below `upto` are durable.
    pub(crate) fn wait_durable(&self, upto: u64) -> Result<()> {
        let mut queue = self.shared.lock();
        while queue.durable.upto < upto {
            queue.check()?;
            queue.wanted = queue.wanted.max(upto);
            self.shared.work.notify_one();
            queue = wait(&self.shared.done, queue);
        }
        Ok(())
    }

    /// Makes everything queued so far durable, and says where that ends.
    pub(crate) fn sync(&self) -> Result<LogEnd> {
        let next = self.next();
        self.wait_durable(next)?;
        let queue = self.shared.lock();
        queue.check()?;
        Ok(queue.durable)
    }

    /// Looks at the operation with number `sequence`, be it queued or stored.
    pub(crate) fn operation<T>(
        &self,
        sequence: u64,
        look: impl FnOnce(Entry<'_>) -> T,
    ) -> Result<Option<T>> {
        let queue = self.shared.lock();
        if sequence >= queue.building.first() {
            return look_into(&queue.building, sequence, look);
        }
        let records = &queue.sealed;
        let after = records.partition_point(|record| record.first() <= sequence);
        if let Some(record) = after.checked_sub(1).and_then(|index| records.get(index)) {
            let record = Arc::clone(record);
            drop(queue);
            return look_into(&record, sequence, look);
        }
        drop(queue);
        read::operation(&self.shared.engine, sequence, look)
    }

    /// Makes everything durable and ends the thread. Says where the log ends.
    pub(crate) fn close(&mut self) -> Result<LogEnd> {
        self.shared.lock().closing = true;
        self.shared.work.notify_one();
        if let Some(thread) = self.thread.take() {
            // What it died of, if it did, is in `poison`.
            let _ = thread.join();
        }
        let queue = self.shared.lock();
        queue.check()?;
        Ok(queue.durable)
    }
}

impl Drop for Commit {
    fn drop(&mut self) {
        // Whoever wants to know of errors calls `close` first.
        let _ = self.close();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The commit thread: writes what is sealed, syncs when it is time.
    fn run(&self, mut end: LogEnd) {
        let _guard = PoisonOnPanic(self);
        let mut last_sync = Instant::now();
        while let Some((batch, sync)) = self.next_batch(last_sync) {
            let result = self.write(&batch, &mut end, sync);
            if sync {
                last_sync = Instant::now();
            }
            let failed = result.is_err();
            let mut queue = self.lock();
            match result {
                Ok(()) => {
                    queue.sealed.drain(..batch.len());
                    if sync {
                        queue.durable = end;
                    }
                }
                Err(error) => queue.poison = Some(Arc::new(error)),
            }
            self.attention.store(failed, Ordering::Relaxed);
            self.done.notify_all();
            if failed {
                return;
            }
        }
    }

    /// Sleeps until there is something to do: records to write, and whether
    /// to sync after them. `None` when the log is closed.
    fn next_batch(&self, last_sync: Instant) -> Option<(Vec<Arc<RecordBuilder>>, bool)> {
        let mut queue = self.lock();
        loop {
            let unsynced = queue.durable.upto < queue.next();
            if queue.closing && !unsynced {
                return None;
            }
            let wanted = queue.wanted > queue.durable.upto;
            let due_in = self.due_in(last_sync).filter(|_| unsynced);
            let sync = unsynced && (queue.closing || wanted || due_in == Some(Duration::ZERO));
            if sync {
                queue.seal();
            }
            if sync || !queue.sealed.is_empty() {
                return Some((queue.sealed.iter().cloned().collect(), sync));
            }
            queue = match due_in {
                Some(pause) => {
                    let waited = self.work.wait_timeout(queue, pause);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
                None => wait(&self.work, queue),
            };
        }
    }

    /// How long until the next sync that nobody asks for.
    fn due_in(&self, last_sync: Instant) -> Option<Duration> {
        match self.durability {
            Durability::Interval(interval) => Some(interval.saturating_sub(last_sync.elapsed())),
            Durability::Sync | Durability::Manual => None,
        }
    }

    fn write(&self, batch: &[Arc<RecordBuilder>], end: &mut LogEnd, sync: bool) -> Result<()> {
        for record in batch {
            let (bytes, crc) = record.finish(end.crc);
            let key = record_key(record.first());
            self.engine.insert(TreeName::Log, &key, bytes)?;
            *end = LogEnd {
                upto: record.next(),
                records: end.records.saturating_add(1),
                crc,
            };
        }
        if sync { self.engine.sync() } else { Ok(()) }
    }
}

/// Lets nobody wait for a commit thread that is gone.
struct PoisonOnPanic<'a>(&'a Shared);

impl Drop for PoisonOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            let why = "the commit thread panicked; please report it";
            let mut queue = self.0.lock();
            queue
                .poison
                .get_or_insert_with(|| Arc::new(Error::corrupt("log", "", why)));
            self.0.attention.store(true, Ordering::Relaxed);
            self.0.done.notify_all();
        }
    }
}

fn wait<'a, T>(condvar: &Condvar, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
    condvar.wait(guard).unwrap_or_else(PoisonError::into_inner)
}

fn look_into<T>(
    record: &RecordBuilder,
    sequence: u64,
    look: impl FnOnce(Entry<'_>) -> T,
) -> Result<Option<T>> {
    let entry = record.get(sequence).transpose();
    let entry = entry.map_err(|error| {
        Error::corrupt("queued operation", sequence.to_string(), error.to_string())
    })?;
    Ok(entry.map(look))
}

/// Milliseconds since 1970.
pub(crate) fn now() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as u64)
}
