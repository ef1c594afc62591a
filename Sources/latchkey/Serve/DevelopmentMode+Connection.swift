// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountPages
import Accounts
import AuthTypes
import CognitoAPI
import Foundation
import SupabaseAPI

/// What an app is told to reach a development server, in the terms of each vendor's SDK.
extension DevelopmentMode {
    struct Connection: Sendable {
        var projectKeys: ProjectKeyIssuer
        var region: String
        var poolID: String
        var clientID: String
        var projectID: String
    }

    /// The name of the app client that every development Directory has.
    static let clientName = "development"
    /// Any text is taken for an API key in development; this one is shown.
    static let apiKey = "development-key"

    /// Gathers the settings; makes the app client where there is none yet.
    func connection(
        to directory: Directory, _ dialects: Dialects, call: CallContext, ports: AccountPorts, keys: KeyRing
    ) async throws -> Connection {
        Connection(
            projectKeys: try await ProjectKeyIssuer(for: directory, keys: keys, at: call.now),
            region: dialects.cognito.region, poolID: dialects.cognito.poolID(of: directory),
            clientID: try await client(ports, call).id.rawValue, projectID: directory.name)
    }

    private func client(_ ports: AccountPorts, _ call: CallContext) async throws -> Client {
        let administration = ClientAdministration(ports)
        if let present = try await administration.list(call: call).first(where: { $0.name == Self.clientName }) {
            return present
        }
        var settings = ClientSettings()
        settings.flows = [.password, .srp, .refresh, .administrator]
        return try await administration.create(
            name: Self.clientName, withSecret: false, settings: settings, call: call)
    }

    func settings(url: String, _ connection: Connection) -> DevelopmentSettings {
        let host = URL(string: url)
        let address = "\(host?.host() ?? "127.0.0.1"):\(host?.port ?? 8080)"
        return DevelopmentSettings(sections: [
            .init(
                name: "supabase", title: "Supabase",
                values: [
                    ("url", "Project URL", url), ("anonKey", "Anonymous key", connection.projectKeys.anonymous),
                    ("serviceRoleKey", "Service role key", connection.projectKeys.serviceRole.reveal()),
                ],
                snippets: [
                    (
                        "JavaScript",
                        """
                        import { createClient } from '@supabase/supabase-js'
                        const supabase = createClient('\(url)', '\(connection.projectKeys.anonymous)')
                        """
                    )
                ]),
            .init(
                name: "cognito", title: "Amazon Cognito",
                values: [
                    ("endpoint", "Endpoint", url), ("region", "Region", connection.region),
                    ("userPoolId", "User pool ID", connection.poolID), ("clientId", "Client ID", connection.clientID),
                ],
                snippets: [
                    (
                        "Python",
                        """
                        import boto3
                        cognito = boto3.client('cognito-idp', endpoint_url='\(url)', region_name='\(connection.region)',
                                               aws_access_key_id='dev', aws_secret_access_key='dev')
                        """
                    ),
                    (
                        "JavaScript",
                        """
                        import { Amplify } from 'aws-amplify'
                        Amplify.configure({ Auth: { Cognito: {
                          userPoolId: '\(connection.poolID)', userPoolClientId: '\(connection.clientID)',
                          userPoolEndpoint: '\(url)' } } })
                        """
                    ),
                ]),
            .init(
                name: "firebase", title: "Firebase",
                values: [
                    ("emulatorHost", "Emulator host", address),
                    ("projectId", "Project ID", connection.projectID), ("apiKey", "API key", Self.apiKey),
                ],
                snippets: [
                    (
                        "Python",
                        """
                        import os, firebase_admin
                        os.environ['FIREBASE_AUTH_EMULATOR_HOST'] = '\(address)'
                        firebase_admin.initialize_app(options={'projectId': '\(connection.projectID)'})
                        """
                    ),
                    (
                        "JavaScript",
                        """
                        import { initializeApp } from 'firebase/app'
                        import { getAuth, connectAuthEmulator } from 'firebase/auth'
                        const auth = getAuth(initializeApp(
                          { apiKey: '\(Self.apiKey)', projectId: '\(connection.projectID)' }))
                        connectAuthEmulator(auth, '\(url)')
                        """
                    ),
                ]),
            .init(name: "app", title: "App API", values: [("url", "Base URL", url)]),
            .init(
                name: "demo", title: "Demo user",
                values: [("email", "Email", Self.demoEmail), ("password", "Password", demoPassword)]),
        ])
    }

    /// What the server prints when it is ready.
    func greeting(url: String, _ connection: Connection) -> String {
        let host = URL(string: url)
        return """

            Latchkey runs in development mode at \(url)

              Settings   \(url)/dev
              Mail       \(url)/dev/mail
              Demo user  \(Self.demoEmail)  \(demoPassword)

            Point your app here and change nothing else.
              Supabase
              SUPABASE_URL=\(url)
              SUPABASE_ANON_KEY=\(connection.projectKeys.anonymous)
              SUPABASE_SERVICE_ROLE_KEY=\(connection.projectKeys.serviceRole.reveal())

              Cognito
              AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER=\(url)
              AWS_REGION=\(connection.region)
              COGNITO_USER_POOL_ID=\(connection.poolID)
              COGNITO_CLIENT_ID=\(connection.clientID)

              Firebase
              FIREBASE_AUTH_EMULATOR_HOST=\(host?.host() ?? "127.0.0.1"):\(host?.port ?? 8080)
              FIREBASE_PROJECT_ID=\(connection.projectID)
              FIREBASE_API_KEY=\(Self.apiKey)

            Stop it with Ctrl-C.
            """
    }
}
