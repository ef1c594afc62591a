// SPDX-License-Identifier: Apache-2.0

/// Values that a task's transactions will ask the store by. A store that is a way off can then ask by all of them at
/// once, instead of finding out one by one; nothing else depends on it, and what is never asked by does no harm.
public struct ForeseenValues: Sendable, Hashable {
    /// Those of this task. A value's place says what it is: flows that ask alike name alike.
    @TaskLocal public static var current: ForeseenValues?

    public let texts: [String]
    public let keys: [[UInt8]]
    /// What is done with them: what begins alike and is for the same goes on alike.
    public let purpose: String

    public init(texts: [String] = [], keys: [[UInt8]] = [], for purpose: String = "") {
        self.texts = texts
        self.keys = keys
        self.purpose = purpose
    }
}
