// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Signs in whoever a program of the operator's vouches for (RFC 7521): who it is, the program knows; this server takes
/// its word, which the dialect has judged. A user whom nobody knows yet is made, called as the program calls them
/// (ADR 0024).
public struct AssertedSignIn: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// - Parameters:
    ///   - identifier: what the call's dialect calls the user, or our own identifier. A UUID in lower case, where
    ///     nobody has it, becomes the user's identifier in every dialect.
    ///   - claims: for the tokens of this session.
    /// - Returns: the next step, and whether the user was made.
    /// - Throws: ``AuthErrorCode/signUpDisabled`` for a new user where nobody may sign up,
    ///   ``AuthErrorCode/userBanned``, ``AuthErrorCode/userNotFound`` for an identifier of a deleted user,
    ///   ``AuthErrorCode/metadataTooLarge``.
    public func callAsFunction(
        _ identifier: ExternalIdentifier, claims: JSONObject = [:], call: CallContext
    ) async throws -> (step: SignInStep, isNew: Bool) {
        guard let dialect = call.dialect else {
            throw AuthError(.internalFailure, reason: "an asserted sign-in of no dialect")
        }
        try call.settings.requireBounded(claims, "claims")
        return try await ports.writeBriefly(call) { step in
            let known = try step.tx.user(identifier: identifier.rawValue, in: step.directory)
            let user = try known ?? Self.newcomer(identifier, dialect, step)
            let proof = SignInProof(
                methods: [AuthenticationMethod(.assertion, at: call.now)], assurance: .aal1, claims: claims)
            return (try SessionIssuer(step).conclude(proof, of: user, .stored).get(), known == nil)
        }
    }

    private static func newcomer(
        _ identifier: ExternalIdentifier, _ dialect: DialectName, _ step: FlowStep
    ) throws -> User {
        guard step.settings.signUp.enabled else { throw AuthError(.signUpDisabled) }
        let isOurs = UUIDText.isIdentifier(identifier.rawValue)
        var user = User(
            id: isOurs ? UserID(identifier.rawValue) : step.random.identifier(), directoryID: step.directory,
            externalIdentifiers: isOurs ? ExternalIdentifiers() : ExternalIdentifiers(identifier, in: dialect),
            createdAt: step.now)
        user.origin = .administrator
        try step.tx.insert(user)
        try step.record(.signedUp, user, details: ["by": "assertion"])
        return user
    }
}
