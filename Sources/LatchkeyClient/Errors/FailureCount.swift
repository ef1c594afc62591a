// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// This device's own count of sign-ins that failed (G-8.1, G-8.2). A service that locks an identifier answers as if the
/// password were wrong, or it would tell who has an account; the device knows by itself how often it has tried.
///
/// It decides nothing: what is asked is asked. Times are `ClientClock.uptime`, which nobody can set back.
public struct FailureCount: Sendable {
    private struct Entry {
        var failures: [TimeSpan] = []
        var lockedUntil: TimeSpan?
    }

    private let limit: Int
    private let window: TimeSpan
    private let lock: TimeSpan
    private var entries: [String: Entry] = [:]
    /// Identifiers in the order in which they failed last, so that what is kept stays small.
    private var order: [String] = []
    private static let capacity = 16

    /// Five failures within fifteen minutes lock for fifteen, unless others are given (G-8.1).
    public init(limit: Int = 5, window: TimeSpan = .minutes(15), lock: TimeSpan = .minutes(15)) {
        self.limit = max(1, limit)
        self.window = window
        self.lock = lock
    }

    /// - Parameter identifier: as the user wrote it. Case and blanks around it make no difference, as at the service.
    public mutating func failed(_ identifier: String, at now: TimeSpan) {
        let name = Self.name(identifier)
        var entry = entries[name] ?? Entry()
        if let end = entry.lockedUntil {
            // As at the service: what is tried during a lock does not make it longer.
            if now < end { return }
            entry = Entry()
        }
        entry.failures.removeAll { Self.span(from: $0, to: now) >= window }
        entry.failures.append(now)
        if entry.failures.count >= limit {
            entry.lockedUntil = TimeSpan(microseconds: now.microseconds &+ lock.microseconds)
        }
        entries[name] = entry
        order.removeAll { $0 == name }
        order.append(name)
        if order.count > Self.capacity { entries[order.removeFirst()] = nil }
    }

    /// Forgets the failures of who has signed in.
    public mutating func succeeded(_ identifier: String) {
        let name = Self.name(identifier)
        entries[name] = nil
        order.removeAll { $0 == name }
    }

    /// How long the identifier is still locked, as far as this device knows.
    public func remainingLock(of identifier: String, at now: TimeSpan) -> TimeSpan? {
        guard let end = entries[Self.name(identifier)]?.lockedUntil, now < end else { return nil }
        return Self.span(from: now, to: end)
    }

    private static func span(from start: TimeSpan, to end: TimeSpan) -> TimeSpan {
        TimeSpan(microseconds: end.microseconds - start.microseconds)
    }

    private static func name(_ identifier: String) -> String {
        let scalars = identifier.unicodeScalars.prefix(320)
        let start = scalars.drop { $0.properties.isWhitespace }
        let end = start.reversed().drop { $0.properties.isWhitespace }
        return String(String.UnicodeScalarView(end.reversed())).lowercased()
    }
}
