// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Every flow that writes metadata or attributes does it here.
extension User {
    /// Lays what a user writes of themselves over what there is; a null removes a member.
    ///
    /// - Parameter attributes: for the half that users write in the place of the call's dialect.
    mutating func write(metadata: JSONObject?, attributes: JSONObject?, call: CallContext) throws(AuthError) {
        if let metadata { userMetadata = userMetadata.merging(metadata) }
        if let attributes, !attributes.isEmpty {
            let place = try call.place()
            dialectData[place].byUser = dialectData[place].byUser.merging(attributes)
        }
    }

    /// Drops what somebody wrote of themselves, through whichever dialect.
    mutating func forgetDescription() {
        userMetadata = [:]
        dialectData.forgetUser()
    }

    /// Writes what a user says of themselves in place of whatever they, or somebody in their name, said before.
    mutating func describe(metadata: JSONObject, attributes: JSONObject, call: CallContext) throws(AuthError) {
        forgetDescription()
        try write(metadata: metadata, attributes: attributes, call: call)
    }

    /// Lays what an operator writes over what there is in the places that only operators write.
    ///
    /// - Parameter attributes: for the operators' half in the place of the call's dialect.
    mutating func operate(metadata: JSONObject?, attributes: JSONObject?, call: CallContext) throws(AuthError) {
        if let metadata { appMetadata = appMetadata.merging(metadata) }
        if let attributes, !attributes.isEmpty {
            let place = try call.place()
            dialectData[place].byOperator = dialectData[place].byOperator.merging(attributes)
        }
    }
}

extension CallContext {
    fileprivate func place() throws(AuthError) -> DialectName {
        guard let dialect else {
            throw AuthError(.internalFailure, reason: "attributes from a caller that has no place for them")
        }
        return dialect
    }
}
