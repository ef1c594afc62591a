// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What a user was called where they came from, by the dialect that goes on calling them so; our own identifier stands
/// in every other. Like our own it is given once, with the account, and never changes.
public struct ExternalIdentifiers: Sendable, Hashable {
    private var byDialect: [DialectName: ExternalIdentifier] = [:]

    public init() {}

    public init(_ identifier: ExternalIdentifier, in dialect: DialectName) {
        byDialect = [dialect: identifier]
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
            byDialect[DialectName(member.name)] = try ExternalIdentifier(text)
        }
    }

    /// `{"<dialect>": "<identifier>"}`, in order of the names.
    public var json: JSONObject {
        var json = JSONObject()
        for (dialect, identifier) in byDialect.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            json[dialect.rawValue] = .string(identifier.rawValue)
        }
        return json
    }

    public subscript(dialect: DialectName) -> ExternalIdentifier? { byDialect[dialect] }

    public var isEmpty: Bool { byDialect.isEmpty }
    public var dialects: Set<DialectName> { Set(byDialect.keys) }
    /// Each once: two dialects may call a user the same.
    public var all: Set<ExternalIdentifier> { Set(byDialect.values) }

    /// Whether one of them is `text`.
    public func contains(_ text: String) -> Bool { byDialect.values.contains { $0.matches(text) } }

    /// Without those that are the user's own identifier: they say nothing more.
    package func without(_ own: UserID) -> ExternalIdentifiers {
        var others = self
        others.byDialect = byDialect.filter { !$0.value.matches(own.rawValue) }
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
