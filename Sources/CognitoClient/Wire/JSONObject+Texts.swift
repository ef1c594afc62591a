// SPDX-License-Identifier: Apache-2.0

import AuthTypes

extension JSONObject {
    /// The members that are texts, as the service's maps have nothing else.
    var texts: [String: String] {
        var texts: [String: String] = [:]
        for member in members { texts[member.name] = member.value.stringValue }
        return texts
    }

    init(_ texts: [String: String]) {
        self.init()
        for (name, value) in texts.sorted(by: { $0.key < $1.key }) { self[name] = .string(value) }
    }
}

extension JSONValue {
    /// A list that the service writes into a text: `["a","b"]`.
    static func texts(in text: String?) -> [String] {
        guard let text, text.utf8.count <= 16 << 10 else { return [] }
        return (try? JSONValue(parsing: text.utf8))?.arrayValue?.compactMap(\.stringValue) ?? []
    }

    /// The service's lists of attributes, `[{Name, Value}]`.
    static func attributes(_ values: [String: String]) -> JSONValue {
        .array(
            values.sorted { $0.key < $1.key }.map { name, value in
                .object(["Name": .string(name), "Value": .string(value)])
            })
    }
}
