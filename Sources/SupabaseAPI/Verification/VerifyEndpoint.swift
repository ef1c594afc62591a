// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// `POST /verify` with a code or a token hash; `GET /verify`, the link in a mail, and the form of its page.
enum VerifyEndpoint {
    private static let halfConfirmed =
        "Confirmation link accepted. Please proceed to confirm link sent to the other email"

    static func post(_ call: DialectCall) async throws -> Response {
        let type = try type(try call.body.text("type"))
        let token = try call.body.text("token")
        let hash = try call.body.text("token_hash")
        let proof: Proof
        switch (token, hash) {
        case (nil, let hash?):
            guard try call.body.text("email") == nil, try call.body.text("phone") == nil,
                try call.body.text("redirect_to") == nil
            else {
                throw WireError.validation("Only the token_hash and type should be provided")
            }
            proof = .linkToken(hash)
        case (let code?, nil):
            let email = try call.body.email()
            let phone = try call.body.phone()
            switch (email, phone) {
            case (let email?, nil): proof = .code(.email(email), code)
            case (nil, let phone?): proof = .code(.phone(phone), code)
            default:
                throw WireError.validation("Only an email address or phone number should be provided on verify")
            }
        default: throw WireError.validation("Verify requires either a token or a token hash")
        }
        switch try await call.accounts.verifyProof(proof, purposes: type.purposes, call: call.flow) {
        case .signedIn(let next): return try await call.answer(next)
        case .authorizationCode: throw AuthError(.oneTimeTokenInvalid, reason: "a code where none was asked for")
        case .halfConfirmed: return Answer.object(["code": "200", "msg": .string(halfConfirmed)])
        }
    }

    /// Where the page's form goes, beside the page: gateways that let anybody open a link let this through too.
    static let linkPath = "/verify/link"

    /// The link: a page with a button, or where the Directory is set so what the button does.
    static func get(_ call: DialectCall) async throws -> Response {
        let link = try Link(call, { call.query[$0] })
        guard let target = link.target else { return try await page(of: link, call) }
        guard call.flow.settings.oneTime.linkConfirms == .page else {
            return try await follow(link, to: target, call)
        }
        guard
            let proof = try await call.accounts.inspectProof(
                .link(token: link.token), purposes: link.type.purposes, call: call.flow)
        else { return refusal(AuthError(.oneTimeTokenInvalid), target) }
        return LinkPage(
            proof, brand: PageBrand(call.flow.settings), language: call.flow.language,
            action: String(linkPath.dropFirst()),
            fields: [("token", link.token), ("type", link.type.rawValue), ("redirect_to", target.url)],
            target: target.url
        ).response
    }

    /// The button of the page.
    static func link(_ call: DialectCall) async throws -> Response {
        try LinkPage.requireOwnForm(
            call.headers, authority: call.authority, url: call.dialect.baseURL(of: call.directory))
        let link = try Link(call, { try? call.body.text($0) })
        guard let target = link.target else { return try await page(of: link, call) }
        return try await follow(link, to: target, call)
    }

    /// Leads to this server's own page for the link, which does all of what it is for: for an app that has named no
    /// place to go on to, and whose operator has named none either. Nobody would take a session there.
    private static func page(of link: Link, _ call: DialectCall) async throws -> Response {
        let proof = try await call.accounts.inspectProof(
            .link(token: link.token), purposes: link.type.purposes, call: call.flow)
        return Answer.redirect(
            to: AccountLinks(url: call.dialect.settings.url).link(
                for: proof?.purpose ?? link.type.purposes[0], token: link.token, redirectTo: "", in: call.directory))
    }

    private struct Link {
        var type: VerificationType
        var token: String
        /// `nil` where nobody has named a place.
        var target: RedirectTarget?

        init(_ call: DialectCall, _ value: (String) -> String?) throws {
            type = try VerifyEndpoint.type(value("type"))
            guard let token = value("token") ?? value("token_hash"), !token.isEmpty else {
                throw WireError.validation("Verify requires a token or a token hash")
            }
            self.token = token
            target = RedirectPolicy(call.flow.settings).resolve(value("redirect_to")).map(RedirectTarget.init)
        }
    }

    /// Answers with where the browser goes next, whatever came of it.
    private static func follow(_ link: Link, to target: RedirectTarget, _ call: DialectCall) async throws -> Response {
        do {
            switch try await call.accounts.verifyProof(
                .link(token: link.token), purposes: link.type.purposes, call: call.flow)
            {
            case .signedIn(let next):
                let session = try await call.sessionResponse(next.session())
                return Answer.redirect(to: target.adding(fragment: session.fragment(type: link.type.rawValue)))
            case .authorizationCode(let code, _):
                return Answer.redirect(to: target.adding(query: [("code", code)]))
            case .halfConfirmed:
                // In the query too: an app that signs in by PKCE reads it on its server, which sees no fragment.
                let message = [("message", halfConfirmed)]
                return Answer.redirect(to: target.adding(query: message, fragment: message + [("sb", "")]))
            }
        } catch let error as AuthError where ErrorTable.entry(for: error.code).status.code < 500 {
            return refusal(error, target)
        }
    }

    private static func refusal(_ error: AuthError, _ target: RedirectTarget) -> Response {
        let wire = WireError(error)
        let details = [
            ("error", oauthName(of: wire.status)), ("error_code", wire.code),
            (
                "error_description",
                error.code == .oneTimeTokenInvalid ? "Email link is invalid or has expired" : wire.message
            ),
        ]
        return Answer.redirect(to: target.adding(query: details, fragment: details + [("sb", "")]))
    }

    private static func type(_ text: String?) throws(WireError) -> VerificationType {
        guard let text else { throw WireError.validation("Verify requires a verification type") }
        guard let type = VerificationType(rawValue: text) else {
            throw WireError.validation("Unsupported verification type")
        }
        return type
    }

    private static func oauthName(of status: HTTPResponse.Status) -> String {
        switch status {
        case .unauthorized: "unauthorized_client"
        case .forbidden: "access_denied"
        default: "invalid_request"
        }
    }
}
