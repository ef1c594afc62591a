// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What a provider says of a user, by the names that the Directory has for it: ``IdentityProvider/attributeMapping``
/// laid over what was judged. Texts throughout, which is what every place that keeps them has.
///
/// What somebody is signed in or linked by is not among it: subject, address and number, and whether they were
/// verified, are ``FederationDecision``'s. No mapping makes an address one that the provider vouches for.
public struct MappedAttributes: Sendable, Equatable {
    /// The longest value that is taken, in octets; a longer one is passed over.
    public static let valueLimit = 2048

    /// The names of OpenID Connect Core, section 5.1, for what is decided by and not copied, and a user name, which is
    /// never anybody else's to give.
    private static let decided: Set<String> = [
        "sub", "email", "email_verified", "phone_number", "phone_number_verified", "username",
    ]

    /// Values by attributes. What the provider does not say is not among them: it stays as it was.
    public let values: [String: String]
    /// A number that the provider names. Nobody has proved it to this server.
    public let phone: PhoneNumber?

    public init(_ proof: FederatedProof, by mapping: [String: String]) {
        values = mapping.reduce(into: [:]) { values, pair in
            guard !Self.decided.contains(pair.key), let text = proof.text(of: pair.value) else { return }
            values[pair.key] = text
        }
        phone = mapping["phone_number"].flatMap { proof.text(of: $0) }.flatMap { text in
            text.hasPrefix("+") ? try? PhoneNumber(text) : nil
        }
    }

    /// What every dialect shows of a user, laid over ``User/userMetadata``.
    var shared: JSONObject {
        var shared = JSONObject()
        for field in SharedField.allCases {
            guard let text = values[field.rawValue], field != .picture || text.hasPrefix("https://") else { continue }
            shared[field.rawValue] = .string(text)
        }
        return shared
    }
}

extension FederatedProof {
    /// The proof with the address that the mapping names: another claim than the provider's own for it is not vouched
    /// for, whatever stands beside it.
    func addressed(by mapping: [String: String]) -> FederatedProof {
        guard let claim = mapping["email"], claim != "email" else { return self }
        let named = text(of: claim).flatMap { try? EmailAddress($0) }
        guard named != email else { return self }
        var proof = self
        (proof.email, proof.isEmailVouched) = (named, false)
        return proof
    }

    /// A claim as a text; `nil` where there is none, or one that is no text, number, flag or list of those.
    fileprivate func text(of claim: String) -> String? {
        let text =
            switch claim {
            // As each vendor calls it.
            case "sub", "id", "user_id": subject
            case "name": claims[claim].flatMap(Self.text) ?? fullName
            // Apple's come beside what is signed, once.
            case "given_name", "firstName": claims["given_name"].flatMap(Self.text) ?? givenName
            case "family_name", "lastName": claims["family_name"].flatMap(Self.text) ?? familyName
            default: claims[claim].flatMap(Self.text)
            }
        return text.flatMap {
            (1...MappedAttributes.valueLimit).contains($0.utf8.count) && StreamSafeText.accepts($0) ? $0 : nil
        }
    }

    private static func text(_ value: JSONValue) -> String? {
        switch value {
        case .string(let text): text
        case .integer(let number): String(number)
        case .bool(let flag): flag ? "true" : "false"
        case .array(let list):
            list.contains { $0.arrayValue != nil }
                ? nil : "[" + list.compactMap(Self.text).joined(separator: ", ") + "]"
        case .null, .number, .object: nil
        }
    }
}
