// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// How the platform calls the way in which a user signed in.
struct SignInProvider: RawRepresentable, Equatable {
    let rawValue: String

    static let password = Self(rawValue: "password")
    static let phone = Self(rawValue: "phone")
    static let anonymous = Self(rawValue: "anonymous")
    static let custom = Self(rawValue: "custom")

    init(rawValue: String) { self.rawValue = rawValue }

    /// Links and codes sent by mail go by `password` here too.
    init(_ session: Session, of user: User) {
        let method = session.methods.first
        switch method?.name {
        case .federated:
            self = method?.provider.map { Self(rawValue: ProviderID($0).text) } ?? .custom
        case .assertion: self = .custom
        case .anonymous: self = user.isAnonymous ? .anonymous : .password
        case .textMessage: self = .phone
        case .password: self = user.email == nil && user.phone != nil ? .phone : .password
        default: self = user.email == nil ? .phone : .password
        }
    }

    static func isLocal(_ identity: Identity) -> Bool { identity.provider == "email" || identity.provider == "phone" }
}
