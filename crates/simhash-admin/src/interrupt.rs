//! Ctrl-C: a wish to stop at the next document, not a kill.

use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crossbeam_channel::{Receiver, Sender, bounded};

use crate::exit::{Exit, Failure};

/// Knows whether the user has asked to stop.
#[derive(Clone, Debug)]
pub struct Interrupt {
    requested: Arc<AtomicBool>,
    wake: Receiver<()>,
}

/// The other end of an [`Interrupt`].
#[derive(Debug)]
pub struct Trigger {
    requested: Arc<AtomicBool>,
    wake: Sender<()>,
}

impl Trigger {
    /// Asks to stop; false when that has been asked before.
    pub fn pull(&self) -> bool {
        let first = !self.requested.swap(true, Ordering::Relaxed);
        // Full means that a wake-up is waiting already.
        let _ = self.wake.try_send(());
        first
    }
}

impl Interrupt {
    /// Takes over Ctrl-C (on Unix also SIGTERM and SIGHUP) for the rest of
    /// the process. The second one ends the process at once; a store stands
    /// that as it stands a crash.
    ///
    /// # Errors
    /// [`Failure::Signal`] when the system does not let us.
    pub fn install() -> Result<Interrupt, Failure> {
        let (trigger, interrupt) = Interrupt::pair();
        ctrlc::set_handler(move || {
            if !trigger.pull() {
                process::exit(Exit::Interrupted.code());
            }
        })?;
        Ok(interrupt)
    }

    /// An interrupt that only its trigger can request.
    pub fn pair() -> (Trigger, Interrupt) {
        let (wake_sender, wake) = bounded(1);
        let requested = Arc::new(AtomicBool::new(false));
        let trigger = Trigger {
            requested: Arc::clone(&requested),
            wake: wake_sender,
        };
        (trigger, Interrupt { requested, wake })
    }

    /// True once the user has asked to stop.
    pub fn requested(&self) -> bool {
        self.requested.load(Ordering::Relaxed)
    }

    /// Becomes ready when the user asks to stop, for waiting on it together
    /// with other channels.
    pub fn wake(&self) -> &Receiver<()> {
        &self.wake
    }
}
