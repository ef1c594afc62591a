// SPDX-License-Identifier: Apache-2.0

import Accounts
import AuthTypes
import Crypto

/// Where a code went, masked so that whoever asked for it learns no more than its owner needs to know.
struct CodeDelivery: Sendable, Equatable {
    enum Medium: String, Sendable {
        case mail = "EMAIL"
        case textMessage = "SMS"
    }

    let medium: Medium
    let destination: String

    init(_ email: EmailAddress) {
        medium = .mail
        destination = "\(email.localPart.prefix(1))***@\(email.domain.prefix(1))***"
    }

    init(_ phone: PhoneNumber) {
        medium = .textMessage
        destination = "+" + String(repeating: "*", count: max(0, phone.digits.count - 4)) + phone.digits.suffix(4)
    }

    /// Where a confirmation or a recovery of this user goes; `nil` for one without address and number.
    init?(_ user: User) {
        if let email = user.email {
            self.init(email)
        } else if let phone = user.phone {
            self.init(phone)
        } else {
            return nil
        }
    }

    /// A destination for a name that nobody has: the same each time, so that asking twice tells nothing.
    init(unknown identifier: SignInIdentifier, in directory: Directory) {
        switch identifier {
        case .email(let email): self.init(email)
        case .phone(let phone): self.init(phone)
        case .username(let name): self.init(madeUpFrom: name.key, in: directory)
        case .user(let id): self.init(madeUpFrom: id.rawValue, in: directory)
        }
    }

    private init(madeUpFrom name: String, in directory: Directory) {
        let mac = HMAC<SHA256>.authenticationCode(
            for: Array("delivery\u{0}\(name.lowercased())".utf8),
            using: SymmetricKey(data: directory.tokenKey.reveal()))
        let letters = mac.prefix(2).map { String(UnicodeScalar(97 + $0 % 26)) }
        medium = .mail
        destination = letters.map { $0 + "***" }.joined(separator: "@")
    }

    var json: JSONObject {
        [
            "Destination": .string(destination), "DeliveryMedium": .string(medium.rawValue),
            "AttributeName": .string(medium == .mail ? "email" : "phone_number"),
        ]
    }
}
