// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension AgreedTerms {
    var stored: JSONObject {
        var object: JSONObject = [
            "terms": .array(terms.map { [.string($0.name), .string($0.version)] }), "at": .integer(at.microseconds),
        ]
        object["dialect"] = dialect.map { .string($0.rawValue) }
        object["client"] = clientID.map { .string($0.rawValue) }
        return object
    }

    init(stored object: JSONObject) {
        let terms = (object["terms"]?.arrayValue ?? []).compactMap { pair -> TermsReference? in
            guard let words = pair.arrayValue, words.count == 2, let name = words[0].stringValue,
                let version = words[1].stringValue
            else { return nil }
            return TermsReference(name: name, version: version)
        }
        self.init(
            terms, dialect: object["dialect"]?.stringValue.map { DialectName($0) },
            clientID: object["client"]?.stringValue.map { ClientID($0) },
            at: Instant(microseconds: object["at"]?.integerValue ?? 0))
    }
}
