// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Foundation
import JOSE
import Logging

@testable import IdentityProviders

/// Keys made once for all tests: those of RSA take a while.
enum TestKeys {
    static let rsa = made(.rs256, "rsa-1")
    /// Somebody else's, of the same `kid`.
    static let foreign = made(.rs256, "rsa-1")
    static let unknown = made(.rs256, "rsa-2")
    static let es256 = made(.es256, "ec-1")
    static let es384 = made(.es384, "ec-2")
    static let edwards = made(.edDSA, "ed-1")

    /// ``rsa``, whose tokens don't say so.
    static let unnamed = {
        guard var members = try? JSONObject(parsing: rsa.exported.reveal().utf8) else {
            preconditionFailure("a key is a JSON object")
        }
        members["kid"] = nil
        guard let key = try? SigningKey(JWK(members)) else { preconditionFailure("a key without its name is one") }
        return key
    }()

    private static func made(_ algorithm: JWSAlgorithm, _ keyID: String) -> SigningKey {
        guard let key = try? SigningKey.generate(algorithm, keyID: keyID) else {
            preconditionFailure("no key could be made")
        }
        return key
    }

    static func set(_ keys: [SigningKey] = [rsa, es256, es384, edwards], issuer: String? = nil) -> JSONObject {
        [
            "keys": .array(
                keys.compactMap { key -> JSONValue? in
                    var members = key.publicJWK?.publicObject
                    if let issuer { members?["issuer"] = .string(issuer) }
                    return members.map(JSONValue.object)
                })
        ]
    }
}

/// A relying party before a network that answers what a test says.
struct ProviderBench: Sendable {
    static let now = Instant(seconds: 1_800_000_000)
    static let issuer = "https://issuer.example"
    static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"

    let network = ScriptedNetwork()
    let clock = TestClock()
    let party: RelyingParty

    init() {
        let clock = clock
        party = RelyingParty(network, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }) { clock.now }
        for url in [
            "\(Self.issuer)/keys", "https://www.googleapis.com/oauth2/v3/certs", "https://appleid.apple.com/auth/keys",
            "https://login.microsoftonline.com/common/discovery/v2.0/keys",
            "https://limited.facebook.com/.well-known/oauth/openid/jwks/",
        ] { network.answer(url, TestKeys.set()) }
    }

    /// With a client `client-1`, a second `client-2`, and its secret.
    static func provider(_ kind: IdentityProvider.Kind) -> IdentityProvider {
        var provider = IdentityProvider(
            id: IdentityProviderID("p"), directoryID: DirectoryID("d"), name: kind.rawValue, kind: kind,
            clientIDs: ["client-1", "client-2"], secret: Secret("s3cr:t &"), createdAt: now, updatedAt: now)
        if kind == .openID {
            provider.name = "custom:acme"
            provider.issuer = issuer
            provider.endpoints = .init(
                authorization: "\(issuer)/authorize", token: "\(issuer)/token", jwks: "\(issuer)/keys")
        }
        return provider
    }

    /// Good claims of a provider's ID token.
    static func claims(_ kind: IdentityProvider.Kind = .openID) -> JSONObject {
        let issuer =
            switch kind {
            case .google: "https://accounts.google.com"
            case .apple: "https://appleid.apple.com"
            case .microsoft: "https://login.microsoftonline.com/\(tenant)/v2.0"
            case .facebook: "https://www.facebook.com"
            case .openID, .github: issuer
            }
        var claims: JSONObject = [
            "iss": .string(issuer), "sub": "user-1", "aud": "client-1", "iat": .integer(now.seconds - 10),
            "exp": .integer(now.seconds + 3600), "nonce": "n-1", "email": "ann@example.com", "name": "Ann",
        ]
        if kind == .microsoft { claims["tid"] = .string(tenant) }
        return claims
    }

    static let tenant = "0f0f0f0f-1111-2222-3333-444444444444"

    static func answer(_ nonce: String = "n-1") -> UpstreamAnswer {
        UpstreamAnswer(
            code: Secret("code-1"), verifier: Secret(verifier), nonce: nonce,
            redirectURI: "https://app.example/callback")
    }

    static func request() -> UpstreamRequest {
        UpstreamRequest(
            state: "st-1", nonce: "n-1", challenge: CodeChallenge(for: verifier),
            redirectURI: "https://app.example/callback")
    }

    /// Judges a token that comes by an app.
    func judge(
        _ token: String, _ provider: IdentityProvider, nonce: String? = "n-1",
        form: UpstreamIDToken.NonceForm = .either, accessToken: String? = nil
    ) async -> Result<FederatedProof, AuthError> {
        let token = UpstreamIDToken(
            text: Secret(token), nonce: nonce, nonceForm: form, accessToken: accessToken.map { Secret($0) })
        do throws(AuthError) {
            return .success(try await party.judge(token, at: provider, now: Self.now))
        } catch {
            return .failure(error)
        }
    }

    /// Judges a token that comes by a code.
    func redeem(
        _ tokens: JSONObject, _ provider: IdentityProvider, _ answer: UpstreamAnswer = ProviderBench.answer()
    ) async -> Result<FederatedProof, AuthError> {
        if let url = try? await party.upstream(provider).token { network.answer(url, tokens) }
        do throws(AuthError) {
            return .success(try await party.redeem(answer, at: provider, now: Self.now))
        } catch {
            return .failure(error)
        }
    }
}

final class TestClock: Sendable {
    private let time = Mutex(ProviderBench.now)
    var now: Instant { time.withLock(\.self) }
    func advance(_ span: TimeSpan) { time.withLock { $0 = $0 + span } }
}

extension Result where Failure == AuthError {
    var code: AuthErrorCode? { if case .failure(let error) = self { error.code } else { nil } }
    var value: Success? { try? get() }
}
