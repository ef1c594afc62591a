// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// How often one client may call an operation. It stands in the dialect's table beside the operation, and the dialect's
/// gateway counts by it before the operation runs. Administrators are not counted.
public enum RouteLimit: Sendable, Hashable {
    case by(ClientLimit)
    /// By the first case that holds for what the call says; by the last limit where none does.
    case first([Case], otherwise: ClientLimit)
    /// Callers are not counted.
    case unlimited(Reason)

    public struct Case: Sendable, Hashable {
        public var condition: RouteCondition
        public var limit: ClientLimit

        public static func when(_ condition: RouteCondition, _ limit: ClientLimit) -> Case {
            Case(condition: condition, limit: limit)
        }
    }

    /// Why an operation that lets anybody in counts nobody.
    public enum Reason: String, Sendable {
        case publicDocument = "a public document, the same for everybody"
        case signedIn = "needs a token of the account that it is about, and guesses at nothing"
        /// What it does guess at is counted by the account.
        case guessesCounted = "needs a token of the account, by which wrong passwords are counted"
        case development = "in development alone, where there are no strangers"
        case administrators = "needs an operator's key, whoever its path lets in"
    }

    /// The limit that a call counts by.
    public func limit(of call: some LimitedCall) -> ClientLimit? {
        switch self {
        case .by(let limit): limit
        case .first(let cases, let otherwise):
            cases.first { $0.condition.holds(for: call) }?.limit ?? otherwise
        case .unlimited: nil
        }
    }

    /// Counts a call that is no administrator's.
    ///
    /// - Throws: ``AuthErrorCode/rateLimited`` with the time to wait.
    public func count(_ call: some LimitedCall, by limits: AccountLimits) throws(AuthError) {
        guard let limit = limit(of: call) else { return }
        try limits.count(limit, call: call.flow)
    }
}

/// What a call must say, for a limit to be the one that it counts by.
public indirect enum RouteCondition: Sendable, Hashable {
    /// The query's parameter is one of these.
    case query(String, [String])
    /// The body's member is one of these.
    case member(String, [String])
    /// The body has one of these members.
    case anyMember([String])
    /// In this Directory a link does what it stands for as soon as it is opened (`oneTime.linkConfirms`).
    case linkActsAtOnce
    case all([RouteCondition])

    public func holds(for call: some LimitedCall) -> Bool {
        switch self {
        case .query(let name, let values): call.query[name].map { values.contains($0) } ?? false
        case .member(let name, let values): call.memberText(name).map { values.contains($0) } ?? false
        case .anyMember(let names): names.contains { call.memberText($0) != nil }
        case .linkActsAtOnce: call.flow.settings.oneTime.linkConfirms != .page
        case .all(let conditions): conditions.allSatisfy { $0.holds(for: call) }
        }
    }
}

/// A call as far as its dialect has read it before the operation runs.
public protocol LimitedCall {
    var flow: CallContext { get }
    var query: [String: String] { get }
    /// The text of the body's member as the dialect reads it; empty for one that is no text, `nil` where there is none.
    func memberText(_ name: String) -> String?
}
