// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import JOSE

/// A token by which a program of the operator's says who somebody is ("Create Custom Tokens", Firebase documentation):
/// signed by a service account of the project, good for an hour at most.
struct CustomToken: Sendable {
    private static let audience =
        "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"
    /// Whom SDKs that are told of an emulator name as the signer of what nobody has signed.
    private static let unsignedAccount = "firebase-auth-emulator@example.com"
    /// Deeper than any set of claims that is taken.
    private static let limits = JSONLimits(depth: 20, members: 256, bytes: ParsedJWS.defaultLimit)

    let identifier: ExternalIdentifier
    let claims: JSONObject

    /// Judges a token in the call's Directory.
    ///
    /// - Throws: `INVALID_CUSTOM_TOKEN`, `CREDENTIAL_MISMATCH` for an account of another project, `TENANT_ID_MISMATCH`,
    ///   `MISSING_IDENTIFIER`, `INVALID_CLAIMS`, `FORBIDDEN_CLAIM`, `CLAIMS_TOO_LARGE`.
    init(_ text: String, _ call: DialectCall) async throws {
        let members = try await Self.members(of: text, call)
        // What is not even a JWT names no tenant.
        guard text.hasPrefix("{") || members["tenant_id"]?.stringValue == call.directory.tenantID else {
            throw WireError("TENANT_ID_MISMATCH")
        }
        guard let uid = Self.name(members["uid"]) ?? Self.name(members["user_id"]) else {
            throw WireError("MISSING_IDENTIFIER")
        }
        guard let identifier = try? ExternalIdentifier(uid) else {
            throw Self.invalid("The uid has 1 to 128 characters, none of them a control character.")
        }
        self.identifier = identifier
        switch members["claims"] {
        case nil, .null: claims = [:]
        case .object(let object): claims = try CustomClaims(object.text).object
        default: throw WireError("INVALID_CLAIMS")
        }
    }

    private static func members(of text: String, _ call: DialectCall) async throws -> JSONObject {
        if call.dialect.settings.acceptsUnsignedTokens, let members = try unsigned(text) { return members }
        guard let token = try? ParsedJWS(parsing: text.utf8), let claims = try? JWTClaims(parsing: token.payload)
        else { throw invalid("Invalid assertion format.") }
        guard claims.audience == [audience] else { throw invalid("The audience is not \(audience).") }
        guard let issuer = claims.issuer, issuer == claims.subject else {
            throw invalid("Issuer and subject are the email of the service account.")
        }
        guard let account = ServiceAccountEmail(issuer), account.project == call.directory.projectID else {
            throw WireError("CREDENTIAL_MISMATCH")
        }
        // Accounts are the project's, also for its tenants.
        guard
            let project = try await call.dialect.directories.directory(named: account.project, at: call.now),
            let key = try await call.accounts.serviceAccountAuthentication.signer(
                of: token, account: account.account, in: project)
        else { throw invalid("The signature is of no key of the service account.") }
        // Who may sign anybody in may as well set their passwords.
        guard key.allows(APIKey.userScope) else { throw invalid("The key may not sign users in.") }
        guard AssertionLifetime.holds(for: claims, at: call.now) else {
            throw invalid("The token has expired, or is good for more than an hour.")
        }
        return claims.members
    }

    /// The members of what an SDK that was told of an emulator makes: a JWT that nobody has signed, or a bare JSON
    /// object. `nil` for a token that somebody signed.
    private static func unsigned(_ text: String) throws -> JSONObject? {
        guard text.utf8.count <= ParsedJWS.defaultLimit else { return nil }
        if text.hasPrefix("{") {
            guard let members = try? JSONObject(parsing: text.utf8, limits: limits) else {
                throw invalid("((Only strict JSON or JWTs are taken.))")
            }
            return members
        }
        let segments = text.split(separator: ".", omittingEmptySubsequences: false)
        guard segments.count == 3, segments[2].isEmpty, let payload = Base64URL.decode(String(segments[1])) else {
            return nil
        }
        guard let members = try? JSONObject(parsing: payload, limits: limits) else {
            throw invalid("Invalid assertion format.")
        }
        guard members["aud"]?.stringValue == audience, members["iss"]?.stringValue == unsignedAccount,
            members["sub"]?.stringValue == unsignedAccount
        else { throw invalid("Not a token of an SDK that was told of an emulator.") }
        return members
    }

    /// A program may have written a number for a name.
    private static func name(_ value: JSONValue?) -> String? {
        switch value {
        case .string(let text) where !text.isEmpty: text
        case .integer(let number): String(number)
        default: nil
        }
    }

    private static func invalid(_ explanation: String) -> WireError { WireError("INVALID_CUSTOM_TOKEN", explanation) }
}
