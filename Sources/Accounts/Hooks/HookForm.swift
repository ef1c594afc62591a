// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// How one vendor's hooks look on the wire. Each dialect that has such makes one.
public protocol HookForm: Sendable {
    /// What the vendor calls them, and when they are asked.
    static var hooks: [String: HookMoment] { get }
    /// In seconds, what the vendor waits.
    static var timeout: Int64 { get }
    /// Whether a key of the operator's signs. Where not, the form has a signature of its own.
    static var needsSecrets: Bool { get }

    /// The body of a question; `nil` where the vendor does not ask it.
    ///
    /// - Parameters:
    ///   - hook: as it is configured.
    ///   - id: of this question alone.
    func body(_ question: HookQuestion, hook: BlockingHook, id: String) async throws -> [UInt8]?

    /// Judges an answer with status 2xx, or with another that the vendor reads.
    ///
    /// - Throws: ``AuthErrorCode/hookFailed`` for what is no answer: ``HookFailure``.
    func answer(_ reply: HookReply, to question: HookQuestion, hook: BlockingHook) throws(AuthError) -> HookAnswer
}

/// Why there is no answer: the field of ``AuthErrorCode/hookFailed``, by which a dialect says it.
public enum HookFailure: String, Sendable, CaseIterable {
    case timedOut = "timed_out"
    case unreachable
    case tooLarge = "too_large"
    /// Another status than one that carries an answer; a redirect too.
    case status
    /// Not JSON by its type.
    case contentType = "content_type"
    /// JSON that is no answer to what was asked.
    case malformed

    public func error(_ reason: String? = nil) -> AuthError {
        AuthError(.hookFailed, reason: reason, field: rawValue)
    }
}
