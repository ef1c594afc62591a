// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// One program of the operator's, which is told or asked of what happens here. Where it is, and how long it may take,
/// is its own: nobody who calls it says so.
public protocol HookCalling: Sendable {
    /// Posts JSON once, and follows no redirect.
    ///
    /// - Returns: whatever it answered, of at most ``HookReply/limit`` bytes.
    func post(_ body: [UInt8], fields: [(name: String, value: String)]) async throws(HookCallFailure) -> HookReply
}

public struct HookReply: Sendable {
    /// Bytes of an answer.
    public static let limit = 200 << 10

    public var status: Int
    /// The media type in lower case, without parameters; empty where there is none.
    public var type: String
    public var body: [UInt8]

    public init(status: Int, type: String = "application/json", body: [UInt8] = []) {
        self.status = status
        self.type = type
        self.body = body
    }
}

/// Why a program gave no answer. Quotes nothing of it.
public enum HookCallFailure: String, Error, Sendable, Hashable {
    /// No connection, it broke, or its address is none that may be called.
    case unreachable
    case timedOut = "timed out"
    case tooLarge = "answer too large"
    /// So many calls wait for it already that another would only wait too.
    case busy = "too many calls wait for it"
    /// Whoever asked has gone.
    case cancelled
}
