// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import ServerKit

extension Route {
    static let passkeys: [Route] = [
        Route(
            .post, "/passkeys/authentication/options", .project, limit: .by(.signIn), gate: .passkeys,
            PasskeyEndpoints.authenticationOptions),
        Route(
            .post, "/passkeys/authentication/verify", .project, limit: .by(.signInChallenge), gate: .passkeys,
            PasskeyEndpoints.authenticationVerify),
        Route(
            .post, "/passkeys/registration/options", .user, limit: .by(.user), gate: .passkeys,
            PasskeyEndpoints.registrationOptions),
        Route(
            .post, "/passkeys/registration/verify", .user, limit: .by(.verify), gate: .passkeys,
            PasskeyEndpoints.registrationVerify),
        Route(
            .get, "/passkeys", .user, limit: .unlimited(.signedIn), gate: .passkeys, PasskeyEndpoints.list),
        Route(.patch, "/passkeys/{part_id}", .user, limit: .by(.user), gate: .passkeys, PasskeyEndpoints.update),
        Route(
            .delete, "/passkeys/{part_id}", .user, limit: .by(.user), body: .unread, gate: .passkeys,
            PasskeyEndpoints.delete),
        Route(.get, "/admin/users/{user_id}/passkeys", .administrator, PasskeyEndpoints.listOfUser),
        Route(
            .delete, "/admin/users/{user_id}/passkeys/{part_id}", .administrator, body: .unread,
            PasskeyEndpoints.deleteOfUser),
    ]
}
