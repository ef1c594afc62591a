// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import Hummingbird
import ServerKit

/// One page, or one form's way back.
struct Route: Sendable {
    let method: HTTPRequest.Method
    /// Below the Directory's own place.
    let path: String
    let limit: RouteLimit
    let hashing: RouteHashing
    /// Whether the page is of use also where the app's request that it names is over, or was begun in another browser:
    /// a message may be opened late, and anywhere.
    let outlivesRequest: Bool
    /// Whether another site's form is posted here, which comes without the browser's name: it keeps the one that it
    /// has. So does who fetches what is no page.
    let comesFromElsewhere: Bool
    let endpoint: @Sendable (PageCall) async throws -> Response

    private init(
        _ method: HTTPRequest.Method, _ path: String, _ limit: RouteLimit, hashing: RouteHashing = .never,
        outlivesRequest: Bool = false, comesFromElsewhere: Bool = false,
        _ endpoint: @escaping @Sendable (PageCall) async throws -> Response
    ) {
        self.method = method
        self.path = path
        self.limit = limit
        self.hashing = hashing
        self.outlivesRequest = outlivesRequest
        self.comesFromElsewhere = comesFromElsewhere
        self.endpoint = endpoint
    }

    /// Of pages that are about whoever is signed in: their forms are of no use to anybody else, nor for anybody else.
    static let ofWhoIsSignedIn: Set<String> = [
        SessionsPage.endPath, SessionsPage.endOthersPath, "/apps/revoke", PrivacyPage.exportPath, DeletionPage.path,
        "/password", ProfilePage.path, "/email",
        "/email/confirm", "/phone", "/phone/confirm", IdentitiesPage.linkPath, IdentitiesPage.removePath,
        NewFactorPage.path, FactorCodePage.path, FactorCodePage.againPath, BackupCodesPage.path,
        FactorsPage.removePath, NewPasskeyPage.path, PasskeyNamePage.path, PasskeysPage.removePath,
        SecondFactorPage.path, SecondFactorPage.askPath, LostFactorPage.path, TermsPage.path, ConsentsPage.path,
        "/choose", "/consent", DeviceApprovalPage.path,
    ]

    static let all: [Route] = [
        Route(.get, "", .unlimited(.signedIn), AccountPage.get),
        Route(.get, "/sign-in", .unlimited(.publicDocument), SignInPage.get),
        Route(.post, "/sign-in", .by(.signIn), hashing: .always, SignInPage.post),
        Route(.post, PasskeySignInPage.questionPath, .by(.authenticator), PasskeySignInPage.question),
        Route(
            .get, PasskeyScript.path, .unlimited(.publicDocument), outlivesRequest: true, comesFromElsewhere: true,
            PasskeyScript.get),
        Route(.get, ProviderPage.path, .by(.authorization), ProviderPage.get),
        Route(.get, ProviderPage.returnPath, .by(.authorization), ProviderPage.back),
        Route(.post, ProviderPage.returnPath, .by(.authorization), comesFromElsewhere: true, ProviderPage.post),
        Route(.get, "/sign-up", .unlimited(.publicDocument), SignUpPage.get),
        Route(.post, "/sign-up", .by(.signUp), hashing: .always, SignUpPage.post),
        Route(.get, "/confirm", .unlimited(.publicDocument), outlivesRequest: true, ConfirmPage.get),
        Route(.post, "/confirm", .by(.verify), outlivesRequest: true, ConfirmPage.post),
        Route(.post, "/confirm/again", .by(.oneTime), outlivesRequest: true, ConfirmPage.again),
        Route(.get, "/link", .by(.link), outlivesRequest: true, MailedLinkPage.get),
        Route(.post, "/link", .by(.verify), outlivesRequest: true, MailedLinkPage.post),
        Route(.get, "/forgot", .unlimited(.publicDocument), outlivesRequest: true, ForgotPage.get),
        Route(.post, "/forgot", .by(.oneTime), outlivesRequest: true, ForgotPage.post),
        Route(.get, UnlockPage.path, .by(.link), outlivesRequest: true, UnlockPage.get),
        Route(.post, UnlockPage.path, .by(.verify), outlivesRequest: true, UnlockPage.post),
        Route(.get, UndoFactorPage.path, .by(.link), outlivesRequest: true, UndoFactorPage.get),
        Route(.post, UndoFactorPage.path, .by(.verify), outlivesRequest: true, UndoFactorPage.post),
        Route(.get, ExportPage.path, .by(.link), outlivesRequest: true, ExportPage.get),
        Route(.post, ExportPage.path, .by(.verify), outlivesRequest: true, ExportPage.post),
        Route(.get, "/reset", .by(.link), outlivesRequest: true, ResetPage.get),
        Route(.post, "/reset", .by(.verify), hashing: .always, outlivesRequest: true, ResetPage.post),
        Route(.get, "/new-password", .unlimited(.publicDocument), NewPasswordPage.get),
        Route(.post, "/new-password", .by(.signInChallenge), hashing: .always, NewPasswordPage.post),
        Route(.get, SecondFactorPage.path, .unlimited(.publicDocument), SecondFactorPage.get),
        Route(.post, SecondFactorPage.path, .by(.signInChallenge), SecondFactorPage.post),
        Route(.post, SecondFactorPage.askPath, .by(.oneTime), SecondFactorPage.ask),
        Route(.get, LostFactorPage.path, .unlimited(.publicDocument), LostFactorPage.get),
        Route(.post, LostFactorPage.path, .by(.oneTime), LostFactorPage.post),
        Route(.get, StopRecoveryPage.path, .by(.link), outlivesRequest: true, StopRecoveryPage.get),
        Route(.post, StopRecoveryPage.path, .by(.verify), outlivesRequest: true, StopRecoveryPage.post),
        Route(.post, SecondFactorPage.questionPath, .by(.authenticator), SecondFactorPage.question),
        Route(.get, NewFactorPage.path, .unlimited(.publicDocument), NewFactorPage.get),
        Route(.post, NewFactorPage.path, .by(.oneTime), NewFactorPage.post),
        Route(.get, FactorCodePage.path, .unlimited(.publicDocument), FactorCodePage.get),
        Route(.post, FactorCodePage.path, .by(.signInChallenge), FactorCodePage.post),
        Route(.post, FactorCodePage.againPath, .by(.oneTime), FactorCodePage.again),
        Route(.post, FactorCodePage.questionPath, .by(.authenticator), FactorCodePage.question),
        Route(.get, BackupCodesPage.path, .unlimited(.signedIn), BackupCodesPage.get),
        Route(.post, BackupCodesPage.path, .unlimited(.signedIn), BackupCodesPage.post),
        Route(.get, FactorsPage.path, .unlimited(.signedIn), FactorsPage.get),
        Route(.get, FactorsPage.removePath, .unlimited(.signedIn), FactorsPage.removal.get),
        Route(.post, FactorsPage.removePath, .unlimited(.signedIn), FactorsPage.removal.post),
        Route(.get, PasskeysPage.path, .unlimited(.signedIn), PasskeysPage.get),
        Route(.get, NewPasskeyPage.path, .unlimited(.signedIn), NewPasskeyPage.get),
        Route(.post, NewPasskeyPage.path, .by(.verify), NewPasskeyPage.post),
        Route(.post, NewPasskeyPage.questionPath, .by(.authenticator), NewPasskeyPage.question),
        Route(.get, PasskeyNamePage.path, .unlimited(.signedIn), PasskeyNamePage.get),
        Route(.post, PasskeyNamePage.path, .unlimited(.signedIn), PasskeyNamePage.post),
        Route(.get, PasskeysPage.removePath, .unlimited(.signedIn), PasskeysPage.removal.get),
        Route(.post, PasskeysPage.removePath, .unlimited(.signedIn), PasskeysPage.removal.post),
        Route(.get, TermsPage.path, .unlimited(.publicDocument), TermsPage.get),
        Route(.post, TermsPage.path, .by(.signInChallenge), TermsPage.post),
        Route(.get, ConsentsPage.path, .unlimited(.signedIn), ConsentsPage.get),
        Route(.post, ConsentsPage.path, .unlimited(.signedIn), ConsentsPage.post),
        Route(.get, "/choose", .unlimited(.signedIn), ChoosePage.get),
        Route(.post, "/choose", .unlimited(.signedIn), ChoosePage.post),
        Route(.get, "/consent", .unlimited(.signedIn), ConsentPage.get),
        Route(.post, "/consent", .unlimited(.signedIn), ConsentPage.post),
        Route(.get, DeviceVisit.path, .unlimited(.signedIn), DevicePage.get),
        Route(.post, DeviceVisit.path, .by(.verify), DevicePage.post),
        Route(.get, DeviceApprovalPage.path, .unlimited(.guessesCounted), DeviceApprovalPage.get),
        Route(.post, DeviceApprovalPage.path, .unlimited(.guessesCounted), DeviceApprovalPage.post),
        Route(.get, DeviceApprovalPage.donePath, .unlimited(.publicDocument), DeviceApprovalPage.done),
        Route(.get, "/password", .unlimited(.signedIn), PasswordChangePage.get),
        Route(.post, "/password", .by(.signIn), hashing: .always, PasswordChangePage.post),
        Route(.get, ProfilePage.path, .unlimited(.signedIn), ProfilePage.get),
        Route(.post, ProfilePage.path, .unlimited(.signedIn), ProfilePage.post),
        Route(.get, "/email", .unlimited(.signedIn), AddressPage.email.get),
        Route(.post, "/email", .by(.signIn), AddressPage.email.post),
        Route(.get, "/email/confirm", .unlimited(.signedIn), AddressPage.email.askCode),
        Route(.post, "/email/confirm", .by(.verify), AddressPage.email.confirm),
        Route(.get, "/phone", .unlimited(.signedIn), AddressPage.phone.get),
        Route(.post, "/phone", .by(.signIn), AddressPage.phone.post),
        Route(.get, "/phone/confirm", .unlimited(.signedIn), AddressPage.phone.askCode),
        Route(.post, "/phone/confirm", .by(.verify), AddressPage.phone.confirm),
        Route(.get, IdentitiesPage.path, .unlimited(.signedIn), IdentitiesPage.get),
        Route(.post, IdentitiesPage.linkPath, .by(.authorization), IdentitiesPage.link),
        Route(.get, IdentitiesPage.removePath, .unlimited(.signedIn), IdentitiesPage.removal.get),
        Route(.post, IdentitiesPage.removePath, .unlimited(.signedIn), IdentitiesPage.removal.post),
        Route(.get, PrivacyPage.path, .unlimited(.signedIn), PrivacyPage.get),
        Route(.post, PrivacyPage.exportPath, .by(.oneTime), PrivacyPage.requestExport),
        Route(.get, DeletionPage.path, .unlimited(.signedIn), DeletionPage.get),
        Route(.post, DeletionPage.path, .by(.user), DeletionPage.post),
        Route(.get, DeletionPage.donePath, .unlimited(.publicDocument), outlivesRequest: true, DeletionPage.done),
        Route(.get, SessionsPage.path, .unlimited(.signedIn), SessionsPage.get),
        Route(.post, SessionsPage.endOthersPath, .unlimited(.signedIn), SessionsPage.endOthers),
        Route(.post, SessionsPage.endPath, .unlimited(.signedIn), SessionsPage.end),
        Route(.post, "/apps/revoke", .unlimited(.signedIn), AccountPage.revokeApp),
        Route(.get, "/sign-out", .unlimited(.signedIn), SignOutPage.get),
        Route(.post, "/sign-out", .unlimited(.signedIn), SignOutPage.post),
        Route(.get, "/signed-out", .unlimited(.publicDocument), outlivesRequest: true, SignOutPage.done),
    ]
}
