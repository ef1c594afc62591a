// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension FlowStep {
    /// The call as a message to `user` is written in it: in the owner's language wherever somebody else may have caused
    /// it. Whoever locks a stranger's account, or an operator, decides nothing about the words that its owner reads.
    func addressing(_ user: User) throws -> CallContext {
        // Whoever is signed in as the recipient has just said what they read.
        if case .user(let caller) = call.actor, caller == user.id { return call }
        var addressed = call
        addressed.language =
            user.preferredLanguage(try tx.profile(of: user.id, in: directory)) ?? call.language
        return addressed
    }
}

extension User {
    /// What the user reads, as far as is known: what they have said of themselves, in the app's profile or in the claim
    /// of OpenID Connect's (Core, section 5.1), and else the language that they last signed in with.
    func preferredLanguage(_ profile: Profile?) -> MessageLanguage? {
        let said = [profile?.locale, userMetadata["locale"]?.stringValue]
        return said.lazy.compactMap { $0.flatMap(MessageLanguage.init(tag:)) }.first ?? language
    }
}
