// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What a user was called where they came from, by the dialect that goes on calling them so; our own identifier stands
/// in every other. Like our own it is given once, with the account, and never changes.
public struct ExternalIdentifiers: Sendable, Hashable {
    private struct Entry: Sendable, Hashable {
        var dialect: DialectName
        var identifier: ExternalIdentifier
    }

    /// In order of the names, each once.
    private var entries: [Entry] = []

    public init() {}

    public init(_ identifier: ExternalIdentifier, in dialect: DialectName) {
        entries = [Entry(dialect: dialect, identifier: identifier)]
    }

    /// Reads ``json``.
    ///
    /// - Throws: `AuthErrorCode.invalidRequest` for an object of another form.
    public init(_ json: JSONObject) throws(AuthError) {
        for member in json.members {
            guard let text = member.value.stringValue else {
                throw AuthError(
                    .invalidRequest, reason: "a text for each dialect is needed", field: "external_identifiers")
            }
            entries.append(Entry(dialect: DialectName(member.name), identifier: try ExternalIdentifier(text)))
        }
        entries.sort { $0.dialect.rawValue < $1.dialect.rawValue }
    }

    /// `{"<dialect>": "<identifier>"}`, in order of the names.
    public var json: JSONObject {
        var json = JSONObject()
        for entry in entries { json[entry.dialect.rawValue] = .string(entry.identifier.rawValue) }
        return json
    }

    public subscript(dialect: DialectName) -> ExternalIdentifier? {
        entries.first { $0.dialect == dialect }?.identifier
    }

    public var isEmpty: Bool { entries.isEmpty }
    public var dialects: Set<DialectName> { Set(entries.map(\.dialect)) }
    /// Each once: two dialects may call a user the same.
    public var all: Set<ExternalIdentifier> { Set(entries.map(\.identifier)) }

    /// Whether one of them is `text`.
    public func contains(_ text: String) -> Bool { entries.contains { $0.identifier.matches(text) } }

    /// Without those that are the user's own identifier: they say nothing more.
    package func without(_ own: UserID) -> ExternalIdentifiers {
        var others = self
        others.entries = entries.filter { !$0.identifier.matches(own.rawValue) }
        return others
    }
}

extension User {
    /// What a dialect calls the user, in tokens and everywhere else: the identifier that was brought along for it, and
    /// without one our own.
    public func identifier(in dialect: DialectName) -> String {
        externalIdentifiers[dialect]?.rawValue ?? id.rawValue
    }
}
