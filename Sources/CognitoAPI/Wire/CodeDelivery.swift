// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

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

    init(_ recipient: Recipient) {
        switch recipient {
        case .email(let email): self.init(email)
        case .phone(let phone): self.init(phone)
        }
    }

    /// What whoever names somebody is told, from the name alone: an address or a number is where its message goes, and
    /// of a name nothing is said but by which medium the Directory reaches people. The user's own medium would tell
    /// who has an account, and what is made up for nobody could be told from it over enough names.
    init(named identifier: SignInIdentifier, in directory: Directory) {
        switch identifier {
        case .email(let email): self.init(email)
        case .phone(let phone): self.init(phone)
        case .username, .user:
            self = directory.settings.signUp.emailEnabled ? .somewhere(.mail) : .somewhere(.textMessage)
        }
    }

    /// The same of a code whose channel the caller has chosen.
    init(named identifier: SignInIdentifier, by channel: CodeSignIn.Channel) {
        switch (channel, identifier) {
        case (.mail, .email(let email)): self.init(email)
        case (.textMessage, .phone(let phone)): self.init(phone)
        case (.mail, _): self = .somewhere(.mail)
        case (.textMessage, _): self = .somewhere(.textMessage)
        }
    }

    private init(_ medium: Medium, _ destination: String) {
        self.medium = medium
        self.destination = destination
    }

    private static func somewhere(_ medium: Medium) -> Self { Self(medium, medium == .mail ? "***@***" : "+***") }

    var json: JSONObject {
        [
            "Destination": .string(destination), "DeliveryMedium": .string(medium.rawValue),
            "AttributeName": .string(medium == .mail ? "email" : "phone_number"),
        ]
    }
}
