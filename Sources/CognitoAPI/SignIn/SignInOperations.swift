// SPDX-License-Identifier: Apache-2.0

extension Operation {
    static let signIn: [Operation] = [
        Operation("InitiateAuth", .client) { try await SignInEndpoints.initiate($0) },
        Operation("RespondToAuthChallenge", .client) { try await SignInEndpoints.respond($0) },
        Operation("AdminInitiateAuth", .pool) { try await SignInEndpoints.initiate($0) },
        Operation("AdminRespondToAuthChallenge", .pool) { try await SignInEndpoints.respond($0) },
    ]
}
