// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// `link`: what the link of a message opens that these pages have sent, or a dialect's where the app names no place.
/// Its button does what the link is for. Links that end in a new password open ``ResetPage``.
enum MailedLinkPage {
    static func get(_ call: PageCall) async throws -> Response {
        guard let (token, purpose) = link(call) else { return dead(nil, call) }
        guard
            let proof = try await call.accounts.inspectProof(.link(token: token), purposes: [purpose], call: call.flow)
        else { return dead(purpose, call) }
        var page = LinkPage(
            proof, brand: call.brand, language: call.language,
            action: call.url("/link", [("purpose", purpose.rawValue)]),
            fields: [("token", token), (FormToken.field, call.formToken(call.path))],
            target: call.pending?.request.redirectURI)
        page.languages = call.languages("/link", [("purpose", purpose.rawValue), ("token", token)])
        return page.response
    }

    static func post(_ call: PageCall) async throws -> Response {
        try call.requireOwnForm()
        guard let (token, purpose) = link(call) else { return dead(nil, call) }
        do {
            switch try await call.accounts.verifyProof(.link(token: token), purposes: [purpose], call: call.flow) {
            case .signedIn(let next):
                return try await call.conclude(next, name: next.user.label, notice: notice(of: purpose))
            // What was asked for with a challenge signs in whoever asked, and nobody else who reads the message.
            case .authorizationCode: return call.notice(.addressConfirmed, .backInApp)
            case .halfConfirmed: return call.notice(.changeHalf, .changeHalfLead)
            }
        } catch let error as AuthError where error.code == .oneTimeTokenInvalid {
            return dead(purpose, call)
        }
    }

    /// A link that is of no use: what it was for says how one comes by another.
    static func dead(_ purpose: OneTimeToken.Purpose?, _ call: PageCall) -> Response {
        let signIn = (call.text(.signIn), call.url("/sign-in"))
        let (way, ways): (PageText, [NoticePage.Way]) =
            switch purpose {
            case .recovery, .unlock: (.linkDeadRecovery, [(call.text(.linkDeadAgain), call.url("/forgot")), signIn])
            case .invitation: (.linkDeadInvitation, [signIn])
            case .emailChangeCurrent, .emailChangeNew: (.linkDeadChange, [signIn])
            case .magicLink: (.linkDeadSignIn, [signIn])
            case .export: (.linkDeadExport, [signIn])
            case .factorRecoveryStop: (.linkDeadStopRecovery, [signIn])
            default: (.linkDeadConfirmation, [signIn])
            }
        return NoticePage.deadLink(way, brand: call.brand, language: call.language, ways: ways)
            .response(status: .gone)
    }

    private static func notice(of purpose: OneTimeToken.Purpose) -> AccountNotice? {
        switch purpose {
        case .signUpConfirmation, .invitation: .confirmed
        case .emailChangeCurrent, .emailChangeNew: .address
        default: nil
        }
    }

    private static func link(_ call: PageCall) -> (token: String, purpose: OneTimeToken.Purpose)? {
        guard let token = call.form["token"] ?? call.query["token"], !token.isEmpty,
            let purpose = call.query["purpose"].flatMap(OneTimeToken.Purpose.init(rawValue:)),
            // Those sign nobody in.
            purpose != .reauthentication, !purpose.opensOwnPage
        else { return nil }
        return (token, purpose)
    }
}
