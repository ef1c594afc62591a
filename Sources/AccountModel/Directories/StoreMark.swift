// SPDX-License-Identifier: Apache-2.0

/// Something that is known of a whole store, with the time from which it holds.
public enum StoreMark: String, Sendable, CaseIterable {
    /// A server that was not in development mode has used it.
    case production
    /// A health check could write to it.
    case written
    /// It was put back to an earlier time, and what it had issued is being taken back: nobody is to be served
    /// meanwhile.
    case takingBack = "taking_back"
}
