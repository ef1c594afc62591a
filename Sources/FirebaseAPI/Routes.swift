// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import Hummingbird
import ServerKit

/// One operation of this dialect, at every path that a client may call it by.
struct Route: Sendable {
    let method: HTTPRequest.Method
    let paths: [String]
    let access: Access
    /// `nil` for what only administrators may call.
    let limit: RouteLimit?
    let hashing: RouteHashing
    let body: Body
    let endpoint: @Sendable (DialectCall) async throws -> Response

    /// How the request says what it wants.
    enum Body: Sendable {
        case none
        case json
        /// JSON of many users, from administrators.
        case batch
        /// A form or JSON, whichever the request says it is.
        case formOrJSON
    }

    init(
        _ method: HTTPRequest.Method, _ paths: [String], _ access: Access, limit: RouteLimit? = nil,
        hashing: RouteHashing = .never, body: Body = .json,
        _ endpoint: @escaping @Sendable (DialectCall) async throws -> Response
    ) {
        self.method = method
        self.paths = paths
        self.access = access
        self.limit = limit
        self.hashing = hashing
        self.body = method == .get ? .none : body
        self.endpoint = endpoint
    }

    /// Paths of one of the platform's hosts: SDKs told to use another server put the host before the path; with a DNS
    /// name of their own they don't.
    static func host(_ name: String, _ paths: String...) -> [String] { paths.flatMap { ["/" + name + $0, $0] } }

    static let toolkit = "identitytoolkit.googleapis.com"
    static let legacyHost = "www.googleapis.com"

    /// `accounts:…` in the first version of the API, and the name of the same operation in the one before it.
    static func client(_ operation: String, _ legacy: String) -> [String] {
        host(toolkit, "/v1/accounts:" + operation) + host(legacyHost, "/identitytoolkit/v3/relyingparty/" + legacy)
    }

    /// An operation on a project's users and the same on a tenant's.
    static func admin(_ rest: String, version: String = "v1") -> [String] {
        host(
            toolkit, "/\(version)/projects/{project}" + rest,
            "/\(version)/projects/{project}/tenants/{tenant}" + rest)
    }

    /// Service accounts, in the API that the platform has them in.
    static func serviceAccounts(_ rest: String) -> [String] {
        host("iam.googleapis.com", "/v1/projects/{project}/serviceAccounts" + rest)
    }

    /// What only the platform's emulator has.
    static func emulator(_ rest: String) -> [String] {
        ["/emulator/v1/projects/{project}/tenants/{tenant}", "/emulator/v1/projects/{project}"].map { $0 + rest }
    }

    /// Everything that a client of the platform may call. What is not done here is in ``switchedOff``.
    static let all: [Route] = operations + secondFactors + ProviderKind.allCases.flatMap(providers) + switchedOff

    private static let operations: [Route] = [
        Route(
            .post, client("signUp", "signupNewUser"), .client,
            limit: .first([.when(.anyMember(["email", "password", "idToken"]), .signUp)], otherwise: .anonymous),
            hashing: .when(.anyMember(["password"])), SignUpEndpoint.post),
        Route(
            .post, client("signInWithPassword", "verifyPassword"), .client, limit: .by(.signIn),
            hashing: .always, PasswordSignInEndpoint.post),
        Route(
            .post, client("signInWithCustomToken", "verifyCustomToken"), .client, limit: .by(.signIn),
            CustomTokenEndpoint.post),
        Route(
            .post, client("signInWithEmailLink", "emailLinkSignin"), .client, limit: .by(.verify),
            EmailLinkEndpoint.post),
        Route(
            .post, client("signInWithIdp", "verifyAssertion"), .client, limit: .by(.signIn),
            ProviderSignInEndpoint.post),
        Route(
            .post, client("sendVerificationCode", "sendVerificationCode"), .client, limit: .by(.oneTime),
            PhoneEndpoints.send),
        Route(
            .post, client("signInWithPhoneNumber", "verifyPhoneNumber"), .client, limit: .by(.verify),
            PhoneEndpoints.signIn),
        Route(
            .post, client("verifyIosClient", "verifyClient"), .client, limit: .by(.oneTime),
            PhoneEndpoints.verifyClient),
        Route(.post, client("createAuthUri", "createAuthUri"), .client, limit: .by(.signIn), AuthURIEndpoint.post),
        Route(.post, client("lookup", "getAccountInfo"), .client, limit: .unlimited(.signedIn), LookupEndpoint.post),
        Route(
            .post, client("update", "setAccountInfo"), .client,
            limit: .first([.when(.anyMember(["oobCode"]), .verify)], otherwise: .user),
            hashing: .when(.anyMember(["password"])), UpdateEndpoint.post),
        Route(.post, client("delete", "deleteAccount"), .client, limit: .unlimited(.signedIn), DeleteEndpoint.post),
        Route(
            .post, client("sendOobCode", "getOobConfirmationCode"), .client, limit: .by(.oneTime), SendCodeEndpoint.post
        ),
        Route(
            .post, client("resetPassword", "resetPassword"), .client, limit: .by(.verify),
            hashing: .when(.anyMember(["newPassword"])), ResetPasswordEndpoint.post),
        Route(
            .post, host("securetoken.googleapis.com", "/v1/token"), .client, limit: .by(.refresh), body: .formOrJSON,
            RefreshEndpoint.post),

        Route(.post, admin("/accounts"), .administrator, AdminUserEndpoints.create),
        Route(.post, admin("/accounts:lookup"), .administrator, LookupEndpoint.post),
        Route(.post, admin("/accounts:update"), .administrator, UpdateEndpoint.post),
        Route(.post, admin("/accounts:delete"), .administrator, DeleteEndpoint.post),
        Route(.post, admin("/accounts:query"), .administrator, QueryEndpoint.post),
        Route(.post, admin("/accounts:queryAccounts"), .administrator, QueryEndpoint.post),
        Route(.post, admin("/accounts:sendOobCode"), .administrator, SendCodeEndpoint.post),
        Route(.post, admin("/accounts:batchDelete"), .administrator, AdminUserEndpoints.deleteMany),
        Route(.post, admin(":createSessionCookie"), .administrator, SessionCookieEndpoint.create),
        Route(.get, admin("/accounts:batchGet"), .administrator, AdminUserEndpoints.list),
        Route(.post, admin("/accounts:batchCreate"), .administrator, body: .batch, BatchCreateEndpoint.post),
        Route(
            .post, host(legacyHost, "/identitytoolkit/v3/relyingparty/uploadAccount"), .client,
            limit: .unlimited(.administrators), body: .batch, BatchCreateEndpoint.post),
        Route(
            .post, host(legacyHost, "/identitytoolkit/v3/relyingparty/downloadAccount"), .client,
            limit: .unlimited(.administrators),
            AdminUserEndpoints.download),

        Route(.get, host(toolkit, "/v2/projects/{project}/config"), .tenants) { ConfigurationEndpoints.get($0) },
        Route(
            .patch, host(toolkit, "/v2/projects/{project}/config"), .tenants, ConfigurationEndpoints.update),
        Route(
            .get,
            host(toolkit, "/v1/projects") + host(legacyHost, "/identitytoolkit/v3/relyingparty/getProjectConfig"),
            .client, limit: .unlimited(.publicDocument)
        ) { ConfigurationEndpoints.projectConfig($0) },
        Route(
            .get,
            host(toolkit, "/v1/recaptchaParams")
                + host(legacyHost, "/identitytoolkit/v3/relyingparty/getRecaptchaParam"),
            .client, limit: .unlimited(.publicDocument)
        ) { ConfigurationEndpoints.recaptchaParameters($0) },
        Route(
            .get, host(toolkit, "/v2/recaptchaConfig"), .client, limit: .unlimited(.publicDocument)
        ) { ConfigurationEndpoints.recaptchaConfig($0) },
        Route(
            .get, host(toolkit, "/v2/passwordPolicy"), .client, limit: .unlimited(.publicDocument)
        ) { ConfigurationEndpoints.passwordPolicy($0) },
        Route(.get, host(toolkit, "/v2/projects/{project}/tenants"), .tenants, TenantEndpoints.list),
        Route(.post, host(toolkit, "/v2/projects/{project}/tenants"), .tenants, TenantEndpoints.create),
        Route(.get, host(toolkit, "/v2/projects/{project}/tenants/{tenant}"), .tenants, TenantEndpoints.get),
        Route(.patch, host(toolkit, "/v2/projects/{project}/tenants/{tenant}"), .tenants, TenantEndpoints.update),
        Route(.delete, host(toolkit, "/v2/projects/{project}/tenants/{tenant}"), .tenants, TenantEndpoints.delete),

        Route(
            .post, ["/accounts.google.com/o/oauth2/token", ServiceAccountFile.tokenPath], .open, limit: .by(.refresh),
            body: .formOrJSON, AccessTokenEndpoint.post),
        Route(.get, serviceAccounts(""), .serviceAccounts, ServiceAccountEndpoints.list),
        Route(.post, serviceAccounts("/{account}/keys"), .serviceAccounts, ServiceAccountEndpoints.createKey),
        Route(.get, serviceAccounts("/{account}/keys"), .serviceAccounts, ServiceAccountEndpoints.listKeys),
        Route(.delete, serviceAccounts("/{account}/keys/{key}"), .serviceAccounts, ServiceAccountEndpoints.deleteKey),

        Route(
            .get, host(legacyHost, KeyEndpoints.certificatePath), .open, limit: .unlimited(.publicDocument),
            KeyEndpoints.certificates),
        Route(
            .get, host(legacyHost, KeyEndpoints.keyPath), .open, limit: .unlimited(.publicDocument), KeyEndpoints.keys),
        Route(
            .get, host(legacyHost, "/identitytoolkit/v3/relyingparty/publicKeys"), .open,
            limit: .unlimited(.publicDocument), KeyEndpoints.cookieCertificates),
        Route(
            .get, host(toolkit, "/v1/sessionCookiePublicKeys"), .open, limit: .unlimited(.publicDocument),
            KeyEndpoints.cookieKeys),
        Route(
            .get, [ActionLink.path], .link,
            limit: .first(
                [.when(.all([.linkActsAtOnce, .query("mode", ActionMode.confirmations.map(\.rawValue))]), .verify)],
                otherwise: .link),
            ActionPage.get),
        Route(
            .post, [ActionLink.path], .link, limit: .by(.verify),
            hashing: .when(.anyMember([PageField.newPasswordName])), body: .formOrJSON, ActionPage.post),

        Route(
            .delete, emulator("/accounts"), .emulator, limit: .unlimited(.development), body: .none,
            EmulatorEndpoints.deleteAccounts),
        Route(.get, emulator("/oobCodes"), .emulator, limit: .unlimited(.development), EmulatorEndpoints.oobCodes),
        Route(
            .get, emulator("/verificationCodes"), .emulator, limit: .unlimited(.development),
            EmulatorEndpoints.verificationCodes),
        Route(.get, emulator("/config"), .emulator, limit: .unlimited(.development), EmulatorEndpoints.config),
        Route(.patch, emulator("/config"), .emulator, limit: .unlimited(.development), EmulatorEndpoints.updateConfig),
    ]

    private static func providers(_ kind: ProviderKind) -> [Route] {
        let endpoints = ProviderEndpoints(kind: kind)
        let all = admin("/" + kind.rawValue, version: "v2")
        let one = admin("/\(kind.rawValue)/{configuration}", version: "v2")
        return [
            Route(.get, all, .providers) { try await endpoints.list($0) },
            Route(.post, all, .providers) { try await endpoints.create($0) },
            Route(.get, one, .providers) { try await endpoints.get($0) },
            Route(.patch, one, .providers) { try await endpoints.update($0) },
            Route(.delete, one, .providers) { try await endpoints.delete($0) },
        ]
    }
}
