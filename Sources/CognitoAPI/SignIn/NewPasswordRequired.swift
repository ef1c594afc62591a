// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// `NEW_PASSWORD_REQUIRED`: a user whose password an administrator chose picks their own.
enum NewPasswordRequired {
    /// The service's model takes a `Session` of 20 to 2048 characters.
    static let sessionLengths = 20...2048

    /// The ticket of the sign-in is the challenge's `Session`.
    static func challenge(_ pending: PendingSignIn, _ call: DialectCall) -> JSONObject {
        let user = pending.record.user
        let pairs = UserAttributeList.pairs(user, in: call.attributeView).filter { $0.name != "sub" }
        var attributes = JSONObject()
        for pair in pairs { attributes[pair.name] = .string(pair.value) }
        let missing = call.pool.schema.filter { $0.isRequired && $0.name != "sub" && attributes[$0.name] == nil }
        let required = JSONValue.array(missing.map { .string("userAttributes." + $0.name) })
        return [
            "ChallengeName": "NEW_PASSWORD_REQUIRED",
            "Session": .string(pending.ticket.reveal()),
            // Both are JSON within a text.
            "ChallengeParameters": [
                "USER_ID_FOR_SRP": .string(user.sub),
                "requiredAttributes": .string(required.text),
                "userAttributes": .string(attributes.text),
            ],
        ]
    }

    static func answer(_ call: DialectCall, _ responses: Parameters) async throws -> JSONObject {
        let name = try responses.username()
        try SecretHash.require(responses["SECRET_HASH"], username: name, client: try call.client())
        let password = Secret(try responses.required("NEW_PASSWORD"))
        let session = try call.input.required(Member("Session", sessionLengths, sensitive: true))
        do {
            let ticket = try SignInTicket(session, for: .newPassword, call: call.flow)
            guard let named = try await call.find(try call.identifier(ofUsername: name)), named.id == ticket.user else {
                throw AuthError(.flowStateNotFound)
            }
            let changes = try changes(responses, of: named, call)
            return try await call.answer(
                try await call.accounts.replaceTemporaryPassword(
                    ticket, password: password, userMetadata: changes.shared, attributes: changes.own, call: call.flow))
        } catch let error as AuthError {
            throw refusals[error.code].map(WireError.notAuthorized) ?? error
        }
    }

    private static let refusals: [AuthErrorCode: String] = [
        .flowStateNotFound: "Invalid session for the user.",
        .flowStateExpired: "Invalid session for the user, session is expired.",
        .invalidCredentials: "Invalid session for the user, session can only be used once.",
    ]

    /// What the user fills in on the way. Addresses stay as the administrator gave them.
    private static func changes(
        _ responses: Parameters, of user: User, _ call: DialectCall
    ) throws -> AttributeChanges {
        let list = responses.attributes
        let flags = ["email_verified", "phone_number_verified"]
        // Clients send back the attributes that the challenge showed them.
        let shown = Dictionary(
            UserAttributeList.pairs(user, in: call.attributeView).map { ($0.name, $0.value) }
        ) { first, _ in first }
        let changed = list.filter { element in
            guard let name = element.objectValue?["Name"]?.stringValue else { return true }
            return shown[name] != element.objectValue?["Value"]?.stringValue && !flags.contains(name)
        }
        try call.requireWritable(changed)
        let changes = try AttributeChanges(changed, of: call.pool, byAdministrator: false)
        guard changes.email == nil, changes.phone == nil, !changes.dropsEmail, !changes.dropsPhone else {
            let name = changes.email == nil && !changes.dropsEmail ? "phone_number" : "email"
            throw WireError.notAuthorized("Cannot modify an already provided \(name)")
        }
        // One that is written once may still be, where the administrator left it out.
        for name in changes.names where shown[name] != nil && call.pool.attribute(name)?.isMutable == false {
            throw WireError.parameter("user.\(name): Attribute cannot be updated.\n")
        }
        return changes
    }
}
