// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird

/// `/oauth/authorizations/{id}`: what the page of the site asks its user, and what the user says.
enum AuthorizationEndpoints {
    /// `GET`: the question, or where to go if it was answered before.
    static func get(_ call: DialectCall) async throws -> Response {
        try requireOwnOrigin(call)
        let holder = try call.user()
        let step = try await known(completed: "authorization request cannot be processed") {
            try await call.accounts.siteAuthorization.look(at: id(of: call), by: holder, call: call.flow)
        }
        switch step {
        case .respond(let response): return Answer.object(["redirect_url": .string(response.target)])
        case .question(let pending, let client):
            guard let client = OAuthClient(client) else { throw unknown }
            var user: JSONObject = ["id": .string(holder.user.identifier(in: SupabaseDialect.name))]
            user["email"] = holder.user.email.map { .string($0.rawValue) }
            return Answer.object([
                "authorization_id": .string(pending.id.rawValue),
                "redirect_uri": .string(pending.request.redirectURI ?? ""), "client": .object(client.details),
                "user": .object(user), "scope": .string(pending.request.scopes.joined(separator: " ")),
            ])
        }
    }

    /// `POST …/consent`
    static func consent(_ call: DialectCall) async throws -> Response {
        try requireOwnOrigin(call)
        let holder = try call.user()
        let answer: AnswerConsent.Answer
        switch try call.body.text("action") {
        case "approve": answer = .allow()
        case "deny": answer = .deny
        default: throw WireError.validation("action must be 'approve' or 'deny'")
        }
        let response = try await known(completed: "authorization request is no longer pending") {
            try await call.accounts.siteAuthorization.answer(id(of: call), answer, by: holder, call: call.flow)
        }
        return Answer.object(["redirect_url": .string(response.target)])
    }

    private static func id(of call: DialectCall) -> PendingAuthorizationID { PendingAuthorizationID(call.partID ?? "") }

    private static let unknown = WireError(.notFound, "oauth_authorization_not_found", "authorization not found")

    /// What is not there any more, was somebody else's from the beginning, or is of a client that is gone: all one.
    private static func known<Value>(
        completed message: String, _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch let refusal as AuthorizationRefusal {
            if refusal.staleness == .completed { throw WireError.validation(message) }
            throw unknown
        }
    }

    /// A script of another site that got hold of a token asks for nothing here. Programs send no `Origin`.
    private static func requireOwnOrigin(_ call: DialectCall) throws(WireError) {
        guard let origin = call.headers[.origin] else { return }
        guard RedirectPolicy(call.flow.settings).allows(origin) else {
            throw .validation("unauthorized request origin")
        }
    }
}
