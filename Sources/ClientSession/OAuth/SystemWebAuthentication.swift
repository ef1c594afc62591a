// SPDX-License-Identifier: Apache-2.0

#if canImport(AuthenticationServices) && (os(iOS) || os(macOS) || os(visionOS))
    import AuthenticationServices
    import Foundation

    /// The system's own browser window for signing in (`ASWebAuthenticationSession`). The redirect is a scheme of the app's.
    @MainActor
    public final class SystemWebAuthentication: NSObject, WebAuthentication {
        private let anchor: @MainActor @Sendable () -> ASPresentationAnchor
        private var session: ASWebAuthenticationSession?

        /// - Parameter anchor: the window that the system's own is shown over.
        public init(anchor: @escaping @MainActor @Sendable () -> ASPresentationAnchor) {
            self.anchor = anchor
        }

        public func redirectURI(preferred: String) async throws(WebAuthenticationError) -> String { preferred }

        public func authenticate(
            at url: String, redirectingTo redirectURI: String, ephemeral: Bool
        ) async throws(WebAuthenticationError) -> String {
            guard let page = URL(string: url), let scheme = URL(string: redirectURI)?.scheme, scheme != "http",
                scheme != "https"
            else { throw .unavailable(reason: "the redirect is not a scheme of the app's") }
            let outcome = await withTaskCancellationHandler {
                await shown(page, scheme: scheme, ephemeral: ephemeral)
            } onCancel: {
                Task { @MainActor in self.session?.cancel() }
            }
            session = nil
            return try outcome.get()
        }

        private func shown(
            _ page: URL, scheme: String, ephemeral: Bool
        ) async -> Result<String, WebAuthenticationError> {
            await withCheckedContinuation { continuation in
                let session = ASWebAuthenticationSession(url: page, callbackURLScheme: scheme) { redirect, error in
                    if let redirect {
                        continuation.resume(returning: .success(redirect.absoluteString))
                    } else if let error = error as? ASWebAuthenticationSessionError, error.code == .canceledLogin {
                        continuation.resume(returning: .failure(.cancelled))
                    } else {
                        let reason = error.map { "\($0._domain) \($0._code)" } ?? "no redirect"
                        continuation.resume(returning: .failure(.unavailable(reason: reason)))
                    }
                }
                session.presentationContextProvider = self
                session.prefersEphemeralWebBrowserSession = ephemeral
                self.session = session
                // Where it does not start, the handler is not called.
                if !session.start() {
                    continuation.resume(returning: .failure(.unavailable(reason: "no window to show it over")))
                }
            }
        }
    }

    extension SystemWebAuthentication: ASWebAuthenticationPresentationContextProviding {
        public func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor { anchor() }
    }
#endif
