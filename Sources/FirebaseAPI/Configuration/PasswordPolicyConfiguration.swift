// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// The Directory's rules for passwords in the platform's words. Common passwords are refused beside them, which it has
/// no word for.
struct PasswordPolicyConfiguration {
    /// The longest password, in code points. The platform's own bound, 4,096, is taken for it as well.
    private static let maximumLength: Int64 = 1024
    private static let platformMaximum: Int64 = 4096
    private static let lower = "abcdefghijklmnopqrstuvwxyz"
    private static let upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    private static let digits = "0123456789"
    private static let others = "^$*.[]{}()?\"!@#%&/\\,><':;|_~"

    private static let kinds: [(name: String, characters: String)] = [
        ("containsLowercaseCharacter", lower), ("containsUppercaseCharacter", upper),
        ("containsNumericCharacter", digits), ("containsNonAlphanumericCharacter", others),
    ]

    private var minimumLength: Int64
    private var required: [String]

    init(_ settings: DirectorySettings.Password) {
        minimumLength = Int64(settings.minimumLength)
        required = settings.requiredCharacters
    }

    /// As `passwordPolicyConfig` has it; without one, or where it is off, the platform's least.
    ///
    /// - Throws: `INVALID_CONFIG` for what can't be kept.
    init(_ value: JSONValue?) throws(WireError) {
        minimumLength = 6
        required = []
        guard case .object(let object)? = value else {
            guard value?.isNull ?? true else {
                throw .unreadable("Invalid value at 'passwordPolicyConfig' (TYPE_MESSAGE)")
            }
            return
        }
        let config = Input(object: object)
        let states = ["PASSWORD_POLICY_ENFORCEMENT_STATE_UNSPECIFIED", "OFF", "ENFORCE"]
        guard try config.enumeration("passwordPolicyEnforcementState", states) == "ENFORCE" else { return }
        if try config.flag("forceUpgradeOnSignin") ?? false {
            throw ConfigurationField.unsupported("passwordPolicyConfig.forceUpgradeOnSignin")
        }
        let options = try config.objects("passwordPolicyVersions").first?.members("customStrengthOptions")
        guard let options else { return }
        minimumLength = try options.number("minPasswordLength") ?? 6
        guard (6...128).contains(minimumLength) else {
            throw WireError("INVALID_CONFIG", "minPasswordLength must be from 6 to 128.")
        }
        let longest = try options.number("maxPasswordLength") ?? Self.maximumLength
        guard longest == Self.maximumLength || longest == Self.platformMaximum else {
            throw WireError("INVALID_CONFIG", "maxPasswordLength is \(Self.maximumLength).")
        }
        for kind in Self.kinds where try options.flag(kind.name) ?? false { required.append(kind.characters) }
    }

    func apply(to settings: inout DirectorySettings.Password) {
        settings.minimumLength = Int(minimumLength)
        // Sets of other characters than the platform's are the operator's own.
        let own = settings.requiredCharacters.filter { set in !Self.kinds.contains { $0.characters == set } }
        settings.requiredCharacters = required + own.filter { !required.contains($0) }
    }

    /// `customStrengthOptions`.
    private var options: JSONObject {
        var options: JSONObject = [
            "minPasswordLength": .integer(minimumLength), "maxPasswordLength": .integer(Self.maximumLength),
        ]
        for kind in Self.kinds where required.contains(kind.characters) { options[kind.name] = true }
        return options
    }

    var json: JSONObject {
        [
            "passwordPolicyEnforcementState": "ENFORCE",
            "passwordPolicyVersions": [["schemaVersion": 1, "customStrengthOptions": .object(options)]],
        ]
    }

    /// What apps are told, of every kind whether it is needed.
    var publicJSON: JSONObject {
        var options = options
        for kind in Self.kinds { options[kind.name] = .bool(required.contains(kind.characters)) }
        return [
            "schemaVersion": 1, "customStrengthOptions": .object(options), "enforcementState": "ENFORCE",
            "forceUpgradeOnSignin": false,
            "allowedNonAlphanumericCharacters": .array(Self.others.map { .string(String($0)) }),
        ]
    }
}
