// SPDX-License-Identifier: Apache-2.0

/// Why a step of SRP could not be computed.
public enum SRPError: Error, Equatable, Sendable {
    /// A public value, verifier or scrambling parameter is not in 1 ..< N. From a client: it asks for a known secret.
    case outOfRange
    /// The C library had no memory.
    case outOfMemory
}
