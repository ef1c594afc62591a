// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// `GetUserAuthFactors` and `AdminGetUserAuthFactors`: what a user can sign in by in this pool, and is asked for beside
/// it.
enum UserAuthFactors {
    static func get(_ call: DialectCall) async throws -> JSONObject { try await json(of: try call.user().user, call) }

    static func ofNamed(_ call: DialectCall) async throws -> JSONObject {
        try await json(of: try await call.namedUser(), call)
    }

    private static func json(of user: User, _ call: DialectCall) async throws -> JSONObject {
        var json: JSONObject = ["Username": .string(UserWire.username(of: user))]
        try await call.addFactors(of: user, to: &json)
        let passkeys = try await call.accounts.userPasskeys.list(of: user.id, call: call.flow)
        let ways = ChosenSignIn.Way.allowed(by: call).filter { way in
            switch way {
            case .password: user.passwordHash != nil
            // The same factor by another protocol.
            case .passwordSRP: false
            case .mail: user.email != nil && user.emailVerifiedAt != nil
            case .textMessage: user.phone != nil && user.phoneVerifiedAt != nil
            case .passkey: !passkeys.isEmpty
            }
        }
        json["ConfiguredUserAuthFactors"] = .array(ways.map { .string($0.rawValue) })
        return json
    }
}
