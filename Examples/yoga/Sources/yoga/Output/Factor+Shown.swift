// SPDX-License-Identifier: Apache-2.0

import LatchkeyClient

extension SecondFactor {
    var line: String {
        [kind.rawValue, name, destination, isConfirmed ? nil : "not confirmed", isPreferred ? "preferred" : nil, id]
            .compactMap(\.self).joined(separator: "  ")
    }

    var object: JSONObject {
        var object: JSONObject = [
            "id": .string(id), "kind": .string(kind.rawValue), "confirmed": .bool(isConfirmed),
        ]
        object["name"] = name.map { .string($0) }
        object["destination"] = destination.map { .string($0) }
        return object
    }
}

extension FactorEnrolment {
    /// Whoever sits at the terminal is who it is for.
    var line: String {
        if let secret, let uri { return "\(uri.reveal())\nsecret: \(secret.reveal())" }
        return destination.map { "A code is on its way to \($0)." } ?? "A code is on its way."
    }

    var object: JSONObject {
        var object: JSONObject = ["enrolling": .string(kind.rawValue)]
        object["secret"] = secret.map { .string($0.reveal()) }
        object["uri"] = uri.map { .string($0.reveal()) }
        object["destination"] = destination.map { .string($0) }
        return object
    }
}
