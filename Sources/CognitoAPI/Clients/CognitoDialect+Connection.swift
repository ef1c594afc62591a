// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import ServerKit

extension CognitoDialect {
    /// The name of the app client that every development pool has.
    private static let developmentClient = "development"

    public func connection(for call: CallContext) async throws -> @Sendable () -> ConnectionSettings {
        let providers = try await accounts.identityProviders.enabled(in: call.directory.id).map(\.name)
        let clientID = try await developmentClient(of: providers, call).id.rawValue
        let poolID = poolID(of: call.directory)
        let identityPool = try await developmentIdentityPool(client: ClientID(clientID), call)
        return { [settings] in
            let (url, region) = (settings.url.text, settings.region)
            var connection = ConnectionSettings(
                name: "cognito", title: "Amazon Cognito",
                values: [
                    ("endpoint", "Endpoint", url), ("region", "Region", region),
                    ("userPoolId", "User pool ID", poolID), ("clientId", "Client ID", clientID),
                    ("identityPoolId", "Identity pool ID", identityPool),
                ],
                snippets: [
                    (
                        "Python",
                        """
                        import boto3
                        cognito = boto3.client('cognito-idp', endpoint_url='\(url)', region_name='\(region)',
                                               aws_access_key_id='dev', aws_secret_access_key='dev')
                        identity = boto3.client('cognito-identity', endpoint_url='\(url)', region_name='\(region)')
                        """
                    ),
                    (
                        "JavaScript",
                        """
                        import { Amplify } from 'aws-amplify'
                        Amplify.configure({ Auth: { Cognito: {
                          userPoolId: '\(poolID)', userPoolClientId: '\(clientID)',
                          userPoolEndpoint: '\(url)',
                          identityPoolId: '\(identityPool)', identityPoolEndpoint: '\(url)' } } })
                        """
                    ),
                ],
                environment: [
                    ("AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER", url), ("AWS_ENDPOINT_URL_COGNITO_IDENTITY", url),
                    ("AWS_REGION", region),
                    ("COGNITO_USER_POOL_ID", poolID), ("COGNITO_CLIENT_ID", clientID),
                    ("COGNITO_IDENTITY_POOL_ID", identityPool),
                ])
            if settings.hasHostedUI {
                DevelopmentSignIn(url: url, clientID: clientID, providers: providers).show(in: &connection)
            }
            return connection
        }
    }

    /// One that is there is given what it lacks, and keeps what else it was given.
    private func developmentClient(of providers: [String], _ call: CallContext) async throws -> Client {
        let administration = accounts.clientAdministration
        let wanted = DevelopmentSignIn.authorization(url: settings.url.text, providers: providers)
        let name = Self.developmentClient
        guard let present = try await administration.list(call: call).first(where: { $0.name == name }) else {
            var settings = ClientSettings()
            settings.flows = [.password, .srp, .refresh, .administrator]
            settings.authorization = wanted
            return try await administration.create(
                name: name, withSecret: false, settings: settings, dialect: Self.name, call: call)
        }
        var authorization = present.settings.authorization
        authorization.add(wanted)
        guard authorization != present.settings.authorization else { return present }
        return try await administration.update(present.id, call: call) { [authorization] in
            $0.authorization = authorization
        }
    }
}
