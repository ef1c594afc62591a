// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird

/// `accounts:createAuthUri`: how an address signs in, where the project lets that be asked
/// (`emailPrivacyConfig.enableImprovedEmailPrivacy`); with a provider, where to be vouched for (``ProviderAuthURI``).
enum AuthURIEndpoint {
    static func post(_ call: DialectCall) async throws -> Response {
        if let provider = try call.body.given("providerId") {
            return try await ProviderAuthURI.post(ProviderID(provider.lowercased()), call)
        }
        guard let identifier = try call.body.given("identifier") else { throw WireError("MISSING_IDENTIFIER") }
        guard let target = try call.body.given("continueUri") else { throw WireError("MISSING_CONTINUE_URI") }
        guard let email = try? EmailAddress(identifier) else { throw WireError("INVALID_IDENTIFIER") }
        guard target.contains("://") else { throw WireError("INVALID_CONTINUE_URI") }
        var json = Kind.createAuthURI.object
        json["sessionId"] =
            try call.body.given("sessionId").map { .string($0) }
            ?? .string(Base64URL.encode(call.accounts.random.bytes(20)))
        guard !call.flow.settings.signUp.concealsEmails else { return Answer.object(json) }
        let record = try await call.accounts.findUser.record(.email(email), call: call.flow)
        json["registered"] = .bool(record != nil)
        var methods: [JSONValue] = []
        if let record {
            let others = record.identities.filter { !SignInProvider.isLocal($0) }
                .map { JSONValue.string(ProviderID(of: $0).text) }
            if record.user.passwordHash != nil { methods.append("password") }
            if EmailLink.isUsed(by: record) { methods.append("emailLink") }
            let providers: [JSONValue] = (methods.isEmpty ? [] : ["password"]) + others
            if !providers.isEmpty { json["allProviders"] = .array(providers) }
            methods += others
        }
        if !methods.isEmpty { json["signinMethods"] = .array(methods) }
        return Answer.object(json)
    }
}
