// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// What an operation writes of a user's attributes, sorted into the places where the domain keeps them.
struct AttributeChanges: Sendable {
    var email: EmailAddress?
    var phone: PhoneNumber?
    /// Whether the address or the number is taken away, and nothing put in its place.
    private(set) var dropsEmail = false
    private(set) var dropsPhone = false
    var emailVerified: Bool?
    var phoneVerified: Bool?
    /// Laid over what is kept of the user here; a null removes an attribute.
    private(set) var own = JSONObject()
    /// The same for what only developers write.
    private(set) var developer = JSONObject()

    /// The address as it was written: others compare it without case, and this service shows it as it was given.
    /// A null where that is how all compare it.
    private var spelling: JSONValue?

    private static let nameLimit = 32
    static let valueLimit = 2048

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
    ///
    /// - Throws: `InvalidParameterException` for what is no attribute of the pool or can't be changed,
    ///   `NotAuthorizedException` for what the user may not write.
    init(removing names: [String], of pool: PoolSettings, byAdministrator: Bool) throws {
        for name in names {
            guard let attribute = pool.attribute(name) else { throw PoolSettings.unknownAttribute(name) }
            try attribute.requireOptional()
            switch name {
            case "email", "phone_number": try drop(name, of: pool)
            default:
                guard UserAttributeList.isKept(name) else { throw Self.undeletable(name) }
                try write(.null, to: attribute, byAdministrator: byAdministrator)
            }
        }
        try requireMutable(of: pool)
    }

    /// The names of the attributes that the domain has no words for.
    var names: [String] { own.names + developer.names }

    /// The value that one of ``names`` is given.
    func value(of name: String) -> String? { (own[name] ?? developer[name])?.stringValue }

    /// All that is kept of the user here, for the half that users may write.
    var kept: JSONObject {
        var kept = own
        if let spelling { kept[UserAttributeList.writtenAddress] = spelling }
        return kept
    }

    /// Takes an address, however it is spelled.
    mutating func write(email address: EmailAddress, as text: String) {
        email = address
        let text = text.filter { $0 != " " }
        spelling = text == address.rawValue ? .null : .string(text)
    }

    /// What every dialect shows, laid over the metadata that users write: see ``SharedField``.
    var shared: JSONObject {
        var shared = JSONObject()
        for field in SharedField.allCases { shared[field.rawValue] = own[field.rawValue] }
        return shared
    }

    /// - Throws: `InvalidParameterException` for an attribute that is written once, with its account.
    func requireMutable(of pool: PoolSettings) throws(WireError) {
        let addresses = [
            email == nil && !dropsEmail ? nil : "email", phone == nil && !dropsPhone ? nil : "phone_number",
        ].compactMap(\.self)
        for name in names + addresses where pool.attribute(name)?.isMutable == false {
            throw .parameter("user.\(name): Attribute cannot be updated.\n")
        }
    }

    private mutating func set(
        _ name: String, to value: String, of pool: PoolSettings, byAdministrator: Bool
    ) throws {
        switch name {
        case "sub": throw WireError.parameter("user.sub: Attribute cannot be updated.")
        case "email":
            if value.isEmpty {
                try drop(name, of: pool)
            } else {
                try pool.attribute(name)?.check(value)
                try write(email: EmailAddress(value), as: value)
            }
        case "phone_number":
            if value.isEmpty {
                try drop(name, of: pool)
            } else {
                guard value.hasPrefix("+") else { throw AuthError(.invalidPhone) }
                try pool.attribute(name)?.check(value)
                phone = try PhoneNumber(value)
            }
        case "email_verified": emailVerified = try verification(value, byAdministrator: byAdministrator)
        case "phone_number_verified": phoneVerified = try verification(value, byAdministrator: byAdministrator)
        default:
            guard let attribute = pool.attribute(name) else { throw PoolSettings.unknownAttribute(name) }
            if value.isEmpty { try attribute.requireOptional() } else { try attribute.check(value) }
            try write(value.isEmpty ? .null : .string(value), to: attribute, byAdministrator: byAdministrator)
        }
    }

    /// - Throws: `InvalidParameterException` where the user would lose what they are called by.
    func requireDroppable(from user: User) throws(WireError) {
        if dropsEmail, user.isCalledByEmail { throw Self.undeletable("email") }
        if dropsPhone, user.isCalledByPhone { throw Self.undeletable("phone_number") }
    }

    /// - Throws: `InvalidParameterException` for what the pool requires.
    private mutating func drop(_ name: String, of pool: PoolSettings) throws(WireError) {
        try pool.attribute(name)?.requireOptional()
        if name == "email" {
            dropsEmail = true
            spelling = .null
        } else {
            dropsPhone = true
        }
    }

    private static func undeletable(_ name: String) -> WireError {
        .parameter("user.\(name): Attribute cannot be deleted.")
    }

    private mutating func write(
        _ value: JSONValue, to attribute: PoolAttribute, byAdministrator: Bool
    ) throws(WireError) {
        guard attribute.isDeveloperOnly else {
            own[attribute.name] = value
            return
        }
        guard byAdministrator else { throw Self.unauthorized }
        developer[attribute.name] = value
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
        if dropsEmail { attributes.removes.insert(.email) }
        if dropsPhone { attributes.removes.insert(.phone) }
        attributes.keepsName = true
        attributes.emailConfirm = emailVerified
        attributes.phoneConfirm = phoneVerified
        attributes.attributes = kept
        attributes.operatorAttributes = developer
        attributes.userMetadata = shared.isEmpty ? nil : shared
    }
    /// What the user may write of it, but for the addresses, which have to be proved.
    func apply(to changes: inout UserChanges) {
        if dropsEmail { changes.dropsFormerEmail = true }
        if dropsPhone { changes.dropsFormerPhone = true }
        changes.attributes = kept
        changes.userMetadata = shared.isEmpty ? nil : shared
    }
}
