// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird

/// A vendor's words for the OpenID provider: what becomes of a call at the provider's endpoints whose client was made
/// through that vendor's operations (``AccountModel/Client/dialect``).
///
/// The provider finds a call's client, judges a request for a code and has clients prove themselves; what is said of
/// it, and which tokens there are, is the dialect's. An endpoint that is not named here refuses such a client. See
/// ADR 0041.
public protocol ProviderDialect: Sendable {
    /// What its clients have for ``AccountModel/Client/dialect``.
    var clientDialect: DialectName { get }
    /// The vendor's other ways into the authorization endpoint, which take its parameters. To clients of other kinds
    /// they are not open.
    var entrances: [AuthorizationEntrance] { get }
    /// The first segments of all paths that it adds where the provider is, with all below them: pages of other origins
    /// read nothing there.
    var providerPaths: [String] { get }

    /// The Directory whose domain a request is to, by its `Host`; `nil` for the server's own host and all others. At a
    /// domain there are the Directory's clients, and no others.
    func directory(ofHost authority: String?, at now: Instant) async throws -> Directory?

    /// The `iss` of the Directory's tokens, and of what goes back through the browser (RFC 9207).
    func issuer(of directory: Directory) -> String

    /// A request for a code in the standard's words: each parameter that counts, and no other. What it asks for is
    /// judged afterwards, as every request is.
    ///
    /// - Throws: ``OAuthError``: what is said on a page, and sent nowhere. What the client is to be told goes through,
    ///   to be refused later.
    func authorizationRequest(_ call: ClientCall) async throws -> [(name: String, value: String)]

    /// The identity provider that a request for a code leads to where nobody is signed in, in place of a page on which
    /// the user chooses; `nil` for none.
    func identityProvider(_ call: ClientCall) async throws -> String?

    /// Where identity providers send browsers back to whose users are on the way to one of its clients: a path, at the
    /// host that they came by. What is added there leads on to the account pages.
    var providerReturnPath: String { get }

    /// What a client is told whose user came back from an identity provider to no sign-in; `nil` where the account
    /// pages say it, and the user chooses another way.
    func fault(for error: AuthError) -> AuthorizationFault?

    /// What the dialect wants of accounts that come to be on the account pages; `nil` where it wants nothing.
    ///
    /// - Parameter client: the one that the browser is on the way to, of whichever dialect.
    func schema(of directory: Directory, for client: Client?) -> (any AccountSchema)?

    /// The token endpoint. The call's client has proved itself, as far as it can.
    func tokens(_ call: ClientCall) async throws -> Response
    /// UserInfo. Nothing is proven: the client is the one that the token says it was given to.
    func userInfo(_ call: ClientCall) async throws -> Response
    /// The revocation endpoint. The call's client has proved itself, as far as it can.
    func revoke(_ call: ClientCall) async throws -> Response
    /// What a program is told of an error of one of its calls.
    ///
    /// - Parameter language: of whoever sits before it.
    func response(to error: OAuthError, in language: MessageLanguage) -> Response

    /// Adds what the vendor has beside the provider's endpoints: nobody needs it where there is no provider.
    func addProviderRoutes(to router: some RouterMethods<LatchkeyRequestContext>, routes: KnownRoutes)
}

/// A way into the authorization endpoint that chooses what the user sees first.
public struct AuthorizationEntrance: Sendable {
    public enum Page: Sendable {
        /// Who is signed in is asked whether they go on as themselves.
        case signIn
        case signUp
        case forgottenPassword
    }

    public var path: String
    public var page: Page

    public init(_ path: String, _ page: Page) {
        self.path = path
        self.page = page
    }
}
