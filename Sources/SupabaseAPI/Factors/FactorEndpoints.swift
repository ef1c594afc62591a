// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird

/// `/factors`: the second factors of whoever is signed in.
enum FactorEndpoints {
    /// `POST /factors`
    static func enroll(_ call: DialectCall) async throws -> Response {
        let user = try known(call)
        let new: NewFactor
        let name = try call.body.text("friendly_name") ?? ""
        switch try call.body.text("factor_type") {
        case "totp":
            try requireEnrolment(.totp, "totp", "TOTP", call)
            new = .totp(issuer: try call.body.text("issuer") ?? issuer(call))
        case "phone":
            try requireEnrolment(.phone, "phone", "Phone", call)
            guard let phone = try call.body.phone() else {
                throw WireError.validation("Phone number required to enroll phone factor")
            }
            new = .phone(phone)
        case "webauthn":
            try requireEnrolment(.webAuthn, "webauthn", "WebAuthn", call)
            new = .webAuthn
        default: throw WireError.validation("factor_type needs to be totp, phone, or webauthn")
        }
        let enrolled = try await said(.forbidden, "AAL2 required to enroll a new factor") {
            try await call.accounts.enrolFactor(new, named: name, for: user, call: call.flow)
        }
        var json: JSONObject = [
            "id": .string(enrolled.factor.id.rawValue), "type": .string(enrolled.factor.kind.rawValue),
        ]
        // Also where there is none: the vendor's clients insist.
        json["friendly_name"] = .string(name)
        if let authenticator = enrolled.authenticator {
            json["totp"] = [
                "qr_code": .string(try authenticator.svg()), "secret": .string(authenticator.secret.reveal()),
                "uri": .string(authenticator.uri.reveal()),
            ]
        }
        if case .phone(let number) = enrolled.factor.credential { json["phone"] = .string(number.digits) }
        return Answer.object(json)
    }

    /// `POST /factors/{id}/challenge`
    static func challenge(_ call: DialectCall) async throws -> Response {
        let (user, factor) = try await own(call)
        try requireVerification(of: factor.kind, call)
        if factor.kind == .phone { try MessageChannel.check(call.body) }
        if factor.kind == .webAuthn { return try await SecurityKeyEndpoints.challenge(factor, of: user, call) }
        let challenge = try await call.accounts.challengeFactor(factor.id, of: user, call: call.flow)
        return Answer.object([
            "id": .string(challenge.id.rawValue), "type": .string(factor.kind.rawValue),
            "expires_at": .integer(challenge.expiresAt.seconds),
        ])
    }

    /// `POST /factors/{id}/verify`
    static func verify(_ call: DialectCall) async throws -> Response {
        if let issued = try await verifiedAtOnce(call) { return try await call.answer(issued) }
        let call = try await call.identified()
        let (user, factor) = try await own(call)
        try requireVerification(of: factor.kind, call)
        guard let challenge = try call.body.text("challenge_id"), UUIDText.accepts(challenge) else {
            throw WireError.validation("challenge_id must be an UUID")
        }
        let challengeID = FactorChallengeID(challenge.lowercased())
        if factor.kind == .webAuthn {
            return try await SecurityKeyEndpoints.verify(factor, challengeID, of: user, call)
        }
        guard let code = try call.body.text("code") else { throw WireError.validation("Code needs to be non-empty") }
        let issued = try await said(.forbidden, "AAL2 required to verify a new factor") {
            try await call.accounts.stepUp(
                .code(code, of: factor.id, challenge: challengeID), of: user,
                call: call.flow)
        }
        return try await call.answer(issued)
    }

    /// Takes a code in one transaction, which looks up who shows it.
    ///
    /// - Returns: `nil` for anything else, and where the factor is none that can be asked now: what that is called is
    ///   said one by one.
    private static func verifiedAtOnce(_ call: DialectCall) async throws -> IssuedSession? {
        guard case .token(let subject) = call.caller, call.body.object["webauthn"] == nil,
            let factor = try? factorID(call), let code = try? call.body.text("code"),
            let challenge = try? call.body.text("challenge_id"), UUIDText.accepts(challenge)
        else { return nil }
        let proof = FactorProof.code(code, of: factor, challenge: FactorChallengeID(challenge.lowercased()))
        do {
            return try await said(.forbidden, "AAL2 required to verify a new factor") {
                try await CallerAuthentication.said {
                    try await call.accounts.stepUp(proof, of: subject, call: call.flow) { user, session in
                        guard session.grant == nil else { throw CallerAuthentication.isClient }
                        try requireKnown(user)
                    }
                }
            }
        } catch let error as AuthError
            where [.factorNotFound, .factorDisabled, .factorLocked].contains(error.code)
        {
            return nil
        }
    }

    /// `DELETE /factors/{id}`
    static func unenroll(_ call: DialectCall) async throws -> Response {
        let (user, factor) = try await own(call)
        let removed = try await said(.unprocessableContent, "AAL2 required to unenroll verified factor") {
            try await call.accounts.userFactors.remove(factor.id, of: user, call: call.flow)
        }
        return Answer.object(["id": .string(removed.id.rawValue)])
    }

    // MARK: What comes first

    /// Who is signed in by something of their own.
    static func known(_ call: DialectCall) throws -> AuthenticatedUser {
        let user = try call.user()
        try requireKnown(user.user)
        return user
    }

    private static func requireKnown(_ user: User) throws(WireError) {
        guard !user.isAnonymous else {
            throw WireError(.forbidden, "no_authorization", "Anonymous user not allowed to perform these actions")
        }
    }

    private static func own(_ call: DialectCall) async throws -> (AuthenticatedUser, Factor) {
        let user = try known(call)
        let id = try factorID(call)
        guard let factor = try await call.accounts.userFactors.find(id, of: user.user.id, call: call.flow) else {
            throw AuthError(.factorNotFound)
        }
        return (user, factor)
    }

    static func factorID(_ call: DialectCall) throws -> FactorID {
        guard let text = call.partID, UUIDText.accepts(text) else {
            throw WireError(.notFound, "validation_failed", "factor_id must be an UUID")
        }
        return FactorID(text.lowercased())
    }

    private static func requireEnrolment(
        _ kind: Factor.Kind, _ code: String, _ name: String, _ call: DialectCall
    ) throws(WireError) {
        guard call.flow.settings.factors.use(of: kind) == .on else { throw notEnabled(code, name) }
    }

    private static func requireVerification(of kind: Factor.Kind, _ call: DialectCall) throws(WireError) {
        guard call.flow.settings.factors.use(of: kind) == .off else { return }
        throw WireError(
            .unprocessableContent, "mfa_\(kind.rawValue)_verify_not_enabled",
            "MFA verification is disabled for this factor")
    }

    private static func notEnabled(_ code: String, _ name: String) -> WireError {
        WireError(.unprocessableContent, "mfa_\(code)_enroll_not_enabled", "MFA enroll is disabled for \(name)")
    }

    /// The platform says one refusal by another status at each of its operations.
    static func said<Value>(
        _ status: HTTPResponse.Status, _ message: String, _ work: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await work()
        } catch let error as AuthError where error.code == .insufficientAssurance {
            throw WireError(status, "insufficient_aal", message)
        }
    }

    /// Where nobody says otherwise: the host of the app.
    private static func issuer(_ call: DialectCall) -> String? {
        if let issuer = call.flow.settings.factors.issuer { return issuer }
        guard let site = call.flow.settings.siteURL, let start = site.firstRange(of: "://") else { return nil }
        let host = site[start.upperBound...].prefix { !"/:?#".contains($0) }
        return host.isEmpty ? nil : String(host)
    }
}
