// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

/// What strangers see of users must not say when they were made, nor who was made up.
@Suite struct IdentifierFormTests {
    /// RFC 9562, section 5.4.
    private static func isRandom(_ id: String) -> Bool {
        let digits = Array(id.utf8)
        return digits.count == 36 && digits[14] == UInt8(ascii: "4") && "89ab".utf8.contains(digits[19])
    }

    private enum Way: CaseIterable { case signUp, anonymous, link, text, administrator, invitation, operatorsLink }

    private func make(_ way: Way, _ bench: Bench) async throws {
        let email = try EmailAddress("a@example.com")
        let ports = bench.ports
        let call = bench.call()
        switch way {
        case .signUp:
            _ = try await SignUp(ports)(
                SignUpCommand(identifier: .email(email), password: Secret("Correct-Horse-7")), call: call)
        case .anonymous: _ = try await AnonymousSignUp(ports)(userMetadata: [:], call: call)
        case .link: try await RequestMagicLink(ports)(email, call: call)
        case .text: try await RequestPhoneCode(ports)(PhoneNumber("+491701234567"), call: call)
        case .administrator:
            var attributes = UserAttributes()
            attributes.email = email
            _ = try await UserAdministration(ports).create(attributes, call: call)
        case .invitation: _ = try await UserAdministration(ports).invite(email: email, call: call)
        case .operatorsLink:
            _ = try await UserAdministration(ports).generateLink(.signUpConfirmation, email: email, call: call)
        }
    }

    @Test("R8.10 whichever way a user is made, their identifiers are of the form that made-up ones have")
    func everyWay() async throws {
        var settings = DirectorySettings()
        settings.signUp.anonymousEnabled = true
        for way in Way.allCases {
            let bench = try await Bench.make(settings: settings)
            try await make(way, bench)
            let directory = bench.directory.id
            let (users, identities) = try await bench.ports.store.scan(in: nil) { tx in
                let users = try tx.users(in: directory, after: nil, limit: 10)
                return (users, try users.flatMap { try tx.identities(of: $0.id, in: directory) })
            }
            #expect(users.count == 1, "\(way)")
            #expect(users.allSatisfy { Self.isRandom($0.id.rawValue) }, "\(way)")
            #expect(identities.allSatisfy { Self.isRandom($0.id.rawValue) }, "\(way)")
        }
        let made: UserID = try await Bench.make().directory.derivedIdentifier("user", of: "a")
        #expect(Self.isRandom(made.rawValue))
    }
}
