// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Every flow that writes metadata or attributes does it here.
extension User {
    /// Lays what a user writes of themselves over what there is; a null removes a member.
    ///
    /// - Parameter attributes: for the half that users write in the place of the call's dialect.
    /// - Throws: ``AuthErrorCode/metadataTooLarge`` for what would come of it.
    mutating func write(metadata: JSONObject?, attributes: JSONObject?, call: CallContext) throws(AuthError) {
        if let metadata {
            userMetadata = userMetadata.merging(metadata)
            try call.settings.requireBounded(userMetadata, "user_metadata")
        }
        if let attributes, !attributes.isEmpty {
            let place = try call.place()
            let merged = dialectData[place].byUser.merging(attributes)
            try call.settings.requireBounded(merged, "attributes")
            dialectData[place].byUser = merged
        }
    }

    /// Lays attributes over what there is in both halves of a dialect's place, of which another dialect's call knows.
    ///
    /// - Throws: ``AuthErrorCode/metadataTooLarge`` for what would come of it.
    mutating func write(
        _ byUser: JSONObject, _ byOperator: JSONObject, in place: DialectName, _ settings: DirectorySettings
    ) throws(AuthError) {
        guard !byUser.isEmpty || !byOperator.isEmpty else { return }
        var kept = dialectData[place]
        kept.byUser = kept.byUser.merging(byUser)
        kept.byOperator = kept.byOperator.merging(byOperator)
        try settings.requireBounded(kept.byUser, "attributes")
        try settings.requireBounded(kept.byOperator, "attributes")
        dialectData[place] = kept
    }

    /// Drops what somebody wrote of themselves, through whichever dialect.
    mutating func forgetDescription() {
        userMetadata = [:]
        dialectData.forgetUser()
    }

    /// Writes what a user says of themselves in place of whatever they, or somebody in their name, said before.
    ///
    /// - Throws: As ``write(metadata:attributes:call:)``.
    mutating func describe(metadata: JSONObject, attributes: JSONObject, call: CallContext) throws(AuthError) {
        forgetDescription()
        try write(metadata: metadata, attributes: attributes, call: call)
    }

    /// Lays what an operator writes over what there is in the places that only operators write.
    ///
    /// - Parameter attributes: for the operators' half in the place of the call's dialect.
    /// - Throws: As ``write(metadata:attributes:call:)``.
    mutating func operate(metadata: JSONObject?, attributes: JSONObject?, call: CallContext) throws(AuthError) {
        if let metadata {
            appMetadata = appMetadata.merging(metadata)
            try call.settings.requireBounded(appMetadata, "app_metadata")
        }
        if let attributes, !attributes.isEmpty {
            let place = try call.place()
            let merged = dialectData[place].byOperator.merging(attributes)
            try call.settings.requireBounded(merged, "attributes")
            dialectData[place].byOperator = merged
        }
    }
}

extension CallContext {
    /// Judges what somebody says of themselves before it is known whether they have an account: a refusal must not
    /// tell.
    ///
    /// - Throws: ``AuthErrorCode/metadataTooLarge``.
    func requireAcceptable(metadata: JSONObject, attributes: JSONObject = [:]) throws(AuthError) {
        try settings.requireBounded(metadata, "user_metadata")
        try settings.requireBounded(attributes, "attributes")
    }

    fileprivate func place() throws(AuthError) -> DialectName {
        guard let dialect = attributePlace ?? dialect else {
            throw AuthError(.internalFailure, reason: "attributes from a caller that has no place for them")
        }
        return dialect
    }
}
