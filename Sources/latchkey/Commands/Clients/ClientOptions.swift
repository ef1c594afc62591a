// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import ArgumentParser
import AuthTypes
import Foundation

/// What is said of a client when it is registered and when it is changed.
struct ClientOptions: ParsableArguments {
    @Option(
        name: .customLong("redirect-uri"), parsing: .upToNextOption,
        help: "Where users are sent back to; one or more, letter by letter.")
    var redirectURIs: [String] = []

    @Option(
        name: .customLong("post-logout-uri"), parsing: .upToNextOption,
        help: "Where users may be sent once they have signed out; one or more.")
    var postLogoutURIs: [String] = []

    @Option(
        name: .customLong("backchannel-logout-uri"), help: "Where the app is told of ended sessions; empty for nowhere."
    )
    var backchannelLogoutURI: String?

    @Option(name: .customLong("home-uri"), help: "Where the app is, for links back to it; empty for none.")
    var homeURI: String?

    @Option(
        name: .customLong("grant"), parsing: .upToNextOption,
        help:
            "authorization_code, refresh_token, client_credentials, device_code, token_exchange; with commas, or one by one."
    )
    var grants: [String] = []

    @Option(
        name: .customLong("scope"), parsing: .upToNextOption,
        help: "What the app may ask for; with commas or spaces, or one by one.")
    var scopes: [String] = []

    @Option(
        name: .customLong("resource"), parsing: .upToNextOption,
        help: "The APIs whose tokens the app may ask for (RFC 8707): absolute URIs.")
    var resources: [String] = []

    @Option(help: "client_secret_basic, client_secret_post, private_key_jwt or none.")
    var authMethod: String?

    @Option(help: "A file with the client's public keys, a JWK Set, for private_key_jwt.")
    var jwks: String?

    @Option(help: "Whether users are asked: not_asked (the operator's own app), remembered or always.")
    var consent: String?

    @Flag(help: "The operator's own app: users are not asked, as by --consent not_asked.")
    var firstParty = false

    @Option(name: .customLong("id-token-algorithm"), help: "RS256 or ES256.")
    var idTokenAlgorithm: String?

    @Flag(name: .customLong("require-pkce"), inversion: .prefixedNo, help: "Whether a code challenge is a must.")
    var requiresPKCE: Bool?

    @Flag(
        name: .customLong("require-par"), inversion: .prefixedNo,
        help: "Whether requests must be pushed by the client itself (RFC 9126).")
    var requiresPushedRequests: Bool?

    @Flag(
        name: .customLong("require-signed-requests"), inversion: .prefixedNo,
        help: "Whether requests must be signed by the client (RFC 9101, section 10.5).")
    var requiresSignedRequests: Bool?

    @Option(
        name: .customLong("request-object-algorithm"),
        help: "What requests are signed by, and by nothing else: RS256, ES256 and so on; an empty one for any.")
    var requestAlgorithm: String?

    @Flag(
        name: .customLong("dpop-bound-access-tokens"), inversion: .prefixedNo,
        help: "Whether the client's tokens are bound to a key of its own (RFC 9449).")
    var isDPoPBound: Bool?

    @Option(help: "fapi2: all that FAPI 2.0 asks of a client; an empty one for none.")
    var profile: String?

    @Option(
        name: .customLong("passkey-origin"), parsing: .upToNextOption,
        help: "Origins of the app's own pages and apps that may use passkeys, beside the Directory's; one or more.")
    var passkeyOrigins: [String] = []

    @Flag(inversion: .prefixedNo, help: "Whether a refresh token is replaced with each use.")
    var rotateRefreshTokens: Bool?

    @Option(help: "Seconds; 0 for the Directory's.")
    var accessTokenLifetime: Int64?

    @Option(help: "Seconds; 0 for the Directory's.")
    var idTokenLifetime: Int64?

    @Option(help: "Seconds; 0 for the Directory's.")
    var refreshTokenLifetime: Int64?

    func registration() throws -> ClientRegistration {
        var registration = ClientRegistration()
        registration.redirectURIs = Self.list(redirectURIs)
        registration.postLogoutURIs = Self.list(postLogoutURIs)
        registration.backchannelLogoutURI =
            backchannelLogoutURI.map { $0.isEmpty ? .clear : .set($0) } ?? .keep
        registration.homeURI = homeURI.map { $0.isEmpty ? .clear : .set($0) } ?? .keep
        registration.authentication = try authMethod.map { try Self.choice("--auth-method", $0) }
        registration.keys = try jwks.map { .set(try Self.keys(in: $0)) } ?? .keep
        registration.grants = try Self.words(grants)?.map { try Self.choice("--grant", $0) }
        registration.scopes = Self.words(scopes)
        registration.resources = Self.list(resources)
        registration.consent = try consent.map { try Self.choice("--consent", $0) }
        if firstParty {
            guard registration.consent ?? .notAsked == .notAsked else {
                throw CommandFailure("--first-party: users of the operator's own app are not asked", .usage)
            }
            registration.consent = .notAsked
        }
        registration.idTokenAlgorithm = try idTokenAlgorithm.map { try Self.choice("--id-token-algorithm", $0) }
        registration.requiresPKCE = requiresPKCE
        registration.requiresPushedRequests = requiresPushedRequests
        registration.requiresSignedRequests = requiresSignedRequests
        registration.requestAlgorithm =
            try requestAlgorithm.map { $0.isEmpty ? .clear : .set(try Self.choice("--request-object-algorithm", $0)) }
            ?? .keep
        registration.isDPoPBound = isDPoPBound
        registration.profile =
            try profile.map { $0.isEmpty ? .clear : .set(try Self.choice("--profile", $0)) } ?? .keep
        registration.passkeyOrigins = Self.list(passkeyOrigins)
        registration.rotatesRefreshTokens = rotateRefreshTokens
        registration.accessTokenLifetime = Self.lifetime(accessTokenLifetime)
        registration.idTokenLifetime = Self.lifetime(idTokenLifetime)
        registration.refreshTokenLifetime = Self.lifetime(refreshTokenLifetime)
        return registration
    }

    /// `nil` where nothing is said; an empty text empties the list.
    private static func list(_ values: [String]) -> [String]? {
        values.isEmpty ? nil : values.filter { !$0.isEmpty }
    }

    /// Of a list that is given with commas, with spaces or one by one; `nil` where nothing is said.
    static func words(_ values: [String]) -> [String]? {
        values.isEmpty ? nil : values.flatMap { $0.split { $0 == "," || $0 == " " }.map(String.init) }
    }

    /// One of a few words, or a failure that names them all.
    static func choice<Value: RawRepresentable & CaseIterable>(_ option: String, _ text: String) throws -> Value
    where Value.RawValue == String {
        guard let value = Value(rawValue: text) else {
            throw CommandFailure(
                "\(option): expected one of \(Value.allCases.map(\.rawValue).joined(separator: ", "))", .usage)
        }
        return value
    }

    private static func lifetime(_ seconds: Int64?) -> FieldChange<Int64> {
        seconds.map { $0 == 0 ? .clear : .set($0) } ?? .keep
    }

    private static func keys(in path: String) throws -> JSONObject {
        guard let file = FileManager.default.contents(atPath: path) else {
            throw CommandFailure("\(path): no such file", .notFound)
        }
        guard let object = try? JSONObject(parsing: Array(file)) else {
            throw CommandFailure("\(path): not a JSON object", .badData)
        }
        return object
    }
}
