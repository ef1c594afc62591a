// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension TermsDraft {
    /// As files and programs write one:
    ///
    /// ```json
    /// {"name": "terms-of-service", "version": "2026-11", "kind": "document", "demanded": true,
    ///  "effectiveAt": "2026-12-01T00:00:00Z", "texts": {"en": {"title": "Terms", "url": "https://example.com/terms"}}}
    /// ```
    ///
    /// - Throws: ``AuthErrorCode/invalidRequest`` naming the member that is missing, unknown or of another form.
    public init(_ json: JSONObject) throws(AuthError) {
        for name in json.names
        where !["name", "version", "kind", "demanded", "effectiveAt", "texts"].contains(name) {
            throw AuthError(.invalidRequest, reason: "unknown member", field: name)
        }
        guard let name = json["name"]?.stringValue, TermsReference.isWord(name) else {
            throw AuthError(.invalidRequest, reason: "1 to 64 letters, digits, '.', '_' and '-'", field: "name")
        }
        guard let version = json["version"]?.stringValue, let reference = TermsReference(name: name, version: version)
        else {
            throw AuthError(.invalidRequest, reason: "1 to 64 letters, digits, '.', '_' and '-'", field: "version")
        }
        var kind = Terms.Kind.document
        if let value = json["kind"] {
            guard let known = value.stringValue.flatMap(Terms.Kind.init) else {
                throw AuthError(.invalidRequest, reason: "document or purpose", field: "kind")
            }
            kind = known
        }
        var effectiveAt: Instant?
        if let value = json["effectiveAt"], !value.isNull {
            guard let instant = value.stringValue.flatMap(Instant.init(rfc3339:)) else {
                throw AuthError(.invalidRequest, reason: "a time (RFC 3339)", field: "effectiveAt")
            }
            effectiveAt = instant
        }
        let demanded = json["demanded"] ?? false
        guard let isDemanded = demanded.boolValue else {
            throw AuthError(.invalidRequest, reason: "true or false", field: "demanded")
        }
        guard let texts = json["texts"]?.objectValue else {
            throw AuthError(.invalidRequest, reason: "a title by language", field: "texts")
        }
        self.init(
            reference: reference, kind: kind, isDemanded: isDemanded, texts: try Self.texts(texts),
            effectiveAt: effectiveAt)
    }

    /// A file's: an array of them, or an object whose `terms` is one.
    public static func list(_ value: JSONValue) throws(AuthError) -> [TermsDraft] {
        guard let elements = value.arrayValue ?? value.objectValue?["terms"]?.arrayValue else {
            throw AuthError(.invalidRequest, reason: "an array of versions", field: "terms")
        }
        return try elements.map { element throws(AuthError) in
            guard let json = element.objectValue else {
                throw AuthError(.invalidRequest, reason: "an object for each version", field: "terms")
            }
            return try TermsDraft(json)
        }
    }

    private static func texts(_ json: JSONObject) throws(AuthError) -> [String: Terms.Text] {
        var texts: [String: Terms.Text] = [:]
        for member in json.members {
            guard let text = member.value.objectValue, let title = text["title"]?.stringValue,
                text.names.allSatisfy({ $0 == "title" || $0 == "url" })
            else { throw AuthError(.invalidRequest, reason: "a title, and a URL", field: "texts") }
            let url = text["url"]
            guard url == nil || url?.isNull == true || url?.stringValue != nil else {
                throw AuthError(.invalidRequest, reason: "a URL", field: "url")
            }
            texts[member.name] = Terms.Text(title: title, url: url?.stringValue)
        }
        return texts
    }
}

extension Terms {
    /// As files, programs and the API write one. Instants are RFC 3339.
    public var json: JSONObject {
        var json = JSONObject()
        for (language, text) in texts.sorted(by: { $0.key < $1.key }) {
            json[language] = ["title": .string(text.title), "url": text.url.map { .string($0) } ?? .null]
        }
        return [
            "name": .string(name), "version": .string(version), "kind": .string(kind.rawValue),
            "demanded": .bool(isDemanded), "effectiveAt": .string(effectiveAt.rfc3339), "texts": .object(json),
        ]
    }
}
