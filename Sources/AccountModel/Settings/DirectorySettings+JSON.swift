// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// The stored form: every setting under its path.
extension DirectorySettings {
    /// In the order of their names at every depth. What is not set is left out.
    public var json: JSONObject {
        var object = JSONObject()
        for setting in Self.ordered {
            guard let value = setting.value(in: self) else { continue }
            object.place(value, at: setting.components[...])
        }
        return object
    }

    private static let ordered = table.sorted { $0.components.lexicographicallyPrecedes($1.components) }

    /// Reads what was stored. A setting that is younger than the row has its default, and members that are no setting
    /// any more are passed over.
    ///
    /// - Throws: ``AuthErrorCode/invalidRequest`` whose field is a setting that has a value of another type.
    public init(stored object: JSONObject) throws(AuthError) {
        self.init()
        for setting in Self.table {
            guard let value = object.value(at: setting.components[...]) else { continue }
            try setting.restore(value, in: &self)
        }
    }

    /// Lays an operator's changes over these settings: what they leave out stays, at every depth.
    ///
    /// - Throws: ``AuthErrorCode/invalidRequest`` whose field is the first member that is no setting, or that has a
    ///   value of another type or out of its range; nothing is changed then.
    public mutating func apply(_ changes: JSONObject) throws(AuthError) {
        var changed = self
        try changed.lay(changes, below: "")
        self = changed
    }

    private mutating func lay(_ changes: JSONObject, below parent: String) throws(AuthError) {
        for member in changes.members {
            let path = parent.isEmpty ? member.name : parent + "." + member.name
            if let setting = Self.table.first(where: { $0.path == path }) {
                try setting.set(member.value, in: &self)
            } else if let inner = member.value.objectValue,
                Self.table.contains(where: { $0.path.hasPrefix(path + ".") })
            {
                try lay(inner, below: path)
            } else {
                throw AuthError(.invalidRequest, reason: "no such setting", field: path)
            }
        }
    }

    /// Every setting that has another value than in `old` is in its range.
    ///
    /// - Throws: ``AuthErrorCode/invalidRequest`` whose field is the setting.
    package func requireInRange(changedFrom old: DirectorySettings) throws(AuthError) {
        for setting in Self.table {
            guard let value = setting.value(in: self), value != setting.value(in: old) else { continue }
            guard setting.form.accepts(value) else { throw setting.refusal(of: value) }
        }
    }
}

extension JSONObject {
    fileprivate func value(at path: ArraySlice<String>) -> JSONValue? {
        guard let name = path.first else { return nil }
        return path.count == 1 ? self[name] : self[name]?.objectValue?.value(at: path.dropFirst())
    }

    fileprivate mutating func place(_ value: JSONValue, at path: ArraySlice<String>) {
        guard let name = path.first else { return }
        if path.count == 1 {
            self[name] = value
        } else {
            var inner = self[name]?.objectValue ?? JSONObject()
            inner.place(value, at: path.dropFirst())
            self[name] = .object(inner)
        }
    }
}
