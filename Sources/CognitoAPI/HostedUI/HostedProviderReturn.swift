// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// `/oauth2/idpresponse`: where identity providers send browsers back to that left from the hosted UI, as apps are
/// registered there ("User pool endpoints and managed login reference"). It leads on to the account pages of the pool
/// whose state it is, and says nothing itself. A form of the provider's comes here without the browser's cookies; the
/// same by a link has them.
enum HostedProviderReturn {
    static let path = "/oauth2/idpresponse"
    /// RFC 6749, section 4.1.2; RFC 9207; Apple's `user`.
    private static let answers = ["state", "code", "error", "iss", "user"]
    static let limit = RouteLimit.by(.authorization)

    static func answer(
        _ request: Request, _ context: LatchkeyRequestContext, _ dialect: CognitoDialect
    ) async throws -> Response {
        let parameters =
            request.method == .post
            ? try await RequestReading.formObject(of: request).members.compactMap { member in
                member.value.stringValue.map { (name: member.name, value: $0) }
            }
            : try RequestReading.pairs(request.uri.query ?? "")
        guard let state = parameters.single("state"),
            answers.allSatisfy({ name in parameters.count { $0.name == name } < 2 })
        else { throw OAuthError.request("state is missing, or something is given twice") }
        let directory = try await directory(of: state, dialect, at: context.now)
        var flow = CallContext(
            directory: directory, now: context.now, device: DeviceMetadata(request, client: context.client),
            language: MessageLanguage(acceptLanguage: request.headers[.acceptLanguage]),
            links: dialect.ownIssuer(of: directory, for: "").links, dialect: CognitoDialect.name)
        flow.origin = context.origin
        let call = HostedCall(dialect: dialect, flow: flow, parameters: parameters, headers: request.headers)
        try limit.count(call, by: dialect.accounts.limits)
        let query = HostedAnswer.query(parameters.filter { answers.contains($0.name) })
        let target = AccountPlace.path(of: directory) + AccountPlace.providerReturn
        return Response(status: .seeOther, headers: [.location: target + "?" + query, .cacheControl: "no-store"])
    }

    /// That of a state; for one that nobody knows the default one, whose page says so.
    private static func directory(
        of state: String, _ dialect: CognitoDialect, at now: Instant
    ) async throws -> Directory {
        if let id = try await dialect.accounts.completeFederatedSignIn.directory(ofState: state),
            let found = try await dialect.directories.directory(id, at: now)
        {
            return found
        }
        guard let found = try await dialect.directories.directory(named: DirectoryCatalog.defaultName, at: now) else {
            throw AuthError(.unavailable, reason: "no default directory")
        }
        return found
    }
}
