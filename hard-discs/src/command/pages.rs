//! Large pages of memory.

/// The variable that the C library reads once, as a program starts.
pub(crate) const TUNABLES: &str = "GLIBC_TUNABLES";

/// What it is to say.
pub(crate) const LARGE: &str = "glibc.malloc.hugetlb=1";

/// Starts the program again with memory in pages of 2 MiB where the system has such, unless the variable is set already. A million
/// particles lie in 50,000 small pages, which are looked up far more often than a processor can remember them: with large ones
/// a collision takes a fifth less time.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(crate) fn ask_for_large() {
    use std::os::unix::process::CommandExt;
    let mut arguments = std::env::args_os();
    let (Some(name), Ok(program)) = (arguments.next(), std::env::current_exe()) else { return };
    if std::env::var_os(TUNABLES).is_none() {
        // It comes back only if that cannot be done; small pages do as well.
        let _ = std::process::Command::new(program).arg0(name).args(arguments).env(TUNABLES, LARGE).exec();
    }
}

/// Nothing to ask here.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) fn ask_for_large() {}
