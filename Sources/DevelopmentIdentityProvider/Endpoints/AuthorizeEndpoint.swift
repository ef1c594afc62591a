// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// The authorization endpoint (RFC 6749, section 3.1): whoever sits at the browser says who they are, and how it goes
/// on.
enum AuthorizeEndpoint {
    static func get(_ call: Call) async throws -> Response {
        try answering(call) { request in
            let people = call.book.people(at: request.vendor).filter { isLetIn($0, request) }
            guard request.prompts.contains("none") else {
                return ChoosePage(request, people: people, call).response
            }
            // Without a page there has to be no doubt who is meant.
            guard
                let person = people.first(where: { [$0.subject, $0.email].contains(request.loginHint) }),
                request.loginHint != nil
            else {
                throw AuthorizationRequest.Told(request, "login_required", "Nobody is signed in")
            }
            return agree(person, .normal, to: request, call)
        }
    }

    static func post(_ call: Call) async throws -> Response {
        try FormToken.requireOwnForm(call.headers, authority: call.authority, url: call.url)
        return try answering(call) { request in
            switch call["answer"] {
            case "cancel":
                throw AuthorizationRequest.Told(
                    request, request.vendor == .apple ? "user_cancelled_authorize" : "access_denied",
                    "The user did not agree")
            case "fail":
                throw AuthorizationRequest.Told(request, "server_error", "The provider failed, as it was told to")
            default: break
            }
            guard let behaviour = Behaviour(rawValue: call["behaviour"] ?? Behaviour.normal.rawValue) else {
                throw OAuthError(.badRequest, "invalid_request", "The behaviour is not known")
            }
            let people = call.book.people(at: request.vendor)
            let person: Person
            if let subject = call["account"] {
                guard let known = people.first(where: { $0.subject == subject }) else {
                    throw OAuthError(.badRequest, "invalid_request", "There is no such account")
                }
                person = known
            } else {
                person = try TypedPerson.read(call, at: request.vendor)
                call.book.add(person, at: request.vendor)
            }
            guard isLetIn(person, request) else {
                throw AuthorizationRequest.Told(request, "access_denied", "The account is of another directory")
            }
            return agree(person, behaviour, to: request, call)
        }
    }

    /// Judges the request anew each time, and tells the app what it is told.
    private static func answering(
        _ call: Call, _ answer: (AuthorizationRequest) throws -> Response
    ) throws -> Response {
        do {
            return try answer(AuthorizationRequest(call))
        } catch let error as AuthorizationRequest.Told {
            return AuthorizationReply(error, url: call.url).response(in: call.language)
        }
    }

    private static func agree(
        _ person: Person, _ behaviour: Behaviour, to request: AuthorizationRequest, _ call: Call
    ) -> Response {
        let isFirst = call.book.agree(person, at: request.vendor, to: request.clientID)
        var grant = Grant(
            vendor: request.vendor, clientID: request.clientID, person: person, scopes: request.scopes,
            nonce: request.nonce, redirectURI: request.redirectURI, challenge: request.challenge,
            signedInAt: call.now)
        grant.behaviour = behaviour
        // Google's are given once, and again to whoever asks for the consent anew.
        grant.isOffline =
            request.vendor == .apple
            || request.isOffline
                && (request.vendor != .google || isFirst || request.prompts.contains("consent"))
        let code = call.book.code(for: grant, at: call.now)
        return AuthorizationReply(code: code, of: person, to: request, isFirst: isFirst, url: call.url)
            .response(in: call.language)
    }

    /// Whether the account is of a Microsoft directory that was asked.
    private static func isLetIn(_ person: Person, _ request: AuthorizationRequest) -> Bool {
        guard request.vendor == .microsoft else { return true }
        return switch request.tenant {
        case "common": true
        case "organizations": person.tenant != Person.consumers
        case "consumers": person.tenant == Person.consumers
        default: person.tenant == request.tenant
        }
    }
}
