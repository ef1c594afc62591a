// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import Observation

/// The sign-in screen (G-1.2, G-1.3, Y-US1).
@Observable @MainActor
public final class SignInModel: Screen {
    /// What is in the field.
    public var identifier = ""
    /// What is in the field. It is emptied when it is sent: no password outlives the call (C-13).
    public var password = ""
    /// What the service wants next; the app shows the screen for it.
    public private(set) var awaited: AwaitedStep?
    /// What the service wants to be agreed to first, once it has said so; the app shows the screen for it, or its
    /// ``TermsModel/page``. Signing in once more says what was ticked there.
    public private(set) var terms: TermsModel?

    /// Whom the terms were asked of.
    @ObservationIgnored private var refused: String?
    @ObservationIgnored private let source: (any TermsSource)?
    @ObservationIgnored private let service: any AuthenticationService
    @ObservationIgnored private let failures: SignInFailures
    @ObservationIgnored private let followedBy: @MainActor (SessionUser) async -> Void

    /// - Parameters:
    ///   - terms: where the app reads what is to be agreed to; `nil` for one that leaves it to the service's page.
    ///   - followedBy: what comes after a sign-in, once for each: the age gate or the app itself (G-1.6).
    public init(
        service: any AuthenticationService, failures: SignInFailures, terms: (any TermsSource)? = nil,
        support: String? = nil, followedBy: @escaping @MainActor (SessionUser) async -> Void
    ) {
        self.service = service
        self.failures = failures
        source = terms
        self.followedBy = followedBy
        super.init(support: support)
    }

    /// Whether the button may be pressed.
    public var canSubmit: Bool { !identifier.isEmpty && !password.isEmpty && !isInProgress }

    /// Why nobody is signed in, for the line above the fields. `nil` where there is nothing to explain.
    public var reason: UserMessage? {
        guard case .signedOut(let reason) = service.state, reason != .neverSignedIn else { return nil }
        return reason.message
    }

    /// Signs in with the password.
    public func submit() async {
        guard canSubmit else { return }
        let identifier = identifier
        let password = Secret(password)
        self.password = ""
        await signIn(with: .password(identifier: identifier, password: password), as: identifier)
    }

    /// In a browser: the service's pages, or a provider's by way of it.
    public func signIn(provider: String?, language: MessageLanguage = .en) async {
        // Whoever has just signed out is asked again (H-5).
        var options = BrowserSignInOptions(language: language.rawValue)
        if case .signedOut(.userSignedOut) = service.state { options.asksAgain = true }
        await signIn(with: .browser(provider: provider, options: options), as: nil)
    }

    /// By a provider's own kit on the device.
    public func signIn(by provider: any NativeIdentityProvider, random: any RandomSource) async {
        let nonce = Secret(random.letters(32))
        let (service, said) = (service, said(by: nil))
        let state = await run { () async throws(AuthError) in
            let proof = SignInProof.identityToken(try await provider.signIn(nonce: nonce))
            return try await AgreedTerms.saying(said) { () async throws(AuthError) in
                try await service.signIn(with: proof)
            }
        }
        await finish(state, as: nil)
    }

    /// The screen for who has forgotten their password (G-3.1), with the name that was typed here. The password that
    /// was typed is forgotten: it is not the one.
    public func forgottenPassword() -> ResetRequestModel {
        password = ""
        return ResetRequestModel(identifier: identifier, service: service, support: support)
    }

    /// What was typed is forgotten when the screen is left unfinished (C-13).
    override public func leave() {
        password = ""
        terms?.leave()
        terms = nil
        super.leave()
    }

    private func signIn(with proof: SignInProof, as identifier: String?) async {
        let (service, failures, said) = (service, failures, said(by: identifier))
        let state = await run { error in
            identifier.flatMap { failures.failed($0, error) }
        } _: { () async throws(AuthError) in
            try await AgreedTerms.saying(said) { () async throws(AuthError) in
                try await service.signIn(with: proof)
            }
        }
        if state != nil, let identifier { failures.succeeded(identifier) }
        await finish(state, as: identifier)
    }

    /// Nobody agrees for somebody else.
    private func said(by identifier: String?) -> [TermsDocument] { refused == identifier ? terms?.agreed ?? [] : [] }

    private func finish(_ state: AuthState?, as identifier: String?) async {
        guard let state else {
            guard let error, error.code == .termsNotAgreed else { return }
            if terms == nil || refused != identifier {
                terms = TermsModel(page: error.termsPage, source: source, support: support)
            } else {
                terms?.refused(error.termsPage)
            }
            refused = identifier
            return
        }
        if case .awaiting(let step) = state { awaited = step } else { awaited = nil }
        if let user = state.knownUser {
            terms = nil
            await followedBy(user)
        }
    }
}
