// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import Hummingbird
import ServerKit

/// One operation of the provider.
struct Route: Sendable {
    let method: HTTPRequest.Method
    let paths: [String]
    let limit: RouteLimit
    let origins: Origins
    let audience: Audience
    let caller: Caller
    let otherClients: OtherClients
    /// Whether it takes JSON in place of a form.
    let takesJSON: Bool
    let endpoint: @Sendable (ProviderCall) async throws -> Response

    /// Whose pages may call it from a script and read the answer (Fetch standard, section 3.2).
    enum Origins: Sendable {
        /// What is public, and what opens by a token that no browser sends by itself.
        case everyone
        /// The pages of the client that the call is of: where its redirect URIs are (RFC 9700, section 2.6).
        case client
        /// Those that browsers are sent to, which scripts have no business with; and those of clients that have a
        /// secret.
        case none
    }

    /// Who reads the answer.
    enum Audience: Sendable {
        case program
        /// Whoever sits at the browser: an error is a page.
        case person
    }

    /// Whom a call's limit is for.
    enum Caller: Sendable {
        case anybody
        /// A client that can prove itself is not counted: a site's own server calls for all of its users.
        case client
    }

    init(
        _ method: HTTPRequest.Method, _ paths: String..., limit: RouteLimit, of caller: Caller = .anybody,
        origins: Origins, for audience: Audience = .program, otherClients: OtherClients = .refused,
        takesJSON: Bool = false,
        _ endpoint: @escaping @Sendable (ProviderCall) async throws -> Response
    ) {
        self.method = method
        self.paths = paths
        self.limit = limit
        self.caller = caller
        self.origins = origins
        self.audience = audience
        self.otherClients = otherClients
        self.takesJSON = takesJSON
        self.endpoint = endpoint
    }

    static let authorizePath = "/oauth2/authorize"
    static let continuePath = "/oauth2/authorize/continue"
    static let tokenPath = "/oauth2/token"
    static let userInfoPath = "/oauth2/userInfo"
    static let revocationPath = "/oauth2/revoke"
    static let introspectionPath = "/oauth2/introspect"
    static let pushedRequestPath = "/oauth2/par"
    static let deviceAuthorizationPath = "/oauth2/device_authorization"
    static let registrationPath = "/oauth2/register"
    static let logoutPath = "/oauth2/logout"
    static let keysPath = "/.well-known/jwks.json"
    static let discoveryPath = "/.well-known/openid-configuration"
    /// RFC 8414, section 3.1: in front of the issuer's path, not behind it.
    static let serverMetadataPath = "/.well-known/oauth-authorization-server"
    /// What stands before the path of a Directory's documents; the default one's are at the root.
    private static let directory = "/directories/{directory}"

    /// Every operation there is, but those of other dialects: ``OpenIDProvider/entrances``.
    static let all: [Route] = [
        Route(
            .get, discoveryPath, directory + discoveryPath, limit: .unlimited(.publicDocument), origins: .everyone,
            otherClients: .same, MetadataEndpoints.get),
        Route(
            .get, serverMetadataPath, serverMetadataPath + directory, limit: .unlimited(.publicDocument),
            origins: .everyone, otherClients: .same, MetadataEndpoints.get),
        Route(
            .get, keysPath, directory + keysPath, limit: .unlimited(.publicDocument), origins: .everyone,
            otherClients: .same, MetadataEndpoints.keys),
        Route(
            .get, authorizePath, limit: .by(.authorization), origins: .none, for: .person, otherClients: .same
        ) { try await AuthorizeEndpoint.authorize($0) },
        Route(
            .post, authorizePath, limit: .by(.authorization), origins: .none, for: .person, otherClients: .same
        ) { try await AuthorizeEndpoint.authorize($0) },
        Route(
            .get, continuePath, limit: .by(.authorization), origins: .none, for: .person, otherClients: .same,
            AuthorizeEndpoint.proceed),
        Route(
            .post, pushedRequestPath, limit: .by(.authorization), of: .client, origins: .client,
            PushedRequestEndpoint.post),
        Route(
            .post, deviceAuthorizationPath, limit: .by(.authorization), of: .client, origins: .client,
            DeviceAuthorizationEndpoint.post),
        Route(
            .post, tokenPath, limit: .by(.refresh), of: .client, origins: .client,
            otherClients: .answeredIfProven { try await $0.tokens($1) }, TokenEndpoint.post),
        Route(
            .get, userInfoPath, limit: .unlimited(.signedIn), origins: .client,
            otherClients: .answered { try await $0.userInfo($1) }, UserInfoEndpoint.answer),
        Route(
            .post, userInfoPath, limit: .unlimited(.signedIn), origins: .client,
            otherClients: .answered { try await $0.userInfo($1) }, UserInfoEndpoint.answer),
        Route(
            .post, revocationPath, limit: .by(.refresh), of: .client, origins: .client,
            otherClients: .answeredIfProven { try await $0.revoke($1) }, RevocationEndpoint.post),
        Route(
            .post, registrationPath, limit: .by(.clientRegistration), origins: .everyone, takesJSON: true,
            RegistrationEndpoint.post),
        Route(
            .get, registrationPath + "/{client}", limit: .by(.refresh), origins: .everyone, RegistrationEndpoint.get),
        Route(
            .put, registrationPath + "/{client}", limit: .by(.refresh), origins: .everyone, takesJSON: true,
            RegistrationEndpoint.put),
        Route(
            .delete, registrationPath + "/{client}", limit: .by(.refresh), origins: .everyone,
            RegistrationEndpoint.delete),
        Route(.post, introspectionPath, limit: .by(.refresh), of: .client, origins: .none, IntrospectionEndpoint.post),
        Route(.get, logoutPath, limit: .by(.authorization), origins: .none, for: .person, LogoutEndpoint.answer),
        Route(.post, logoutPath, limit: .by(.authorization), origins: .none, for: .person, LogoutEndpoint.answer),
    ]
}
