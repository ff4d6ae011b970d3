//! The rules that users rely on.
