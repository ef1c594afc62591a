// SPDX-License-Identifier: Apache-2.0

/// Says when there is time to give memory back: a pure machine, asked every ``interval``.
public struct MemoryTrimming: Sendable {
    /// Seconds.
    public static let interval = 15

    /// Of one processor, below which the process is at rest.
    private static let restingShare = 0.1
    /// Rests in a row after which it is time again: what little is done at rest leaves something behind as well.
    private static let most = 8

    private var busySeconds = 0.0
    private var rests = 0

    public init() {}

    /// - Parameter seconds: of a processor that the process has used since its start.
    /// - Returns: at the first rest after work, and now and then in a long one.
    public mutating func isDue(after seconds: Double) -> Bool {
        defer { busySeconds = seconds }
        guard (seconds - busySeconds) / Double(Self.interval) < Self.restingShare else {
            rests = 0
            return false
        }
        rests += 1
        return rests % Self.most == 1
    }
}
