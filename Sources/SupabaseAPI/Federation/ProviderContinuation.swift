// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What is kept while a browser is away at a provider: where it goes in the end, and how.
struct ProviderContinuation: Sendable, Hashable {
    /// Was allowed when the browser was sent away.
    var redirectTo: String
    /// `nil` for the implicit flow, in which the browser is given the session itself.
    var challenge: CodeChallenge?

    init(redirectTo: String, challenge: CodeChallenge?) {
        self.redirectTo = redirectTo
        self.challenge = challenge
    }

    /// `nil` for what another dialect goes on with.
    init?(_ json: JSONObject) {
        guard let redirectTo = json["redirect_to"]?.stringValue else { return nil }
        self.redirectTo = redirectTo
        challenge = json["code_challenge"]?.stringValue.flatMap(CodeChallenge.init)
    }

    var json: JSONObject {
        var json: JSONObject = ["redirect_to": .string(redirectTo)]
        json["code_challenge"] = challenge.map { .string($0.rawValue) }
        return json
    }
}
