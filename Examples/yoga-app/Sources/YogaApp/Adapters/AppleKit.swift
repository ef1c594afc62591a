// SPDX-License-Identifier: Apache-2.0

#if canImport(AuthenticationServices) && !os(Linux)
    import AuthenticationServices
    import CryptoKit
    import LatchkeyClient

    /// Apple's own sign-in. The token carries the nonce's SHA-256; the name, which Apple tells at the first sign-in
    /// alone, goes with it (F-2).
    @MainActor
    public final class AppleKit: NSObject, NativeIdentityProvider {
        public nonisolated let provider = "apple"
        private let anchor: @MainActor @Sendable () -> ASPresentationAnchor
        private var waiting: CheckedContinuation<Result<ProviderIdentity, AuthError>, Never>?
        private var nonce: Secret<String>?

        /// - Parameter anchor: the window that Apple's sheet is shown over.
        public init(anchor: @escaping @MainActor @Sendable () -> ASPresentationAnchor) {
            self.anchor = anchor
        }

        public func signIn(nonce: Secret<String>) async throws(AuthError) -> ProviderIdentity {
            // One sheet at a time.
            guard waiting == nil else { throw AuthError(.superseded) }
            let request = ASAuthorizationAppleIDProvider().createRequest()
            request.requestedScopes = [.fullName, .email]
            request.nonce = SHA256.hash(data: Array(nonce.reveal().utf8)).map {
                String(format: "%02x", $0)
            }.joined()
            self.nonce = nonce
            let outcome = await withCheckedContinuation { continuation in
                waiting = continuation
                let controller = ASAuthorizationController(authorizationRequests: [request])
                controller.delegate = self
                controller.presentationContextProvider = self
                controller.performRequests()
            }
            return try outcome.get()
        }

        /// Apple remembers nobody for an app.
        public func signOut() async {}

        private func finish(_ outcome: Result<ProviderIdentity, AuthError>) {
            waiting?.resume(returning: outcome)
            (waiting, nonce) = (nil, nil)
        }
    }

    extension AppleKit: ASAuthorizationControllerDelegate {
        public func authorizationController(
            controller: ASAuthorizationController,
            didCompleteWithAuthorization authorization: ASAuthorization
        ) {
            guard let credential = authorization.credential as? ASAuthorizationAppleIDCredential,
                let token = credential.identityToken.flatMap({ String(data: $0, encoding: .utf8) })
            else { return finish(.failure(AuthError(.identityProviderUnavailable))) }
            let name = credential.fullName.map { PersonNameComponentsFormatter().string(from: $0) }
            finish(
                .success(
                    ProviderIdentity(
                        provider: provider, idToken: Secret(token), nonce: nonce,
                        name: name.flatMap { $0.isEmpty ? nil : $0 })))
        }

        public func authorizationController(
            controller: ASAuthorizationController, didCompleteWithError error: any Error
        ) {
            let isCancelled = (error as? ASAuthorizationError)?.code == .canceled
            finish(
                .failure(
                    isCancelled
                        ? AuthError(.cancelled) : AuthError(.identityProviderUnavailable, reason: error._domain)
                ))
        }
    }

    extension AppleKit: ASAuthorizationControllerPresentationContextProviding {
        public func presentationAnchor(for controller: ASAuthorizationController)
            -> ASPresentationAnchor
        { anchor() }
    }
#endif
