// SPDX-License-Identifier: Apache-2.0

#if canImport(AuthenticationServices) && (os(iOS) || os(macOS) || os(visionOS))
    import AuthenticationServices
    import Foundation

    /// The system's own browser window for signing in (`ASWebAuthenticationSession`). The redirect is a scheme of the
    /// app's.
    @MainActor
    public final class SystemWebAuthentication: NSObject, WebAuthentication {
        private let anchor: @MainActor @Sendable () -> ASPresentationAnchor
        private var shown: Shown?

        private typealias Answer = FirstAnswer<Result<String, WebAuthenticationError>>

        @MainActor private struct Shown {
            let session: ASWebAuthenticationSession
            let answer: Answer

            /// Nothing is told of one that the app ends.
            func end() {
                answer.give(.failure(.cancelled))
                session.cancel()
            }
        }

        /// - Parameter anchor: the window that the system's own is shown over.
        public init(anchor: @escaping @MainActor @Sendable () -> ASPresentationAnchor) {
            self.anchor = anchor
        }

        public func redirectURI(preferred: String) async throws(WebAuthenticationError) -> String { preferred }

        @MainActor public func authenticate(
            at url: String, redirectingTo redirectURI: String, ephemeral: Bool
        ) async throws(WebAuthenticationError) -> String {
            guard let page = URL(string: url), let scheme = URL(string: redirectURI)?.scheme, scheme != "http",
                scheme != "https"
            else { throw .unavailable(reason: "the redirect is not a scheme of the app's") }
            let answer = Answer()
            let session = window(on: page, scheme: scheme, ephemeral: ephemeral, telling: answer)
            // One is shown at a time: one that is begun anew takes the place of the one before.
            shown?.end()
            shown = Shown(session: session, answer: answer)
            let outcome = await withTaskCancellationHandler {
                // Where it does not start, nothing is told.
                if !Task.isCancelled, !session.start() {
                    answer.give(.failure(.unavailable(reason: "no window to show it over")))
                }
                return await answer.value()
            } onCancel: {
                answer.give(.failure(.cancelled))
            }
            session.cancel()
            if shown?.session === session { shown = nil }
            return try outcome.get()
        }

        private func window(
            on page: URL, scheme: String, ephemeral: Bool, telling answer: Answer
        ) -> ASWebAuthenticationSession {
            // Told on whichever thread the system has.
            let tell: @Sendable (URL?, (any Error)?) -> Void = { redirect, error in
                if let redirect {
                    answer.give(.success(redirect.absoluteString))
                } else if let error = error as? ASWebAuthenticationSessionError, error.code == .canceledLogin {
                    answer.give(.failure(.cancelled))
                } else {
                    let reason = error.map { "\($0._domain) \($0._code)" } ?? "no redirect"
                    answer.give(.failure(.unavailable(reason: reason)))
                }
            }
            let session = ASWebAuthenticationSession(url: page, callbackURLScheme: scheme, completionHandler: tell)
            session.presentationContextProvider = self
            session.prefersEphemeralWebBrowserSession = ephemeral
            return session
        }
    }

    extension SystemWebAuthentication: ASWebAuthenticationPresentationContextProviding {
        /// Asked for on the main thread, where the session was begun; not each version of the system's headers says so.
        nonisolated public func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor {
            MainActor.assumeIsolated { anchor() }
        }
    }
#endif
