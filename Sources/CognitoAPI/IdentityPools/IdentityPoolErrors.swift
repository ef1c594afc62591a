// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// How the service's identity pools say what they refuse: by exceptions that the operation's model declares.
struct IdentityPoolErrors {
    let operation: String
    let input: Input
    let now: Instant

    static let notConfigured = WireError(
        "InvalidIdentityPoolConfigurationException",
        "Invalid identity pool configuration. Check assigned IAM roles for this pool.")
    static let tokenNotJudged = invalidToken("Couldn't verify signed token.")

    static func invalidToken(_ reason: String) -> WireError { .notAuthorized("Invalid login token. " + reason) }
    static func noPool(_ id: String) -> WireError { .notFound("IdentityPool '\(Input.excerpt(id))' not found.") }
    private static func conflict(_ text: String) -> WireError { WireError("ResourceConflictException", text) }

    /// What breaks a constraint of the model is a `ValidationException` in this service.
    static func validation(_ error: WireError) -> WireError {
        guard error.exception == "InvalidParameterException", error.message.hasPrefix("1 validation error detected")
        else {
            return error
        }
        return WireError("ValidationException", error.message)
    }

    func error(_ refusal: IdentityPoolRefusal) -> WireError {
        let identity = Input.excerpt(input.object["IdentityId"]?.stringValue ?? "")
        return switch refusal {
        case .poolNotFound: Self.noPool(input.object["IdentityPoolId"]?.stringValue ?? "")
        case .identityNotFound: .notFound("Identity '\(identity)' not found.")
        case .resolution(let refusal): error(refusal, identity)
        case .providerNotSupported:
            .notAuthorized("Token is not from a supported provider of this identity pool.")
        case .tokenInvalid: Self.tokenNotJudged
        case .tokenExpired(let end): Self.invalidToken("Token expired: \(now.seconds) >= \(end.seconds)")
        case .sessionEnded: Self.invalidToken("Token has been revoked.")
        case .loginNotLinked: .notFound("Login is not linked to Identity '\(identity)'.")
        case .developerUserNotFound: .notFound("Developer user identifier not found.")
        case .developerUserElsewhere:
            Self.conflict("The developer user identifier belongs to a different identity.")
        case .notTheDeveloperProvider: .parameter("Please provide the developer provider of this identity pool.")
        case .role(.notTheirs): .notAuthorized("The requested role is not one of the token's.")
        case .role(.denied): .notAuthorized("No role could be chosen for the identity.")
        case .role: Self.notConfigured
        case .credentials(.unavailable):
            WireError("ExternalServiceException", "The service that issues credentials could not be reached.")
        case .credentials: Self.notConfigured
        }
    }

    private func error(_ refusal: IdentityResolution.Refusal, _ identity: String) -> WireError {
        switch refusal {
        case .guestsNotAllowed: return .notAuthorized("Unauthenticated access is not supported for this identity pool.")
        case .forbidden: return .notAuthorized("Access to Identity '\(identity)' is forbidden.")
        case .notItsLogins:
            return .notAuthorized(
                "Logins don't match. Please include at least one valid login for this identity or identity pool.")
        case .linkedElsewhere: return Self.conflict("Login is already linked to another account.")
        case .developerUserTaken:
            return WireError(
                "DeveloperUserAlreadyRegisteredException",
                "The provided developer user identifier is already registered with Cognito under a different identity ID."
            )
        case .tooManyLogins:
            let text = "An identity can have at most \(PoolLogin.maximum) linked logins."
            return operation == "GetId" ? WireError("LimitExceededException", text) : Self.conflict(text)
        }
    }

    /// What an error of the domain's is here; `nil` for those that every operation says alike.
    static func error(_ error: AuthError, operation: String) -> WireError? {
        switch (error.code, error.field) {
        case (.identityProviderUnavailable, _):
            // One operation has no word for it.
            operation == "GetOpenIdTokenForDeveloperIdentity"
                ? tokenNotJudged
                : WireError("ExternalServiceException", "The identity provider could not be reached.")
        case (.conflict, "count"): WireError("LimitExceededException", "You have exceeded the limit of identity pools.")
        case (.conflict, "developer_provider"): .parameter("DeveloperProviderName can not be changed.")
        case (.conflict, _):
            ["UpdateIdentityPool", "SetIdentityPoolRoles"].contains(operation)
                ? WireError("ConcurrentModificationException", "The identity pool was changed at the same time.")
                : conflict("The request conflicts with another one.")
        case (.metadataTooLarge, _): .parameter("The settings of the identity pool would be too large.")
        case (.forbidden, _): .notAuthorized("The caller is not allowed to perform this operation.")
        default: nil
        }
    }
}
