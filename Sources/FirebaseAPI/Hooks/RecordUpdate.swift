// SPDX-License-Identifier: Apache-2.0

import Accounts
import AuthTypes

/// What a blocking function changes: the members that its mask names, and none of the others.
struct RecordUpdate {
    let changes: HookChanges

    /// - Throws: ``AuthErrorCode/hookFailed`` for a member that is no function's to change, or has another type.
    init(_ record: JSONObject, at moment: HookMoment) throws(AuthError) {
        var changes = HookChanges()
        let mask = record["updateMask"]?.stringValue ?? ""
        for name in mask.split(separator: ",").map(String.init) {
            let value = record[name] ?? .null
            switch name {
            case "displayName": changes.name = try Self.text(value, name)
            case "photoURL", "photoUrl": changes.picture = try Self.text(value, name)
            case "disabled": changes.isDisabled = try Self.flag(value, name)
            case "emailVerified":
                // A function may vouch for an address; that one was proved, it can't undo.
                changes.provesEmail = try Self.flag(value, name)
            case "customClaims":
                changes.attributes = try Self.claims(value, name).change
            case "sessionClaims" where moment == .signIn:
                changes.sessionClaims = try Self.claims(value, name).object
            default: throw HookFailure.malformed.error("\(name.prefix(32)) is not the function's to change")
            }
        }
        self.changes = changes
    }

    private static func text(_ value: JSONValue, _ name: String) throws(AuthError) -> JSONValue {
        switch value {
        case .null: return .null
        case .string(let text) where text.utf8.count <= 2048: return value
        default: throw HookFailure.malformed.error("\(name): expected a text")
        }
    }

    private static func flag(_ value: JSONValue, _ name: String) throws(AuthError) -> Bool {
        guard let flag = value.boolValue else { throw HookFailure.malformed.error("\(name): expected true or false") }
        return flag
    }

    private static func claims(_ value: JSONValue, _ name: String) throws(AuthError) -> CustomClaims {
        do throws(WireError) {
            switch value {
            case .null: return try CustomClaims("")
            case .object(let object): return try CustomClaims(JSONValue.object(object).text)
            default: throw WireError("INVALID_CLAIMS")
            }
        } catch {
            throw HookFailure.malformed.error("\(name): \(error.code)")
        }
    }
}
