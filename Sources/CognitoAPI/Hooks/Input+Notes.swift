// SPDX-License-Identifier: Apache-2.0

import Accounts
import AuthTypes

extension Input {
    /// What a call says to the pool's triggers: `ClientMetadata`, and `ValidationData` of a sign-up. That which begins
    /// a sign-in is heard by those alone that judge it (`InitiateAuth` in the service's reference).
    ///
    /// - Throws: `SerializationException`.
    func notes(of operation: String) throws(WireError) -> ProgramNotes {
        let metadata = try texts(of: "ClientMetadata")
        switch operation {
        case "InitiateAuth", "AdminInitiateAuth": return ProgramNotes(validation: metadata)
        default: return ProgramNotes(metadata: metadata, validation: try validationData())
        }
    }

    private func texts(of name: String) throws(WireError) -> JSONObject? {
        guard let object = try members(name) else { return nil }
        for member in object.members where member.value.stringValue == nil { throw Self.mismatch(name, "String") }
        return object
    }

    private func validationData() throws(WireError) -> JSONObject? {
        guard let list = try list("ValidationData") else { return nil }
        var notes = JSONObject()
        for entry in list {
            guard let entry = entry.objectValue, let name = entry["Name"]?.stringValue else {
                throw Self.mismatch("ValidationData", "Structure")
            }
            switch entry["Value"] {
            case nil, .null: notes[name] = ""
            case .string(let text): notes[name] = .string(text)
            default: throw Self.mismatch("ValidationData", "String")
            }
        }
        return notes
    }
}
