// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// `sessionInfo` of a second factor: which one is to be proved, and by what it was asked for. Nothing is granted by it:
/// it is good in the session or the sign-in alone that it was given in.
struct FactorSessionInfo: Sendable {
    /// In no UUID.
    private static let separator = UInt8(ascii: ".")

    let factor: FactorID
    /// `nil` for an authenticator app.
    let challenge: FactorChallengeID?

    init(_ factor: FactorID, _ challenge: FactorChallengeID? = nil) {
        self.factor = factor
        self.challenge = challenge
    }

    /// - Throws: `INVALID_SESSION_INFO`.
    init(_ text: String) throws(WireError) {
        let parts = text.utf8.split(separator: Self.separator, maxSplits: 1, omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        guard let first = parts.first, parts.allSatisfy(UUIDText.isIdentifier) else { throw Self.invalid }
        factor = FactorID(first)
        challenge = parts.count == 2 ? FactorChallengeID(parts[1]) : nil
    }

    var text: String { challenge.map { "\(factor.rawValue).\($0.rawValue)" } ?? factor.rawValue }

    static let invalid = WireError("INVALID_SESSION_INFO")
}

/// What a client shows of a second factor.
struct GivenFactorCode: Sendable {
    enum Kind: Sendable {
        case totp
        case phone

        /// The member that a proof of it is answered by.
        var answer: String { self == .totp ? "totpAuthInfo" : "phoneAuthInfo" }
    }

    let kind: Kind
    /// `nil` where none was given, as an app's code at a sign-in has none.
    let session: FactorSessionInfo?
    let code: String

    /// - Throws: ``AuthErrorCode/invalidRequest`` for neither or both kinds; `MISSING_SESSION_INFO`, `MISSING_CODE`,
    ///   `INVALID_SESSION_INFO`.
    init(_ body: Input, needsSession: Bool) throws {
        let totp = try body.members("totpVerificationInfo")
        let phone = try body.members("phoneVerificationInfo")
        guard let info = totp ?? phone, totp == nil || phone == nil else { throw AuthError(.invalidRequest) }
        kind = totp == nil ? .phone : .totp
        session = try info.given("sessionInfo").map { text throws(WireError) in try FactorSessionInfo(text) }
        if session == nil, needsSession || kind == .phone { throw WireError("MISSING_SESSION_INFO") }
        guard let code = try info.given(kind == .totp ? "verificationCode" : "code") else {
            throw WireError("MISSING_CODE")
        }
        self.code = code
    }
}
