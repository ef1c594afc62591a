// SPDX-License-Identifier: Apache-2.0

import AuthTypes

extension KeptStep {
    static func encode(_ choice: FactorChoice) -> JSONObject {
        var record: JSONObject = ["id": .string(choice.id)]
        record["kind"] = choice.kind.map { .string($0.rawValue) }
        record["name"] = choice.name.map { .string($0) }
        record["destination"] = choice.destination.map { .string($0) }
        return record
    }

    static func choice(_ record: JSONObject) -> FactorChoice? {
        guard let id = record["id"]?.stringValue else { return nil }
        return FactorChoice(
            id: id, kind: record["kind"]?.stringValue.flatMap(FactorKind.init), name: record["name"]?.stringValue,
            destination: record["destination"]?.stringValue)
    }

    static func encode(_ enrolment: FactorEnrolment) -> JSONObject {
        var record: JSONObject = [
            "kind": .string(enrolment.kind.rawValue), "ticket": .object(encode(enrolment.ticket)),
        ]
        record["secret"] = enrolment.secret.map { .string($0.reveal()) }
        record["uri"] = enrolment.uri.map { .string($0.reveal()) }
        record["destination"] = enrolment.destination.map { .string($0) }
        return record
    }

    static func enrolment(_ record: JSONObject) -> FactorEnrolment? {
        guard let kind = record["kind"]?.stringValue.flatMap(FactorKind.init) else { return nil }
        return FactorEnrolment(
            kind: kind, secret: record["secret"]?.stringValue.map { Secret($0) },
            uri: record["uri"]?.stringValue.map { Secret($0) }, destination: record["destination"]?.stringValue,
            ticket: ticket(record["ticket"]))
    }

    static func encode(_ ticket: Secret<[String: String]>) -> JSONObject {
        var record = JSONObject()
        for (name, text) in ticket.reveal().sorted(by: { $0.key < $1.key }) { record[name] = .string(text) }
        return record
    }

    static func ticket(_ value: JSONValue?) -> Secret<[String: String]> {
        var texts: [String: String] = [:]
        for member in value?.objectValue?.members ?? [] { texts[member.name] = member.value.stringValue }
        return Secret(texts)
    }
}

extension SessionStore {
    /// A step that is not kept takes the place of one that is, all the same.
    func keep(_ step: KeptStep) async throws(SecureStoreError) {
        guard let bytes = step.encoded else { return try await forgetStep() }
        try await store.write(bytes, for: .awaitedStep)
    }

    func forgetStep() async throws(SecureStoreError) { try await store.remove(.awaitedStep) }

    /// What was awaited when the last process ended, where it still is.
    func keptStep(of backend: String, at now: Instant) async -> AwaitedStep? {
        guard let bytes = try? await store.read(.awaitedStep), let kept = KeptStep(decoding: bytes),
            kept.backend == backend
        else { return nil }
        return kept.step(at: now)
    }
}
