// SPDX-License-Identifier: Apache-2.0

import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird

/// `POST /verify` with a code or a token hash, and `GET /verify`, the link in a mail.
enum VerifyEndpoint {
    private static let halfConfirmed =
        "Confirmation link accepted. Please proceed to confirm link sent to the other email"

    static func post(_ call: DialectCall) async throws -> Response {
        try call.limit("verify", call.flow.settings.limits.verify)
        let type = try type(try call.body.text("type"))
        let token = try call.body.text("token")
        let hash = try call.body.text("token_hash")
        let proof: Proof
        switch (token, hash) {
        case (nil, let hash?):
            guard try call.body.text("email") == nil, try call.body.text("phone") == nil else {
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
        switch try await VerifyProof(call.ports)(proof, purposes: type.purposes, call: call.flow) {
        case .session(let issued): return try await call.answer(issued)
        case .authorizationCode: throw AuthError(.oneTimeTokenInvalid, reason: "a code where none was asked for")
        case .halfConfirmed: return Answer.object(["code": "200", "msg": .string(halfConfirmed)])
        }
    }

    static func get(_ call: DialectCall) async throws -> Response {
        try call.limit("verify", call.flow.settings.limits.verify)
        let type = try type(call.query["type"])
        guard let token = call.query["token"] ?? call.query["token_hash"], !token.isEmpty else {
            throw WireError.validation("Verify requires a token or a token hash")
        }
        let target = RedirectTarget(url: RedirectPolicy(call.flow.settings).resolve(call.query["redirect_to"]))
        do {
            switch try await VerifyProof(call.ports)(.link(token: token), purposes: type.purposes, call: call.flow) {
            case .session(let issued):
                let session = try await call.sessionResponse(issued)
                return Answer.redirect(to: target.adding(fragment: session.fragment(type: type.rawValue)))
            case .authorizationCode(let code, _):
                return Answer.redirect(to: target.adding(query: [("code", code)]))
            case .halfConfirmed:
                return Answer.redirect(to: target.adding(fragment: [("message", halfConfirmed), ("sb", "")]))
            }
        } catch let error as AuthError where ErrorTable.entry(for: error.code).status.code < 500 {
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
