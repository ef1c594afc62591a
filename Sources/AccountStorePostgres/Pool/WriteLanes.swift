// SPDX-License-Identifier: Apache-2.0

/// How many writes a pool has under way at once. A serializable transaction that meets another one is run again, and
/// where many meet (all rows of a small table are on one page of its index, which is what PostgreSQL watches) each that
/// runs beside makes it likelier: then fewer get more done. Where they do not meet there are as many as there are
/// connections.
///
/// Fewer at once by half with each that met, more by a little with each that did not: one in a hundred that meet keep a
/// dozen at work, one in three keep one.
struct WriteLanes: Sendable {
    private static let gain = 1.0 / 16

    private let maximum: Double
    private var limit: Double
    private(set) var writing = 0

    /// - Parameter maximum: 1 or more.
    init(maximum: Int) {
        self.maximum = Double(max(1, maximum))
        limit = self.maximum
    }

    /// Whether one more may begin.
    var hasRoom: Bool { writing < Int(limit) }

    mutating func begin() { writing += 1 }

    mutating func end() { writing -= 1 }

    /// One was committed that nobody had come between.
    mutating func didCommit() { limit = min(maximum, limit + Self.gain) }

    /// One is to be run again, since another came between.
    mutating func didMeet() { limit = max(1, limit / 2) }
}
