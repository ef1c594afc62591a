// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Why an identity pool gives somebody nothing.
public enum IdentityPoolRefusal: Error, Sendable, Hashable {
    case poolNotFound
    /// There is none in this pool, or it was merged into another.
    case identityNotFound
    case resolution(IdentityResolution.Refusal)
    /// The login is of nobody whose word the pool takes, or of another client.
    case providerNotSupported
    /// A token that is no good, whatever is the matter with it.
    case tokenInvalid
    /// When it expired: longer ago than clocks differ.
    case tokenExpired(Instant)
    /// The session is over that the token is of, or its user can't sign in any more.
    case sessionEnded
    /// A login to be taken away that the identity does not have.
    case loginNotLinked
    /// The operator's programs have named nobody whom the pool knows.
    case developerUserNotFound
    /// What they say of an identity and of a user does not go together.
    case developerUserElsewhere
    /// The name is not the one that the operator's programs have in this pool.
    case notTheDeveloperProvider
    case role(RoleChoice.Outcome)
    case credentials(TemporaryCredentialFailure)
}
