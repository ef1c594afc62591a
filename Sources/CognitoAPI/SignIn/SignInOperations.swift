// SPDX-License-Identifier: Apache-2.0

import Accounts
import ServerKit

extension Operation {
    /// How often one client may begin a sign-in: a refresh begins as one.
    private static let initiation = RouteLimit.first(
        [.when(.member("AuthFlow", [AuthFlow.refreshToken, .refresh].map(\.rawValue)), .refresh)], otherwise: .signIn)

    /// A password is shown, or chosen: by SRP neither is.
    private static let password = RouteHashing.when(.anyMember(["PASSWORD", "NEW_PASSWORD"]))

    static let signIn: [Operation] = [
        Operation("InitiateAuth", .client, limit: initiation, hashing: password) {
            try await SignInEndpoints.initiate($0)
        },
        Operation("RespondToAuthChallenge", .client, limit: .by(.signInChallenge), hashing: password) {
            try await SignInEndpoints.respond($0)
        },
        Operation("AdminInitiateAuth", .pool) { try await SignInEndpoints.initiate($0) },
        Operation("AdminRespondToAuthChallenge", .pool) { try await SignInEndpoints.respond($0) },
    ]
}
