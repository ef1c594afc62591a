// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// A kind of second factor, in the service's word for it: the name of its challenge too.
enum MFAType: String, Sendable, CaseIterable {
    case softwareToken = "SOFTWARE_TOKEN_MFA"
    case textMessage = "SMS_MFA"
    case mail = "EMAIL_OTP"

    /// `nil` for a kind that this protocol's clients do not know as a second factor.
    init?(_ kind: Factor.Kind) {
        switch kind {
        case .totp: self = .softwareToken
        case .phone: self = .textMessage
        case .email: self = .mail
        case .webAuthn: return nil
        }
    }

    var kind: Factor.Kind {
        switch self {
        case .softwareToken: .totp
        case .textMessage: .phone
        case .mail: .email
        }
    }

    /// The member of `ChallengeResponses` that has the code.
    var codeParameter: String { rawValue + "_CODE" }

    /// Of several factors, each type once.
    static func types(of kinds: [Factor.Kind]) -> [MFAType] { allCases.filter { kinds.contains($0.kind) } }

    /// A list within a parameter, which is JSON within a text.
    static func list(_ types: [MFAType]) -> JSONValue {
        .string(JSONValue.array(types.map { .string($0.rawValue) }).text)
    }
}

extension DialectCall {
    /// `UserMFASettingList` and `PreferredMfaSetting`: what the user is asked for, whichever dialect it was set up
    /// through.
    func addFactors(of user: User, to json: inout JSONObject) async throws {
        let factors = try await accounts.userFactors.choices(of: user, call: flow).factors
        let types = MFAType.types(of: factors.map(\.kind))
        if !types.isEmpty { json["UserMFASettingList"] = .array(types.map { .string($0.rawValue) }) }
        let preferred = factors.first(where: \.isPreferred).flatMap { MFAType($0.kind) }
        json["PreferredMfaSetting"] = preferred.map { .string($0.rawValue) }
    }
}
