// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Crypto
import Foundation
import HTTPTypes
import JOSE
import ServerKit
import TestBench
import TestBenchHTTP

@testable import DevelopmentIdentityProvider

/// The provider as an app's server and a browser meet it.
struct UpstreamBench: Sendable {
    static let url = "http://127.0.0.1:8080"
    static let redirect = "http://127.0.0.1:8080/callback"
    static let verifier = String(repeating: "v", count: 43)
    static let base = DevelopmentIdentityProvider.path

    let clock = TestClock(Instant(seconds: 1_780_000_000))
    let http: HTTPBench
    let keys: ProviderKeys
    let team = P256.Signing.PrivateKey()
    let waits = Waits()

    final class Waits: Sendable {
        let spans = Mutex<[TimeSpan]>([])
        let notified = Mutex<[VendorNotification]>([])
    }

    init() {
        keys = ProviderKeys(team: team)
        let waits = waits
        let provider = DevelopmentIdentityProvider(
            .init(
                url: ServerURL(Self.url), callers: LocalCallers(hosts: ["phone.test"]), random: SystemRandomSource(),
                keys: keys, wait: { span in waits.spans.withLock { $0.append(span) } },
                notify: { notification, _ in
                    waits.notified.withLock { $0.append(notification) }
                    return true
                }))
        http = HTTPBench(clock: clock, surfaces: provider.surfaces, errors: ProviderErrors()) {
            provider.addRoutes(to: $0, routes: $1)
        }
    }

    // MARK: The browser

    static func parameters(_ vendor: Vendor, _ changes: [String: String?] = [:]) -> [String: String] {
        var parameters = [
            "client_id": vendor.registration.clientID, "redirect_uri": redirect, "response_type": "code",
            "scope": "openid email profile", "state": "st&te=1", "nonce": "n-1",
            "code_challenge": PKCE.challenge(for: verifier), "code_challenge_method": "S256",
        ]
        if vendor == .apple { (parameters["scope"], parameters["response_mode"]) = ("name email", "form_post") }
        if vendor == .gitHub { parameters["scope"] = "user:email" }
        if vendor == .facebook { parameters["scope"] = "email,public_profile" }
        for (name, value) in changes { parameters[name] = value }
        return parameters
    }

    static func encoded(_ parameters: [String: String]) -> String {
        parameters.map { "\($0.key)=\(PercentEncoding.encode($0.value.utf8))" }.joined(separator: "&")
    }

    func authorize(_ vendor: Vendor, _ changes: [String: String?] = [:]) async throws -> HTTPBench.Reply {
        try await http.send(
            .get, "\(Self.base)/\(vendor.rawValue)/authorize?" + Self.encoded(Self.parameters(vendor, changes)))
    }

    func press(_ vendor: Vendor, _ changes: [String: String?]) async throws -> HTTPBench.Reply {
        try await form("/\(vendor.rawValue)/authorize", Self.parameters(vendor, changes))
    }

    func form(
        _ path: String, _ fields: [String: String], headers: HTTPFields = [:]
    ) async throws -> HTTPBench.Reply {
        var headers = headers
        headers[.contentType] = "application/x-www-form-urlencoded"
        return try await http.send(
            .post, Self.base + path, headers: headers, body: Array(Self.encoded(fields).utf8))
    }

    /// What came back to the app, in the redirect or in the form.
    static func answer(_ reply: HTTPBench.Reply) -> [String: String] {
        if let location = reply.headers[.location] {
            let query = location.split(separator: "?", maxSplits: 1).last.map { $0.prefix { $0 != "#" } } ?? ""
            return (try? RequestReading.form(String(query))) ?? [:]
        }
        var fields: [String: String] = [:]
        for part in reply.text.components(separatedBy: #"<input type="hidden" name=""#).dropFirst() {
            let pieces = part.components(separatedBy: "\"")
            guard pieces.count > 2 else { continue }
            fields[pieces[0]] = pieces[2].replacing("&quot;", with: "\"").replacing("&amp;", with: "&")
        }
        return fields
    }

    /// Chooses the first account, and gives the code.
    func code(_ vendor: Vendor, _ changes: [String: String?] = [:]) async throws -> String {
        var changes = changes
        if changes["account"] == nil { changes["account"] = Person.invented(at: vendor)[0].subject }
        return Self.answer(try await press(vendor, changes))["code"] ?? ""
    }

    // MARK: The app's server

    func secret(_ vendor: Vendor, changes: JSONObject = [:]) throws -> String {
        guard vendor == .apple else { return vendor.registration.secret.reveal() }
        let claims: JSONObject = [
            "iss": .string(Registration.appleTeamID), "sub": .string(vendor.registration.clientID),
            "aud": "https://appleid.apple.com", "iat": .integer(clock.now.seconds),
            "exp": .integer(clock.now.seconds + 300),
        ]
        let point = Array(team.publicKey.rawRepresentation)
        let key = try SigningKey(
            JWK([
                "kty": "EC", "crv": "P-256", "kid": .string(Registration.appleKeyID),
                "x": .string(Base64URL.encode(point.prefix(32))), "y": .string(Base64URL.encode(point.suffix(32))),
                "d": .string(Base64URL.encode(Array(team.rawRepresentation))),
            ]), algorithm: .es256)
        return try JWS.sign(claims.merging(changes), type: nil, with: key)
    }

    func redeem(
        _ code: String, at vendor: Vendor, _ changes: [String: String?] = [:], headers: HTTPFields = [:]
    ) async throws -> HTTPBench.Reply {
        var fields = [
            "grant_type": "authorization_code", "code": code, "redirect_uri": Self.redirect,
            "code_verifier": Self.verifier, "client_id": vendor.registration.clientID,
            "client_secret": try secret(vendor),
        ]
        for (name, value) in changes { fields[name] = value }
        return try await form("/\(vendor.rawValue)/token", fields, headers: headers)
    }

    func get(_ path: String, token: String? = nil) async throws -> HTTPBench.Reply {
        var headers: HTTPFields = [:]
        if let token { headers[.authorization] = "Bearer \(token)" }
        return try await http.send(.get, Self.base + path, headers: headers)
    }

    func script(_ path: String, _ body: JSONObject) async throws -> HTTPBench.Reply {
        try await http.send(
            .post, Self.base + path, headers: [.contentType: "application/json"], body: body.serialized())
    }

    /// The claims of a token that the vendor's published key vouches for.
    func claims(_ token: String?, of vendor: Vendor) async throws -> JSONObject {
        let keys = try JWKSet(parsing: try await get("/\(vendor.rawValue)/keys").text.utf8)
        let jws = try ParsedJWS(parsing: (token ?? "").utf8)
        try jws.verify(with: try VerificationKeySet(keys).key(for: jws.header))
        return try JSONObject(parsing: jws.payload)
    }
}
