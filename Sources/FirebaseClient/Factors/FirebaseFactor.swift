// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// A second factor as `mfaInfo` lists it. Which kind it is shows which member is there.
struct FirebaseFactor: Sendable {
    var id: String
    var kind: FactorKind
    var name: String?
    /// As far as the service shows it.
    var phone: String?
    var enrolledAt: Instant?

    /// `nil` for a kind that this library can't ask for.
    init?(_ info: JSONObject) {
        guard let id = info["mfaEnrollmentId"]?.stringValue, (1...255).contains(id.utf8.count) else { return nil }
        self.id = id
        phone = info["phoneInfo"]?.stringValue
        guard info["totpInfo"] != nil || phone != nil else { return nil }
        kind = info["totpInfo"] == nil ? .phone : .authenticator
        name = info["displayName"]?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
        enrolledAt = info["enrolledAt"]?.stringValue.flatMap { Instant(rfc3339: $0) }
    }

    var choice: FactorChoice { FactorChoice(id: id, kind: kind, name: name, destination: phone) }

    var factor: SecondFactor {
        SecondFactor(id: id, kind: kind, name: name, destination: phone, createdAt: enrolledAt)
    }
}

/// What a sign-in goes on with behind its first factor: `mfaPendingCredential`, and the factor that is asked for.
struct PendingFactor: Sendable {
    private let texts: [String: String]

    init(_ credential: String) { texts = ["pending": credential] }
    init(_ ticket: Secret<[String: String]>) { texts = ticket.reveal() }

    var credential: JSONValue { .string(texts["pending"] ?? "") }
    var factor: String { texts["factor"] ?? "" }
    /// What the service calls a code that it has sent.
    var session: String? { texts["session"] }
    /// A provider that is added once the session is there.
    var linked: String? { texts["credential"] }

    func ticket(for factor: String, session: String? = nil) -> Secret<[String: String]> {
        var next = texts
        next["factor"] = factor
        next["session"] = session
        return Secret(next)
    }
}
