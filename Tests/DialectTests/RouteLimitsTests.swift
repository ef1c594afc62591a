// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import Foundation
import ServerKit
import Testing

@testable import AccountPages
@testable import AppAPI
@testable import CognitoAPI
@testable import FirebaseAPI
@testable import OpenIDProvider
@testable import SupabaseAPI

/// One table over all dialects: how often one client may call each operation.
@Suite struct RouteLimitsTests {
    /// An operation as its dialect's table has it.
    private struct Entry {
        var dialect: String
        var operation: String
        /// Whether it lets in others than administrators.
        var isOpen: Bool
        var limit: RouteLimit?
        var hashing = RouteHashing.never
    }

    private static let hostedUI: [Entry] = {
        let entrances = CognitoDialect.entrances.map { ($0.path, OpenIDProvider.entranceLimit) }
        let others = HostedRoute.all.map { ($0.path, $0.limit) }
        return (entrances + others).map { path, limit in
            Entry(dialect: "Cognito", operation: "GET \(path)", isOpen: true, limit: limit)
        }
            + ["GET", "POST"].map { method in
                Entry(
                    dialect: "Cognito", operation: "\(method) \(HostedProviderReturn.path)", isOpen: true,
                    limit: HostedProviderReturn.limit)
            }
    }()

    private static let entries: [Entry] =
        SupabaseAPI.Route.all.map {
            Entry(
                dialect: "Supabase", operation: "\($0.method) \($0.path)", isOpen: $0.access != .administrator,
                limit: $0.limit, hashing: $0.hashing)
        }
        + CognitoAPI.Operation.all.map { operation in
            let isOpen =
                switch operation.access {
                case .client, .user, .holder: true
                case .pool, .server: false
                }
            return Entry(
                dialect: "Cognito", operation: operation.name, isOpen: isOpen, limit: operation.limit,
                hashing: operation.hashing)
        }
        + IdentityPoolOperation.all.map {
            Entry(dialect: "Cognito", operation: $0.name, isOpen: $0.isOpen, limit: $0.limit)
        }
        + hostedUI
        + FirebaseAPI.Route.all.map {
            Entry(
                dialect: "Firebase", operation: "\($0.method) \($0.paths.dropFirst().first ?? $0.paths.first ?? "")",
                isOpen: ![.administrator, .tenants, .providers, .serviceAccounts].contains($0.access), limit: $0.limit,
                hashing: $0.hashing)
        }
        + OpenIDProvider.routes.map {
            Entry(dialect: "OpenID", operation: "\($0.method) \($0.paths[0])", isOpen: true, limit: $0.limit)
        }
        + AccountPages.routes.map {
            Entry(
                dialect: "Account pages", operation: "\($0.method) \(AccountPages.path)\($0.path)", isOpen: true,
                limit: $0.limit, hashing: $0.hashing)
        }
        + AppAPI.publicRoutes.map {
            Entry(dialect: "App API", operation: "\($0.method) /v1\($0.path)", isOpen: true, limit: $0.limit)
        }

    @Test("R9.4 every operation that lets anybody in has a limit or says why it has none")
    func complete() {
        #expect(Self.entries.count > 60)
        for entry in Self.entries {
            #expect((entry.limit != nil) == entry.isOpen, "\(entry.dialect): \(entry.operation)")
        }
    }

    @Test("R9.4 nobody shows a password, a code or a refresh token, or has a message sent, without being counted")
    func counted() {
        let uncounted = Self.entries.filter { entry in
            if case .unlimited = entry.limit { true } else { false }
        }
        let known: Set<String> = [
            "GET /account", "GET /account/sign-in", "GET /account/sign-up", "GET /account/confirm",
            "GET /account/forgot",
            "GET /account/new-password", "GET /account/choose", "POST /account/choose", "GET /account/consent",
            "POST /account/consent", "GET /account/device", "GET /account/device/approve",
            "POST /account/device/approve", "GET /account/device/done", "GET /account/password",
            "POST /account/sessions/end",
            "POST /account/apps/revoke", "GET /account/sign-out", "POST /account/sign-out", "GET /account/signed-out",
            "GET /account/second-factor", "GET /account/lost-factor", "GET /account/factors/new",
            "GET /account/factors/confirm",
            "GET /account/factors/codes", "POST /account/factors/codes", "GET /account/factors",
            "GET /account/factors/remove", "POST /account/factors/remove", "GET /account/profile",
            "POST /account/profile", "GET /account/email", "GET /account/email/confirm", "GET /account/phone",
            "GET /account/phone/confirm", "GET /account/identities", "GET /account/identities/remove",
            "POST /account/identities/remove", "POST /account/sessions/end-others", "GET /account/passkey.js",
            "GET /account/data", "GET /account/delete", "GET /account/deleted", "GET /account/sessions",
            "GET /account/passkeys", "GET /account/passkeys/new", "GET /account/passkeys/name",
            "POST /account/passkeys/name", "GET /account/passkeys/remove", "POST /account/passkeys/remove",
            "GET /account/terms", "GET /account/consents", "POST /account/consents", "GET /v1/terms",
            "GET /health", "GET /.well-known/jwks.json",
            "GET /.well-known/openid-configuration", "GET /settings", "POST /logout", "GET /user", "GetUser",
            "ChangePassword", "DeleteUser", "GlobalSignOut", "GetDevice", "ListDevices", "GetUserAuthFactors",
            "ListWebAuthnCredentials", "POST /v1/accounts:lookup",
            "POST /v1/accounts:delete",
            "POST /identitytoolkit/v3/relyingparty/downloadAccount", "GET \(KeyEndpoints.certificatePath)",
            "GET \(KeyEndpoints.keyPath)", "GET /identitytoolkit/v3/relyingparty/publicKeys",
            "GET /v1/sessionCookiePublicKeys", "DELETE /emulator/v1/projects/{project}/accounts",
            "GET /emulator/v1/projects/{project}/oobCodes", "GET /emulator/v1/projects/{project}/verificationCodes",
            "GET /emulator/v1/projects/{project}/config", "PATCH /emulator/v1/projects/{project}/config",
            "POST /identitytoolkit/v3/relyingparty/uploadAccount",
            "POST /identitytoolkit/v3/relyingparty/setProjectConfig",
            "POST /identitytoolkit/v3/relyingparty/signOutUser",
            "GET /oauth/authorizations/{part_id}", "POST /oauth/authorizations/{part_id}/consent",
            "GET /oauth/userinfo", "GET /user/oauth/grants", "DELETE /user/oauth/grants",
            "GET /factors/recovery-codes", "GET /passkeys", "GET /user/identities/authorize",
            "DELETE /user/identities/{part_id}",
            "GET /.well-known/oauth-authorization-server", "GET /oauth2/userInfo", "POST /oauth2/userInfo",
            "GET /error", "GET /v1/projects", "GET /v1/recaptchaParams", "GET /v2/recaptchaConfig",
            "GET /v2/passwordPolicy",
        ]
        #expect(Set(uncounted.map(\.operation)) == known)
    }

    @Test("R9.4 whatever has a password hashed for strangers says so, and nothing else is refused for want of a place")
    func hashing() {
        let hashing = Self.entries.filter { $0.hashing != .never }
        #expect(hashing.filter { !$0.isOpen }.isEmpty)
        #expect(
            Set(hashing.map(\.operation)) == [
                "POST /signup", "POST /token", "PUT /user", "InitiateAuth", "RespondToAuthChallenge", "SignUp",
                "ConfirmForgotPassword", "ChangePassword", "POST /v1/accounts:signUp",
                "POST /v1/accounts:signInWithPassword", "POST /v1/accounts:update", "POST /v1/accounts:resetPassword",
                "POST /__/auth/action", "POST /account/sign-in", "POST /account/sign-up", "POST /account/reset",
                "POST /account/new-password", "POST /account/password",
            ])
    }

    @Test("docs/rate-limits.md is this table. Run with LATCHKEY_WRITE_DOCS=1 to write it anew")
    func document() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "docs/rate-limits.md")
        let expected = Self.document
        if ProcessInfo.processInfo.environment["LATCHKEY_WRITE_DOCS"] != nil {
            try Data(expected.utf8).write(to: file)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == expected)
    }

    // MARK: The page

    private static var document: String {
        var lines = [
            "# Rate limits of operations", "",
            "How often one client (an IPv4 address, a /64 of IPv6) may call each operation, whoever it is about. What comes",
            "after it, per account and per Directory, is in [ADR 0015](adr/0015-order-of-limits.md). Administrators are not",
            "counted. This page is written by `LATCHKEY_WRITE_DOCS=1 swift test --filter RouteLimitsTests`; the same test",
            "compares it with the code.", "",
            "| limit | setting | by default |", "| --- | --- | --- |",
        ]
        let defaults = DirectorySettings().limits
        for limit in ClientLimit.allCases {
            let rate = limit.rate(defaults)
            lines.append("| \(limit.rawValue) | `directory.\(limit.setting)` | \(rate.count) in \(rate.seconds) s |")
        }
        lines += [
            "", "Two limits of one setting are counted apart; operations of one limit, in whatever dialect, together.",
        ]
        for dialect in ["Supabase", "Cognito", "Firebase", "OpenID", "Account pages", "App API"] {
            lines += ["", "## \(dialect)", "", "| operation | limit |", "| --- | --- |"]
            for entry in entries where entry.dialect == dialect {
                guard let limit = entry.limit else { continue }
                lines.append("| `\(entry.operation)` | \(text(limit)) |")
            }
            let others =
                switch dialect {
                case "OpenID":
                    "A client that proves itself by a secret or a key is not counted at `token`, `par`, `revoke` and `introspect`."
                case "Account pages": "The same pages of another Directory are at `/directories/{directory}/account`."
                case "App API":
                    "The same of another Directory are at `/directories/{directory}/v1`. All others need a token or a key."
                default: "All others are for administrators."
                }
            lines += ["", others]
        }
        lines += [
            "", "## Passwords", "",
            "Of these operations as many calls may be under way at once as passwords are hashed or may wait",
            "(`passwords.threads`, `passwords.queueLength`). One more is refused before anything else happens to it, and a",
            "client that goes on all the same is answered late ([ADR 0085](adr/0085-order-of-refusal.md)).", "",
            "| dialect | operation | calls |", "| --- | --- | --- |",
        ]
        for entry in entries {
            switch entry.hashing {
            case .never: break
            case .always: lines.append("| \(entry.dialect) | `\(entry.operation)` | all |")
            case .when(let condition):
                lines.append("| \(entry.dialect) | `\(entry.operation)` | where \(text(condition)) |")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func text(_ limit: RouteLimit) -> String {
        switch limit {
        case .by(let limit): limit.rawValue
        case .first(let cases, let otherwise):
            (cases.map { "\($0.limit.rawValue) where \(text($0.condition))" } + ["else \(otherwise.rawValue)"])
                .joined(separator: "; ")
        case .unlimited(let reason): "none: \(reason.rawValue)"
        }
    }

    private static func text(_ condition: RouteCondition) -> String {
        switch condition {
        case .query(let name, let values), .member(let name, let values):
            "`\(name)` is " + values.map { "`\($0)`" }.joined(separator: " or ")
        case .anyMember(let names): "there is " + names.map { "`\($0)`" }.joined(separator: " or ")
        case .linkActsAtOnce: "links act as soon as they are opened"
        case .all(let conditions): conditions.map { text($0) }.joined(separator: " and ")
        }
    }
}
