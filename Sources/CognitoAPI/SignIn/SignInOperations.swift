// SPDX-License-Identifier: Apache-2.0

import Accounts
import ServerKit

extension Operation {
    /// How often one client may begin a sign-in: a refresh begins as one.
    private static let initiation = RouteLimit.first(
        [.when(.member("AuthFlow", [AuthFlow.refreshToken, .refresh].map(\.rawValue)), .refresh)], otherwise: .signIn)

    static let signIn: [Operation] = [
        Operation("InitiateAuth", .client, limit: initiation) { try await SignInEndpoints.initiate($0) },
        Operation("RespondToAuthChallenge", .client, limit: .by(.signInChallenge)) {
            try await SignInEndpoints.respond($0)
        },
        Operation("AdminInitiateAuth", .pool) { try await SignInEndpoints.initiate($0) },
        Operation("AdminRespondToAuthChallenge", .pool) { try await SignInEndpoints.respond($0) },
    ]
}
