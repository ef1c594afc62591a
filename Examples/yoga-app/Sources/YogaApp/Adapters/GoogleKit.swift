// SPDX-License-Identifier: Apache-2.0

// To be copied into an app that has GoogleSignIn 9 or later, which takes a nonce.
#if canImport(GoogleSignIn) && canImport(UIKit)
    import CryptoKit
    import GoogleSignIn
    import LatchkeyClient
    import UIKit

    /// Google's own sign-in. Renews unseen what Google gave, and signs out without a page.
    public final class GoogleKit: RenewableIdentityProvider {
        public let provider = "google"
        private let presenting: @MainActor @Sendable () -> UIViewController?

        /// - Parameter presenting: what Google's page is shown over.
        public init(presenting: @escaping @MainActor @Sendable () -> UIViewController?) {
            self.presenting = presenting
        }

        /// The token carries the nonce's SHA-256.
        public func signIn(nonce: Secret<String>) async throws(AuthError) -> ProviderIdentity {
            let hashed = SHA256.hash(data: Array(nonce.reveal().utf8)).map { String(format: "%02x", $0) }
                .joined()
            return try await Self.identity(nonce: nonce) { @MainActor [presenting] in
                guard let window = presenting() else { throw AuthError(.unsupported, reason: "no window") }
                return try await GIDSignIn.sharedInstance.signIn(
                    withPresenting: window, hint: nil, additionalScopes: nil, nonce: hashed
                ).user
            }
        }

        public func renew() async throws(AuthError) -> ProviderIdentity {
            try await Self.identity(nonce: nil) { @MainActor in
                let kit = GIDSignIn.sharedInstance
                if let user = kit.currentUser { return try await user.refreshTokensIfNeeded() }
                guard kit.hasPreviousSignIn() else { throw AuthError(.notSignedIn) }
                return try await kit.restorePreviousSignIn().refreshTokensIfNeeded()
            }
        }

        public func signOut() async { await MainActor.run { GIDSignIn.sharedInstance.signOut() } }

        @MainActor
        private static func identity(
            nonce: Secret<String>?, _ ask: @MainActor () async throws -> GIDGoogleUser
        ) async throws(AuthError) -> ProviderIdentity {
            do {
                let user = try await ask()
                guard let token = user.idToken?.tokenString else {
                    throw AuthError(.identityProviderUnavailable)
                }
                return ProviderIdentity(
                    provider: "google", idToken: Secret(token), nonce: nonce,
                    accessToken: Secret(user.accessToken.tokenString), name: user.profile?.name)
            } catch let error as AuthError {
                throw error
            } catch let error as GIDSignInError where error.code == .canceled {
                throw AuthError(.cancelled)
            } catch let error as GIDSignInError where error.code == .hasNoAuthInKeychain {
                throw AuthError(.notSignedIn)
            } catch {
                // What Google's token endpoint refuses (RFC 6749, section 5.2) is taken back; all else is the network.
                let error = error as NSError
                let isRefused = error.domain == "org.openid.appauth.oauth_token"
                throw AuthError(
                    isRefused ? .identityProviderRefused : .network, reason: "\(error.domain) \(error.code)")
            }
        }
    }
#endif
