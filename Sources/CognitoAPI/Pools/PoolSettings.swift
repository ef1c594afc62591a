// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// What a pool has beyond what every Directory has: how its users are named, and its schema.
///
/// It is kept among the Directory's settings as the members of `CreateUserPool` that the domain does not read. A
/// Directory that was made otherwise has none: its users may be named by an address, a number or a name, and may have
/// any custom attribute.
struct PoolSettings: Sendable {
    private static let key = "pool"
    static let verifiable = ["phone_number", "email"]
    /// As many custom attributes as the service allows, and each standard one once.
    private static let mostAttributes = 50 + StandardAttribute.all.count
    static let aliases = ["phone_number", "email", "preferred_username"]

    /// Whether the pool was made by this dialect, so that its users are named only as it says.
    var isDeclared: Bool
    var usernameAttributes: [String]
    var aliasAttributes: [String]
    var autoVerified: [String]
    /// Whether user names that differ in case alone are two names. Addresses never are.
    var isCaseSensitive: Bool
    var isProtected: Bool
    /// The declared attributes: custom ones, and standard ones that differ from the usual.
    var schema: [PoolAttribute]
    /// Members that are shown as they were given: see ``PoolMembers``.
    var shown: JSONObject
    /// `Policies.SignInPolicy` and `AdminCreateUserConfig.InviteMessageTemplate`, which are shown too.
    var signInPolicy: JSONObject?
    var invitation: JSONObject?
    /// `EmailMfaConfiguration`, which is shown too.
    var factorMail: JSONObject?
    /// The sheet of ``CustomizationEndpoints``, with its dates.
    var customization: JSONObject?

    init() {
        isDeclared = false
        usernameAttributes = []
        aliasAttributes = []
        autoVerified = ["email"]
        isCaseSensitive = false
        isProtected = false
        schema = []
        shown = [:]
    }

    init(_ settings: DirectorySettings) {
        self.init()
        isCaseSensitive = settings.signUp.caseSensitiveNames
        guard let json = settings.attributes[Self.key]?.objectValue else { return }
        func texts(_ name: String) -> [String] { json[name]?.arrayValue?.compactMap(\.stringValue) ?? [] }
        isDeclared = json["Declared"]?.boolValue ?? false
        usernameAttributes = texts("UsernameAttributes")
        aliasAttributes = texts("AliasAttributes")
        autoVerified = texts("AutoVerifiedAttributes")
        isProtected = json["DeletionProtection"]?.stringValue == "ACTIVE"
        schema = json["Schema"]?.arrayValue?.compactMap(\.objectValue).compactMap { PoolAttribute(kept: $0) } ?? []
        shown = json["Shown"]?.objectValue ?? [:]
        signInPolicy = json["SignInPolicy"]?.objectValue
        invitation = json["InviteMessageTemplate"]?.objectValue
        factorMail = json["EmailMfaConfiguration"]?.objectValue
        customization = json["UICustomization"]?.objectValue
    }

    func keep(in settings: inout DirectorySettings) {
        settings.signUp.caseSensitiveNames = isCaseSensitive
        func list(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
        var kept: JSONObject = [
            "Declared": .bool(isDeclared), "UsernameAttributes": list(usernameAttributes),
            "AliasAttributes": list(aliasAttributes),
            "AutoVerifiedAttributes": list(autoVerified),
            "DeletionProtection": .string(isProtected ? "ACTIVE" : "INACTIVE"),
            "Schema": .array(schema.map { .object($0.kept) }), "Shown": .object(shown),
        ]
        kept["SignInPolicy"] = signInPolicy.map { .object($0) }
        kept["InviteMessageTemplate"] = invitation.map { .object($0) }
        kept["EmailMfaConfiguration"] = factorMail.map { .object($0) }
        kept["UICustomization"] = customization.map { .object($0) }
        let before = PoolMessages(PoolSettings(settings))
        settings.attributes[Self.key] = .object(kept)
        PoolMessages(self).write(into: &settings, replacing: before)
    }

    /// The ways of recovering a password, in the names of `AccountRecoverySetting`; none where it is not given.
    static func recoveryMechanisms(of members: JSONObject) -> [String] {
        let list = members["AccountRecoverySetting"]?.objectValue?["RecoveryMechanisms"]?.arrayValue ?? []
        return list.compactMap { $0.objectValue?["Name"]?.stringValue }
    }

    /// Whether only an administrator gives a user a new password.
    var isRecoveredByAdministrator: Bool { Self.recoveryMechanisms(of: shown) == ["admin_only"] }

    /// Whether the pool sends codes for this attribute without being asked. A Directory that was made otherwise does
    /// for both.
    func verifies(_ attribute: String) -> Bool { !isDeclared || autoVerified.contains(attribute) }

    /// Whether the pool keeps this attribute's value until a code was given for the new one. A Directory that was made
    /// otherwise does.
    func keepsUntilVerified(_ attribute: String) -> Bool {
        guard isDeclared else { return true }
        let settings = shown["UserAttributeUpdateSettings"]?.objectValue
        let names = settings?["AttributesRequireVerificationBeforeUpdate"]?.arrayValue ?? []
        return names.contains { $0.stringValue == attribute }
    }

    // MARK: Schema

    /// Adds an attribute to what the pool declares.
    ///
    /// - Throws: `InvalidParameterException` where there is one of this name, or one too many.
    mutating func add(_ attribute: PoolAttribute) throws(WireError) {
        guard !schema.contains(where: { $0.name == attribute.name }) else {
            throw .parameter("\(attribute.name): Existing attribute already has name \(attribute.name).")
        }
        guard schema.count < Self.mostAttributes else {
            throw .parameter("A schema has at most \(Self.mostAttributes) attributes.")
        }
        schema.append(attribute)
    }

    /// The attribute of this name; `nil` where the pool has none.
    func attribute(_ name: String) -> PoolAttribute? {
        if let declared = schema.first(where: { $0.name == name }) { return declared }
        if let standard = StandardAttribute.byName[name] { return PoolAttribute(standard) }
        guard !isDeclared, UserAttributeList.isCustom(name) else { return nil }
        return PoolAttribute(undeclared: name)
    }

    /// The whole schema: the standard attributes as the pool has them, then its own.
    var attributes: [PoolAttribute] {
        StandardAttribute.all.compactMap { attribute($0.name) }
            + schema.filter { StandardAttribute.byName[$0.name] == nil }
    }

    /// - Throws: `InvalidParameterException` when a new user lacks an attribute that the pool requires.
    func requireComplete(_ changes: AttributeChanges) throws(WireError) {
        for attribute in schema where attribute.isRequired && attribute.name != "sub" {
            let isGiven =
                switch attribute.name {
                case "email": changes.email != nil
                case "phone_number": changes.phone != nil
                default: changes.value(of: attribute.name) != nil
                }
            guard isGiven else {
                throw .parameter(
                    "Attributes did not conform to the schema: \(attribute.name): The attribute is required\n")
            }
        }
    }

    static func unknownAttribute(_ name: String) -> WireError {
        let shown = Input.excerpt(name)
        return .parameter(
            "Attributes did not conform to the schema: \(shown): Attribute does not exist in the schema.\n")
    }
}
