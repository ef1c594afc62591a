// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import ServerKit

extension CognitoDialect {
    /// The name of the app client that every development pool has.
    private static let developmentClient = "development"

    public func connection(for call: CallContext) async throws -> @Sendable () -> ConnectionSettings {
        let (poolID, clientID) = (poolID(of: call.directory), try await developmentClient(call).id.rawValue)
        return { [settings] in
            let (url, region) = (settings.url.text, settings.region)
            return ConnectionSettings(
                name: "cognito", title: "Amazon Cognito",
                values: [
                    ("endpoint", "Endpoint", url), ("region", "Region", region),
                    ("userPoolId", "User pool ID", poolID), ("clientId", "Client ID", clientID),
                ],
                snippets: [
                    (
                        "Python",
                        """
                        import boto3
                        cognito = boto3.client('cognito-idp', endpoint_url='\(url)', region_name='\(region)',
                                               aws_access_key_id='dev', aws_secret_access_key='dev')
                        """
                    ),
                    (
                        "JavaScript",
                        """
                        import { Amplify } from 'aws-amplify'
                        Amplify.configure({ Auth: { Cognito: {
                          userPoolId: '\(poolID)', userPoolClientId: '\(clientID)',
                          userPoolEndpoint: '\(url)' } } })
                        """
                    ),
                ],
                environment: [
                    ("AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER", url), ("AWS_REGION", region),
                    ("COGNITO_USER_POOL_ID", poolID), ("COGNITO_CLIENT_ID", clientID),
                ])
        }
    }

    private func developmentClient(_ call: CallContext) async throws -> Client {
        let administration = accounts.clientAdministration
        if let present = try await administration.list(call: call).first(where: { $0.name == Self.developmentClient }) {
            return present
        }
        var settings = ClientSettings()
        settings.flows = [.password, .srp, .refresh, .administrator]
        return try await administration.create(
            name: Self.developmentClient, withSecret: false, settings: settings, dialect: Self.name, call: call)
    }
}
