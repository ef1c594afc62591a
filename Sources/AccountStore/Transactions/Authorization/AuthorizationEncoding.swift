// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// How a request for a code is kept: no statement asks for a part of it, so it is JSON text.
enum AuthorizationEncoding {
    static func json(_ request: AuthorizationRequest) -> JSONObject {
        var json: JSONObject = ["scopes": JSONObject.texts(request.scopes)]
        json["client"] = request.clientID.map { .string($0.rawValue) }
        json["redirect_uri"] = request.redirectURI.map { .string($0) }
        json["nonce"] = request.nonce.map { .string($0) }
        json["challenge"] = request.challenge.map { .string($0.rawValue) }
        if !request.resources.isEmpty { json["resources"] = JSONObject.texts(request.resources) }
        if !request.claims.isEmpty { json["claims"] = .object(request.claims) }
        json["dpop_key"] = request.dpopKey.map { .string($0) }
        return json
    }

    static func request(_ json: JSONObject, column: Int) throws -> AuthorizationRequest {
        let challenge = try json["challenge"]?.stringValue.map { text in
            guard let challenge = CodeChallenge(text) else { throw StoredRowError(column: column) }
            return challenge
        }
        return AuthorizationRequest(
            clientID: json["client"]?.stringValue.map { ClientID($0) }, redirectURI: json["redirect_uri"]?.stringValue,
            scopes: try json.texts("scopes", column: column), nonce: json["nonce"]?.stringValue, challenge: challenge,
            resources: try json.texts("resources", column: column), claims: json["claims"]?.objectValue ?? [:],
            dpopKey: json["dpop_key"]?.stringValue)
    }

    static func json(_ parameters: AuthorizationParameters) -> JSONObject {
        var json: JSONObject = ["response_mode": .string(parameters.responseMode.rawValue)]
        json["state"] = parameters.state.map { .string($0) }
        json["max_age"] = parameters.maxAge.map { .integer($0) }
        json["login_hint"] = parameters.loginHint.map { .string($0) }
        json["hinted_subject"] = parameters.hintedSubject.map { .string($0.rawValue) }
        let lists = [
            ("prompts", parameters.prompts.map(\.rawValue).sorted()), ("ui_locales", parameters.uiLocales),
            ("acr_values", parameters.acrValues),
        ]
        for (name, values) in lists where !values.isEmpty { json[name] = JSONObject.texts(values) }
        return json
    }

    static func parameters(_ json: JSONObject, column: Int) throws -> AuthorizationParameters {
        typealias Parameters = AuthorizationParameters
        guard let mode = (json["response_mode"]?.stringValue).flatMap(Parameters.ResponseMode.init(rawValue:)) else {
            throw StoredRowError(column: column)
        }
        let prompts = try json.texts("prompts", column: column).map { text in
            guard let prompt = Parameters.Prompt(rawValue: text) else { throw StoredRowError(column: column) }
            return prompt
        }
        return AuthorizationParameters(
            state: json["state"]?.stringValue, responseMode: mode, prompts: Set(prompts),
            maxAge: json["max_age"]?.integerValue, loginHint: json["login_hint"]?.stringValue,
            hintedSubject: json["hinted_subject"]?.stringValue.map { UserID($0) },
            uiLocales: try json.texts("ui_locales", column: column),
            acrValues: try json.texts("acr_values", column: column))
    }
}
