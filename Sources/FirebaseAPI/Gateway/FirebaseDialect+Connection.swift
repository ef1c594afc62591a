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
        return { [settings] in
            let url = settings.url.text
            let parts = URL(string: url)
            let address = "\(parts?.host() ?? "127.0.0.1"):\(parts?.port ?? 8080)"
            return ConnectionSettings(
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
        }
    }
}
