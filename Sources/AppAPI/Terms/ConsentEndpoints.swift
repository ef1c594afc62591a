// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird
import ServerKit

/// `/v1/account/consents`: what the user has agreed and consented to (G-11).
///
/// `consents` of the answer, and the body of a change, are of the form in which `LatchkeyClient` keeps a decision:
/// purposes by name, each true or false, and a `version` of that form.
enum ConsentEndpoints {
    private static let version: JSONValue = 1
    private static let versionName = "version"

    /// `GET /v1/account/consents`
    static func get(_ call: AppCall) async throws -> Response {
        let user = try await call.authenticated.user
        return answer(try await call.accounts.userConsents.list(of: user.id, call: call.flow), call)
    }

    /// `PATCH /v1/account/consents`: what is not named stays as it is.
    static func update(_ call: AppCall) async throws -> Response {
        let authenticated = try await call.authenticated
        let words = try words(await RequestReading.object(of: call.request))
        let states = try await call.accounts.userConsents.change(
            words, of: authenticated.user.id, in: authenticated.session, call: call.flow)
        return answer(states, call)
    }

    /// `GET /v1/account/consents/history`: every word, the newest first.
    static func history(_ call: AppCall) async throws -> Response {
        try await history(of: try await call.authenticated.user.id, call)
    }

    /// `GET /v1/admin/users/{id}/consents`: the same of a user, for who must show that somebody agreed.
    static func administered(_ call: AppCall) async throws -> Response {
        guard let id = call.id, id.utf8.count <= 128 else { throw AuthError(.userNotFound) }
        return try await history(of: UserID(id), call)
    }

    private static func history(of user: UserID, _ call: AppCall) async throws -> Response {
        let query = try PageQuery(try RequestReading.query(of: call.request))
        let (said, hasMore) = try await call.accounts.userConsents.history(
            of: user, after: try query.position.map(position), limit: query.limit, call: call.flow)
        let next = hasMore ? said.last.map { "\($0.at.microseconds).\($0.sequence).\($0.terms.name)" } : nil
        return AppAPI.answer([
            "history": .array(said.map { .object(document($0)) }), "nextCursor": PageQuery.cursor(next),
        ])
    }

    private static func words(_ body: JSONObject) throws(AuthError) -> [ConsentWord] {
        var words: [ConsentWord] = []
        for member in body.members {
            switch member.value {
            case version where member.name == versionName: continue
            case .bool(let isGiven): words.append(ConsentWord(name: member.name, isGiven: isGiven))
            case .object(let word):
                guard let isGiven = word["given"]?.boolValue,
                    word.names.allSatisfy({ $0 == "given" || $0 == versionName }),
                    word[versionName] == nil || word[versionName]?.stringValue != nil
                else { throw AuthError(.invalidRequest, field: "consents") }
                words.append(
                    ConsentWord(name: member.name, isGiven: isGiven, version: word[versionName]?.stringValue))
            default: throw AuthError(.invalidRequest, field: "consents")
            }
        }
        return words
    }

    private static func answer(_ states: [ConsentState], _ call: AppCall) -> Response {
        let language = call.flow.language
        var flat: JSONObject = [versionName: version]
        for state in states where state.terms.kind == .purpose { flat[state.terms.name] = .bool(state.isGiven) }
        func list(_ kind: Terms.Kind) -> JSONValue {
            .array(states.filter { $0.terms.kind == kind }.map { .object(document($0, language)) })
        }
        return AppAPI.answer([
            "consents": .object(flat), "purposes": list(.purpose), "documents": list(.document),
        ])
    }

    private static func document(_ state: ConsentState, _ language: MessageLanguage) -> JSONObject {
        let text = state.terms.text(in: language)
        return [
            "name": .string(state.terms.name), "version": .string(state.terms.version),
            "title": text.map { .string($0.title) } ?? .null,
            "url": text?.url.map { .string($0) } ?? .null, "demanded": .bool(state.terms.isDemanded),
            "given": .bool(state.isGiven), "answered": .bool(state.isAnswered),
            "saidVersion": state.said.map { .string($0.terms.version) } ?? .null,
            "saidAt": state.said.map { .string($0.at.rfc3339) } ?? .null,
        ]
    }

    private static func document(_ said: Agreement) -> JSONObject {
        [
            "name": .string(said.terms.name), "version": .string(said.terms.version), "given": .bool(said.isGiven),
            "occasion": .string(said.occasion.rawValue), "dialect": said.dialect.map { .string($0.rawValue) } ?? .null,
            "client": said.clientID.map { .string($0.rawValue) } ?? .null, "at": .string(said.at.rfc3339),
        ]
    }

    private static func position(_ text: String) throws(AuthError) -> AgreementPosition {
        let parts = text.split(separator: ".", maxSplits: 2)
        guard parts.count == 3, let time = Int64(parts[0]), let sequence = Int64(parts[1]) else {
            throw AuthError(.invalidRequest, field: "cursor")
        }
        return AgreementPosition(at: Instant(microseconds: time), name: String(parts[2]), sequence: sequence)
    }
}
