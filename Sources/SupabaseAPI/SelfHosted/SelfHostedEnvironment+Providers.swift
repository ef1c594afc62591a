// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import JOSE

extension SelfHostedEnvironment {
    static let federation: [SelfHostedVariable] = [
        .flag("GOTRUE_SECURITY_MANUAL_LINKING_ENABLED", "federation.manualLinking"),
        .duration("GOTRUE_EXTERNAL_FLOW_STATE_EXPIRY_DURATION", "federation.flowLifetime"),
        .flag("GOTRUE_CUSTOM_OAUTH_ENABLED", "federation.customProviders"),
        .whole("GOTRUE_CUSTOM_OAUTH_MAX_PROVIDERS", "federation.customProviderLimit"),
        .server("GOTRUE_EXTERNAL_IOS_BUNDLE_ID") { environment, value throws(AuthError) in
            environment.appleBundleID = value
        },
    ]

    /// What each identity provider has that can be taken over.
    static let providers: [SelfHostedVariable] = SelfHostedProvider.kinds.keys.sorted().flatMap(provider)

    /// Those that ask for something of a provider by a URL; the others are where they always are.
    static let providersWithURL = ["AZURE", "GITHUB", "GITLAB", "KEYCLOAK"]

    private static func provider(_ name: String) -> [SelfHostedVariable] {
        func variable(
            _ detail: String,
            _ take: @escaping @Sendable (inout SelfHostedProvider.Fields, String) throws(AuthError) -> Void
        ) -> SelfHostedVariable {
            .server(SelfHostedProvider.variable(name, detail)) { environment, value throws(AuthError) in
                try take(&environment.providerFields[name, default: .init()], value)
            }
        }
        var variables = [
            variable("ENABLED") { fields, value throws(AuthError) in fields.isEnabled = try flag(value) },
            variable("CLIENT_ID") { fields, value throws(AuthError) in fields.clientIDs = list(value) },
            variable("SECRET") { fields, value throws(AuthError) in fields.secret = Secret(value) },
            variable("REDIRECT_URI") { fields, value throws(AuthError) in fields.redirectURI = value },
            variable("EMAIL_OPTIONAL") { fields, value throws(AuthError) in fields.emailOptional = try flag(value) },
            variable("SKIP_NONCE_CHECK") { fields, value throws(AuthError) in
                fields.skipsNonceCheck = try flag(value)
            },
        ]
        if providersWithURL.contains(name) {
            variables.append(variable("URL") { fields, value throws(AuthError) in fields.url = value })
        }
        return variables
    }

    /// Whether it is what the platform's operators sign every half year: a token whose subject is the client ("Creating
    /// a client secret", Apple Developer Documentation).
    private static func isAppleSecret(_ secret: Secret<String>, of client: String) -> Bool {
        guard let parsed = try? ParsedJWS(parsing: secret.reveal().utf8),
            let claims = try? JWTClaims(parsing: parsed.payload)
        else { return false }
        return parsed.header.algorithm == .es256 && claims.subject == client && claims.expiresAt != nil
            && claims.audience.contains("https://appleid.apple.com")
    }

    /// Judges what was read of the providers. One that is on and that nobody can be sent to stays off, as on the
    /// platform, where whoever asks for it is told so.
    mutating func finishProviders() throws(AuthError) {
        for (name, kind) in SelfHostedProvider.kinds.sorted(by: { $0.key < $1.key }) {
            guard var fields = providerFields[name], fields.isEnabled else { continue }
            if name == "APPLE", let appleBundleID, !fields.clientIDs.contains(appleBundleID) {
                fields.clientIDs.append(appleBundleID)
            }
            // Only what can't be one is left out here: when it ends is between it and the provider.
            if name == "APPLE", let secret = fields.secret,
                !Self.isAppleSecret(secret, of: fields.clientIDs.first ?? "")
            {
                fields.secret = nil
                findings.append(
                    Finding(
                        kind: .unsupported, name: SelfHostedProvider.variable(name, "SECRET"),
                        reason:
                            "not a token that was signed by the team's key for the first client ID: nobody can come "
                            + "back by redirect; ID tokens are taken without it"))
            }
            guard let provider = try SelfHostedProvider(fields, variable: name, kind: kind) else {
                findings.append(
                    Finding(
                        kind: .unsupported, name: SelfHostedProvider.variable(name, "ENABLED"),
                        reason: "the provider stays off without \(SelfHostedProvider.variable(name, "CLIENT_ID"))"))
                continue
            }
            if provider.skipsNonceCheck {
                findings.append(
                    Finding(
                        kind: .insecure, name: SelfHostedProvider.variable(name, "SKIP_NONCE_CHECK"),
                        reason: "an ID token that an app was given is taken without its nonce"))
            }
            providers.append(provider)
        }
    }
}
