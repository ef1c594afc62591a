// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Where a message goes: whoever answers with what it carries controls this address or number.
public enum Recipient: Sendable, Hashable {
    case email(EmailAddress)
    case phone(PhoneNumber)

    /// As a one-time token and the outbox spell it.
    public var address: String {
        switch self {
        case .email(let email): email.rawValue
        case .phone(let phone): phone.e164
        }
    }
}

extension Recipient {
    /// By what somebody can be told something.
    enum Channel: String {
        case mail
        case sms
    }

    var channel: Channel {
        switch self {
        case .email: .mail
        case .phone: .sms
        }
    }

    /// Whether the user has proved that messages reach them there.
    func isProven(for user: User) -> Bool {
        switch self {
        case .email(let address): user.email == address && user.emailVerifiedAt != nil
        case .phone(let number): user.phone == number && user.phoneVerifiedAt != nil
        }
    }
}
