// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// One member of a project's or a tenant's configuration that a setting of the Directory stands behind: where it is,
/// what it says, and how it is set.
struct ConfigurationField: Sendable {
    /// Names of members, the outermost first, with dots between them.
    let path: String
    /// `nil` where it is left out of answers.
    let read: @Sendable (DirectorySettings) -> JSONValue?
    /// Takes a value over; `nil` puts the platform's default back.
    let write: @Sendable (JSONValue?, inout DirectorySettings) throws -> Void

    /// A flag of the Directory's.
    static func flag(
        _ path: String, _ place: any WritableKeyPath<DirectorySettings, Bool> & Sendable, inverted: Bool = false
    ) -> ConfigurationField {
        ConfigurationField(path: path) { settings in
            settings[keyPath: place] != inverted ? true : nil
        } write: { value, settings in
            guard let flag = try read(value, path) else { return settings[keyPath: place] = inverted }
            settings[keyPath: place] = flag != inverted
        }
    }

    /// What is as it is here, whatever the Directory's settings: it can be set to that alone.
    static func fixed(_ path: String, _ flag: Bool) -> ConfigurationField {
        ConfigurationField(path: path) { _ in
            flag ? true : nil
        } write: { value, _ in
            guard try read(value, path) ?? flag == flag else { throw unsupported(path) }
        }
    }

    static func read(_ value: JSONValue?, _ path: String) throws(WireError) -> Bool? {
        switch value {
        case nil, .null: return nil
        case .bool(let flag): return flag
        default: throw .unreadable("Invalid value at '\(path)' (TYPE_BOOL)")
        }
    }

    /// A member that nothing stands behind here.
    static func unsupported(_ path: String) -> WireError {
        WireError("INVALID_CONFIG", "\(path) is not supported by this server.")
    }

    /// Whether a value of a member that nothing stands behind asks for nothing: then it may be said.
    static func isOff(_ value: JSONValue?) -> Bool {
        switch value {
        case nil, .null, .bool(false), .integer(0): true
        case .string(let text): ["", "OFF", "DISABLED"].contains(text) || text.hasSuffix("_UNSPECIFIED")
        case .array(let elements): elements.allSatisfy(isOff)
        case .object(let object): object.members.allSatisfy { isOff($0.value) }
        default: false
        }
    }
}
