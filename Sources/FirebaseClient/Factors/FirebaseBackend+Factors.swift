// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// `v2/accounts/mfaEnrollment`: second factors of who is signed in. The service raises no session that is there: the
/// user signs in anew (``reauthenticate(_:with:)``).
extension FirebaseBackend: SecondFactorBackend {
    /// `accounts:lookup`. Whether the session has shown one stands in its token.
    public func secondFactors(_ tokens: TokenSet) async throws(AuthError) -> SecondFactors {
        let answer = try await service.ask("accounts:lookup", ["idToken": .string(tokens.accessToken.reveal())])
        let user = answer.members["users"]?.arrayValue?.first?.objectValue ?? [:]
        let factors = (user["mfaInfo"]?.arrayValue ?? []).prefix(20)
            .compactMap { FirebaseFactor($0.objectValue ?? [:])?.factor }
        let own = (try? IDTokenClaims(reading: tokens.accessToken))?.members["firebase"]?.objectValue
        return SecondFactors(factors: factors, isRaised: own.map { $0["sign_in_second_factor"] != nil })
    }

    /// An authenticator app, or a number, to which a code is sent. The service wants a proved address first.
    ///
    /// - Throws: `emailNotVerified`, `reauthenticationNeeded`; `unsupported` for other kinds.
    public func enrol(_ factor: NewSecondFactor, _ tokens: TokenSet) async throws(AuthError) -> EnrolmentStep {
        var body: JSONObject = ["idToken": .string(tokens.accessToken.reveal())]
        switch factor.kind {
        case .authenticator: body["totpEnrollmentInfo"] = [:]
        case .phone:
            guard let number = factor.destination else { throw AuthError(.invalidPhone, field: "destination") }
            body["phoneEnrollmentInfo"] = ["phoneNumber": .string(number)]
        case .email, .securityKey, .passkey, .backupCode, .password:
            throw AuthError(.unsupported, reason: "the service has no such second factor")
        }
        let answer = try await service.ask("accounts/mfaEnrollment:start", body, version: "v2")
        let member = factor.kind == .phone ? "phoneSessionInfo" : "totpSessionInfo"
        let begun = answer.members[member]?.objectValue ?? [:]
        guard let session = begun["sessionInfo"]?.stringValue else {
            throw AuthError(.unavailable, reason: "the service began no enrolment")
        }
        var ticket = ["session": session]
        ticket["name"] = factor.name
        guard factor.kind == .authenticator else {
            return .awaiting(
                FactorEnrolment(kind: .phone, destination: factor.destination, ticket: Secret(ticket)))
        }
        guard let secret = begun["sharedSecretKey"]?.stringValue.map({ Secret($0) }) else {
            throw AuthError(.unavailable, reason: "the service gave no secret")
        }
        return .awaiting(
            FactorEnrolment(
                kind: .authenticator, secret: secret, uri: factor.label?.uri(of: secret), ticket: Secret(ticket)))
    }

    /// Its tokens take the place of the session's: the service ends the others.
    public func confirm(
        _ enrolment: FactorEnrolment, with code: Secret<String>, _ tokens: TokenSet
    ) async throws(AuthError) -> SessionGrant? {
        let ticket = enrolment.ticket.reveal()
        let (member, name) =
            enrolment.kind == .phone
            ? ("phoneVerificationInfo", "code") : ("totpVerificationInfo", "verificationCode")
        var body: JSONObject = [
            "idToken": .string(tokens.accessToken.reveal()),
            member: ["sessionInfo": .string(ticket["session"] ?? ""), name: .string(code.reveal())],
        ]
        if let name = ticket["name"] { body["displayName"] = .string(name) }
        return try await service.ask("accounts/mfaEnrollment:finalize", body, version: "v2").session()
    }

    /// - Throws: `reauthenticationNeeded` where the sign-in is too long ago.
    public func removeFactor(_ id: String, _ tokens: TokenSet) async throws(AuthError) -> SessionGrant? {
        try await service.ask(
            "accounts/mfaEnrollment:withdraw",
            ["idToken": .string(tokens.accessToken.reveal()), "mfaEnrollmentId": .string(id)], version: "v2"
        ).session()
    }
}
