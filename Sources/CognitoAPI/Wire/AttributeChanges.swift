// SPDX-License-Identifier: Apache-2.0

import Accounts
import AuthTypes

/// What an operation writes of a user's attributes, sorted into the places where the domain keeps them.
struct AttributeChanges: Sendable {
    var email: EmailAddress?
    var phone: PhoneNumber?
    var emailVerified: Bool?
    var phoneVerified: Bool?
    /// Laid over the user's metadata; a null removes an attribute.
    var metadata = JSONObject()

    private static let nameLimit = 32
    private static let valueLimit = 2048

    /// Reads `[{Name, Value}]`.
    ///
    /// - Parameter byAdministrator: Only an administrator says that an address is verified.
    /// - Throws: `InvalidParameterException` for what is no attribute of the pool or breaks its constraints,
    ///   `NotAuthorizedException` for what the user may not write.
    init(_ list: [JSONValue]?, of pool: PoolSettings, byAdministrator: Bool) throws {
        for element in list ?? [] {
            guard let pair = element.objectValue else { throw Input.mismatch("UserAttributes", "Structure") }
            let input = Input(pair)
            let name = try input.required(Member("Name", 1...Self.nameLimit, .attributeName))
            let value = try input.text(Member("Value", 0...Self.valueLimit, sensitive: true)) ?? ""
            try set(name, to: value, of: pool, byAdministrator: byAdministrator)
        }
    }

    /// The removal of attributes by name.
    init(removing names: [String], of pool: PoolSettings) throws {
        for name in names {
            guard pool.attribute(name) != nil else { throw PoolSettings.unknownAttribute(name) }
            guard StandardAttribute.inMetadata.contains(name) || UserAttributeList.isCustom(name) else {
                throw WireError.parameter("user.\(name): Attribute cannot be deleted.")
            }
            metadata[name] = .some(.null)
        }
    }

    private mutating func set(
        _ name: String, to value: String, of pool: PoolSettings, byAdministrator: Bool
    ) throws {
        switch name {
        case "sub": throw WireError.parameter("user.sub: Attribute cannot be updated.")
        case "email":
            // A blank value leaves an address as it is: an account does not lose its last one this way.
            if !value.isEmpty { email = try EmailAddress(value) }
        case "phone_number":
            if !value.isEmpty {
                guard value.hasPrefix("+") else { throw AuthError(.invalidPhone) }
                phone = try PhoneNumber(value)
            }
        case "email_verified": emailVerified = try verification(value, byAdministrator: byAdministrator)
        case "phone_number_verified": phoneVerified = try verification(value, byAdministrator: byAdministrator)
        default:
            guard let attribute = pool.attribute(name) else { throw PoolSettings.unknownAttribute(name) }
            if !byAdministrator, attribute.isDeveloperOnly { throw Self.unauthorized }
            if !value.isEmpty { try attribute.check(value) }
            metadata[name] = value.isEmpty ? .some(.null) : .some(.string(value))
        }
    }

    private func verification(_ value: String, byAdministrator: Bool) throws -> Bool {
        guard byAdministrator else { throw Self.unauthorized }
        return value.lowercased() == "true"
    }

    static let unauthorized = WireError.notAuthorized("A client attempted to write unauthorized attribute")

    /// As an administrator writes them.
    func apply(to attributes: inout UserAttributes) {
        attributes.email = email
        attributes.phone = phone
        attributes.emailConfirm = emailVerified
        attributes.phoneConfirm = phoneVerified
        if !metadata.isEmpty { attributes.userMetadata = metadata }
    }
}
