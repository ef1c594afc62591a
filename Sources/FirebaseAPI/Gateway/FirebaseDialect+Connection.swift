// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Foundation
import ServerKit

extension FirebaseDialect {
    /// Any text is taken for an API key in development; this one is shown.
    private static let developmentKey = "development-key"

    public func connection(for call: CallContext) async throws -> @Sendable () -> ConnectionSettings {
        let (projectID, key) = (call.directory.projectID, Self.developmentKey)
        let providers = try await accounts.identityProviders.enabled(in: call.directory.id)
            .map { ProviderID($0.name).text }
        return { [settings] in
            let url = settings.url.text
            let parts = URL(string: url)
            let address = "\(parts?.host() ?? "127.0.0.1"):\(parts?.port ?? 8080)"
            var connection = ConnectionSettings(
                name: "firebase", title: "Firebase",
                values: [
                    ("emulatorHost", "Emulator host", address), ("projectId", "Project ID", projectID),
                    ("apiKey", "API key", key),
                ],
                snippets: [
                    (
                        "Python",
                        """
                        import os, firebase_admin
                        os.environ['FIREBASE_AUTH_EMULATOR_HOST'] = '\(address)'
                        firebase_admin.initialize_app(options={'projectId': '\(projectID)'})
                        """
                    ),
                    (
                        "JavaScript",
                        """
                        import { initializeApp } from 'firebase/app'
                        import { getAuth, connectAuthEmulator } from 'firebase/auth'
                        const auth = getAuth(initializeApp(
                          { apiKey: '\(key)', projectId: '\(projectID)' }))
                        connectAuthEmulator(auth, '\(url)')
                        """
                    ),
                ],
                environment: [
                    ("FIREBASE_AUTH_EMULATOR_HOST", address), ("FIREBASE_PROJECT_ID", projectID),
                    ("FIREBASE_API_KEY", key),
                ])
            connection.show(providers, url: url, key: key)
            return connection
        }
    }
}

extension ConnectionSettings {
    /// How an app signs users in by the identity providers that a development server has.
    ///
    /// - Parameter providers: as the platform's clients call them.
    fileprivate mutating func show(_ providers: [String], url: String, key: String) {
        guard !providers.isEmpty else { return }
        values.append(("providers", "Providers (providerId)", providers.joined(separator: " ")))
        guard providers.contains("google.com") else { return }
        snippets.append(
            (
                "JavaScript: sign in with what the provider's SDK gave the app",
                """
                import { GoogleAuthProvider, signInWithCredential } from 'firebase/auth'
                await signInWithCredential(auth, GoogleAuthProvider.credential(idToken))
                """
            ))
        let operations = url + "/identitytoolkit.googleapis.com/v1/accounts:"
        let json = "-H 'Content-Type: application/json'"
        snippets.append(
            (
                "Shell: the same (id_token stands below, with the identity providers)",
                """
                curl '\(operations)signInWithIdp?key=\(key)' \(json) \\
                  -d '{"requestUri": "http://localhost", "returnSecureToken": true,
                  "postBody": "providerId=google.com&id_token='$(id_token)'"}'
                """
            ))
        snippets.append(
            (
                "Shell: sign in by a provider's page",
                """
                # Answers with authUri, to be opened in a browser, and sessionId:
                curl '\(operations)createAuthUri?key=\(key)' \(json) \\
                  -d '{"providerId": "google.com", "continueUri": "http://localhost:3000/back"}'
                # What the browser has come back to, with that sessionId:
                curl '\(operations)signInWithIdp?key=\(key)' \(json) \\
                  -d '{"requestUri": "http://localhost:3000/back?state=…&code=…", "sessionId": "…", "returnSecureToken": true}'
                """
            ))
    }
}
