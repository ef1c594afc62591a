// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What a configuration says and how it is changed, by the fields that it has: nothing is accepted that is not kept,
/// and what nothing stands behind is refused by its path, unless it is switched off.
struct Configuration: Sendable {
    let fields: [ConfigurationField]

    func json(of directory: Directory) -> JSONObject {
        var json = JSONObject()
        for field in fields {
            guard let value = field.read(directory.settings) else { continue }
            json.place(value, at: Self.components(field.path)[...])
        }
        return json
    }

    /// Changes what the mask names, and without one what the body has (AIP-161, AIP-203): a member that the mask names
    /// and the body lacks gets its default back. Of a field that the mask names a part of, the rest stays.
    ///
    /// - Parameters:
    ///   - mask: paths with commas between them, in camel or snake case.
    ///   - passing: members of the first level that are not the configuration's.
    /// - Throws: `INVALID_CONFIG` with the path of the first member that can't be kept.
    func apply(
        _ body: JSONObject, mask: String?, passing: Set<String> = ["name"], to settings: inout DirectorySettings
    ) throws {
        let given = camelCased(body, below: "")
        let paths = mask.map { $0.split(separator: ",").map { Self.camelCase(String($0)) } } ?? []
        let isMasked = !paths.isEmpty
        func isNamed(_ path: String) -> Bool {
            !isMasked || paths.contains { path == $0 || path.hasPrefix($0 + ".") }
        }
        for (path, value) in given {
            if let field = fields.first(where: { $0.path == path }) {
                if isNamed(path) { try field.write(value, &settings) }
            } else if isNamed(path) || paths.contains(where: { $0.hasPrefix(path + ".") }),
                !passing.contains(String(path.prefix { $0 != "." })), !ConfigurationField.isOff(value)
            {
                throw ConfigurationField.unsupported(path)
            }
        }
        for field in fields where isMasked {
            let value = given.first { $0.path == field.path }?.value
            let parts = paths.filter { $0.hasPrefix(field.path + ".") }
            if isNamed(field.path) {
                if value == nil { try field.write(nil, &settings) }
            } else if !parts.isEmpty {
                try field.write(.object(Self.whole(field, with: parts, of: value, settings)), &settings)
            }
        }
    }

    /// A field as it is, but for some of its parts: those are as the body has them, and null where it has none.
    private static func whole(
        _ field: ConfigurationField, with parts: [String], of given: JSONValue?, _ settings: DirectorySettings
    ) -> JSONObject {
        var whole = field.read(settings)?.objectValue ?? [:]
        for part in parts {
            let path = components(part).dropFirst(components(field.path).count)
            let value = path.reduce(given) { outer, name in
                outer?.objectValue.flatMap { Input(object: $0).value(name) }
            }
            whole.place(value ?? .null, at: path)
        }
        return whole
    }

    /// Every member with its path: inner objects by their members, down to the fields.
    private func camelCased(_ object: JSONObject, below parent: String) -> [(path: String, value: JSONValue)] {
        object.members.flatMap { member -> [(path: String, value: JSONValue)] in
            let path = (parent.isEmpty ? "" : parent + ".") + Self.camelCase(member.name)
            guard case .object(let inner) = member.value, !fields.contains(where: { $0.path == path }) else {
                return [(path, member.value)]
            }
            return camelCased(inner, below: path)
        }
    }

    static func components(_ path: String) -> [String] {
        path.utf8.split(separator: UInt8(ascii: ".")).map { String(Substring($0)) }
    }

    /// `sign_in.phone_number` as `signIn.phoneNumber`.
    static func camelCase(_ name: String) -> String {
        var camel = ""
        var raises = false
        for scalar in name.unicodeScalars {
            if scalar == "_" {
                raises = true
            } else if raises, (97...122).contains(scalar.value) {
                camel.unicodeScalars.append(Unicode.Scalar(UInt8(truncatingIfNeeded: scalar.value - 32)))
                raises = false
            } else {
                camel.unicodeScalars.append(scalar)
                raises = false
            }
        }
        return camel
    }
}

extension JSONObject {
    /// Puts a value at a path of names, or takes it away.
    mutating func place(_ value: JSONValue?, at path: ArraySlice<String>) {
        guard let name = path.first else { return }
        guard path.count > 1 else { return self[name] = value }
        var inner = self[name]?.objectValue ?? JSONObject()
        inner.place(value, at: path.dropFirst())
        self[name] = inner.isEmpty ? nil : .object(inner)
    }
}
