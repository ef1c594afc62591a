// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// An ``AwaitedStep`` as it is kept in the store: for as long as its service's ticket lives, and for the backend that
/// it is of.
struct KeptStep: Sendable {
    var backend: String
    /// By the device's clock.
    var keptAt: Instant
    var step: AwaitedStep

    private static let version: Int64 = 1
    private static let limits = JSONLimits(depth: 8, members: 500, bytes: 128 << 10)
    /// No service's ticket is good for longer, whatever a backend says.
    static let longest = TimeSpan.hours(1)

    /// The step with what is left of its time. `nil` for one that is over, and for one that is of a time to come: the
    /// clock was set back, and nobody knows how old it is.
    func step(at now: Instant) -> AwaitedStep? {
        guard let lifetime = step.lifetime else { return nil }
        let age = now - keptAt
        guard age >= .zero, age < min(lifetime, Self.longest) else { return nil }
        var step = step
        step.lifetime = lifetime - age
        return step
    }

    init(backend: String, keptAt: Instant, step: AwaitedStep) {
        (self.backend, self.keptAt, self.step) = (backend, keptAt, step)
    }

    // MARK: Form

    /// `nil` for a step that is not kept: one without a time, and one that would add a provider, whose credential is
    /// kept nowhere (F-9).
    var encoded: [UInt8]? {
        guard let lifetime = step.lifetime, let kind = Self.word(step.kind) else { return nil }
        var record: JSONObject = [
            "version": .integer(Self.version), "backend": .string(backend), "kept_at": .integer(keptAt.microseconds),
            "lifetime": .integer(lifetime.microseconds), "kind": .string(kind.name),
            "words": .array(kind.words.map { .string($0) }), "takes_backup_code": .bool(step.takesBackupCode),
            "choices": .array(step.choices.map { .object(Self.encode($0)) }),
            "ticket": .object(Self.encode(step.ticket)),
        ]
        record["identifier"] = step.identifier.map { .string($0) }
        record["destination"] = step.destination.map { .string($0) }
        record["enrolment"] = step.enrolment.map { .object(Self.encode($0)) }
        let bytes = record.serialized()
        return bytes.count <= Self.limits.bytes ? bytes : nil
    }

    /// - Returns: `nil` for anything else.
    init?(decoding bytes: [UInt8]) {
        guard let record = try? JSONObject(parsing: bytes, limits: Self.limits),
            record["version"]?.integerValue == Self.version, let backend = record["backend"]?.stringValue,
            let keptAt = record["kept_at"]?.integerValue, let lifetime = record["lifetime"]?.integerValue,
            let word = record["kind"]?.stringValue, let words = record["words"]?.arrayValue?.compactMap(\.stringValue),
            let kind = Self.kind(word, words), let takesBackupCode = record["takes_backup_code"]?.boolValue,
            let choices = record["choices"]?.arrayValue
        else { return nil }
        self.init(
            backend: backend, keptAt: Instant(microseconds: keptAt),
            step: AwaitedStep(
                kind: kind, identifier: record["identifier"]?.stringValue,
                destination: record["destination"]?.stringValue,
                choices: choices.compactMap { $0.objectValue.flatMap(Self.choice) }, takesBackupCode: takesBackupCode,
                enrolment: record["enrolment"]?.objectValue.flatMap(Self.enrolment),
                lifetime: TimeSpan(microseconds: lifetime), ticket: Self.ticket(record["ticket"])))
    }

    private static func word(_ kind: AwaitedStep.Kind) -> (name: String, words: [String])? {
        switch kind {
        case .confirmation: ("confirmation", [])
        case .newPassword(let attributes): ("new_password", attributes)
        case .oneTimePassword: ("one_time_password", [])
        case .code: ("code", [])
        case .choice(let ways): ("choice", ways)
        case .enrolment(let kinds): ("enrolment", kinds.map(\.rawValue))
        case .passkey: ("passkey", [])
        case .linking: nil
        }
    }

    private static func kind(_ name: String, _ words: [String]) -> AwaitedStep.Kind? {
        switch name {
        case "confirmation": .confirmation
        case "new_password": .newPassword(requiredAttributes: words)
        case "one_time_password": .oneTimePassword
        case "code": .code
        case "choice": .choice(words)
        case "enrolment": .enrolment(words.compactMap(FactorKind.init))
        case "passkey": .passkey
        default: nil
        }
    }
}
