// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import TokenVerifier

/// Whose tokens this API accepts. Read from the environment; each is needed.
struct Settings {
    let cognitoRegion: String
    let cognitoPool: String
    let cognitoClients: Set<String>
    let firebaseProject: String
    let latchkeyURL: String
    let latchkeyAudience: String

    init(_ environment: Environment) throws {
        cognitoRegion = try environment.require("COGNITO_REGION")
        cognitoPool = try environment.require("COGNITO_USER_POOL_ID")
        cognitoClients = Set(try environment.require("COGNITO_CLIENT_IDS").split(separator: ",").map(String.init))
        firebaseProject = try environment.require("FIREBASE_PROJECT_ID")
        latchkeyURL = try environment.require("LATCHKEY_URL")
        latchkeyAudience = try environment.require("LATCHKEY_AUDIENCE")
    }

    var profiles: [TokenProfile] {
        [
            .cognito(region: cognitoRegion, userPoolID: cognitoPool, clientIDs: cognitoClients, kind: .access),
            .firebase(projectID: firebaseProject),
            .latchkey(url: latchkeyURL, audiences: [latchkeyAudience]),
        ]
    }
}
