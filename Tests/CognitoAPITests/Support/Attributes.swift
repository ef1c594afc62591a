// SPDX-License-Identifier: Apache-2.0

import AuthTypes

extension JSONObject {
    /// The value of one attribute in `UserAttributes` or `Attributes`.
    func attribute(_ name: String) -> String? {
        let list = self["UserAttributes"]?.arrayValue ?? self["Attributes"]?.arrayValue ?? []
        return list.compactMap(\.objectValue).first { $0["Name"]?.stringValue == name }?["Value"]?.stringValue
    }

    /// The names of a list of objects, by the member that names them.
    func names(_ list: String, _ member: String) -> [String] {
        self[list]?.arrayValue?.compactMap { $0.objectValue?[member]?.stringValue } ?? []
    }
}
