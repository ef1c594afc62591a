// SPDX-License-Identifier: Apache-2.0

import Accounts
import AuthTypes

/// One hook as the variables of the platform's container configure it (`GOTRUE_HOOK_{NAME}_…`).
public struct SelfHostedHook: Sendable {
    /// As the variables name them.
    static let names = SupabaseHookForm.hooks.keys.sorted().map(variableName)

    /// As ``SupabaseHookForm/hooks`` names it.
    public var hook: String
    public var url: String
    public var secrets: [WebhookSecret]
    /// By which an operator finds what is the matter with its address.
    public var variable: String

    /// What the variables said, before it is judged.
    struct Fields: Sendable {
        var isEnabled = false
        var url: String?
        var secrets: Secret<String>?
    }

    static func variableName(_ hook: String) -> String {
        String(hook.map { $0 == "-" ? "_" : Character(String($0).uppercased()) })
    }

    static func variable(_ hook: String, _ detail: String) -> String {
        "GOTRUE_HOOK_\(variableName(hook))_\(detail)"
    }

    /// - Returns: `nil` where it is not switched on.
    /// - Throws: ``AuthErrorCode/invalidRequest`` whose field is the variable. A function of the platform's database is
    ///   refused: nobody would ask it, and what it protects would go on without.
    init?(_ fields: Fields, hook: String) throws(AuthError) {
        guard fields.isEnabled else { return nil }
        variable = Self.variable(hook, "URI")
        guard let url = fields.url, url.hasPrefix("https://") || url.hasPrefix("http://") else {
            throw AuthError(
                .invalidRequest, reason: "expected an https URL: there is no database whose functions could be asked",
                field: variable)
        }
        self.hook = hook
        self.url = url
        let texts = (fields.secrets?.reveal() ?? "").split(separator: "|").map { String($0) }
        guard (1...4).contains(texts.count) else {
            throw AuthError(
                .invalidRequest, reason: "one to four are needed, with | between them",
                field: Self.variable(hook, "SECRETS"))
        }
        secrets = []
        for text in texts {
            do {
                secrets.append(try WebhookSecret(text))
            } catch {
                throw AuthError(.invalidRequest, reason: error.reason, field: Self.variable(hook, "SECRETS"))
            }
        }
    }
}

extension SelfHostedEnvironment {
    static let hookVariables: [SelfHostedVariable] = SupabaseHookForm.hooks.keys.sorted().flatMap { hook in
        [
            SelfHostedVariable.server(SelfHostedHook.variable(hook, "ENABLED")) {
                environment, value throws(AuthError) in
                environment.hookFields[hook, default: .init()].isEnabled = try flag(value)
            },
            .server(SelfHostedHook.variable(hook, "URI")) { environment, value throws(AuthError) in
                environment.hookFields[hook, default: .init()].url = value
            },
            .server(SelfHostedHook.variable(hook, "SECRETS")) { environment, value throws(AuthError) in
                environment.hookFields[hook, default: .init()].secrets = Secret(value)
            },
        ]
    }

    mutating func finishHooks() throws(AuthError) {
        for (hook, fields) in hookFields.sorted(by: { $0.key < $1.key }) {
            if let hook = try SelfHostedHook(fields, hook: hook) { hooks.append(hook) }
        }
    }
}
