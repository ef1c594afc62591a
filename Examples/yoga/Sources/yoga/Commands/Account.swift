// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LatchkeyClient

struct Sessions: YogaCommand {
    static let configuration = CommandConfiguration(abstract: "Where you are signed in.")
    @OptionGroup var output: Output

    func act() async throws {
        let sessions = try await AppAPISessions(Studio.open(output: output).api()).list()
        for session in sessions { output.show(session.line, session.object) }
    }
}

struct Revoke: YogaCommand {
    static let configuration = CommandConfiguration(abstract: "End another session, or all others.")
    @Argument(help: "Which, as the list says.")
    var id: String?
    @Flag(help: "All but this one.")
    var others = false
    @OptionGroup var output: Output

    func act() async throws {
        guard (id == nil) == others else { throw ValidationError("An identifier or --others is needed") }
        let sessions = AppAPISessions(try await Studio.open(output: output).api())
        if let id { try await sessions.revoke(id) } else { try await sessions.revokeOthers() }
        output.show("Ended.", ["revoked": .string(id ?? "others")])
    }
}

struct Export: YogaCommand {
    static let configuration = CommandConfiguration(
        abstract: "Have a link mailed to everything that is held about you.")
    @OptionGroup var output: Output

    func act() async throws {
        let until = try await Studio.open(output: output).account().requestExport()
        var object: JSONObject = ["requested": true]
        object["expiresAt"] = until.map { .string($0.rfc3339) }
        output.show("A link is on its way\(until.map { ", good until \($0.minute)" } ?? "").", object)
    }
}

struct DeleteAccount: YogaCommand {
    static let configuration = CommandConfiguration(
        abstract: "Delete the account; without --yes, say what that means.",
        discussion: "Where you have to show who you are first, the password and codes are lines of the standard input.")
    @Flag(help: "Do it.")
    var yes = false
    @OptionGroup var dialogue: Dialogue
    @OptionGroup var output: Output

    func act() async throws {
        let studio = try await Studio.open(output: output)
        guard yes else { return try await explain(studio) }
        let deletion = try await deleteProving(studio)
        var object: JSONObject = ["deleted": true]
        object["dueAt"] = deletion.dueAt.map { .string($0.rfc3339) }
        let grace = deletion.dueAt.map { " for good at \($0.minute); signing in before then keeps it" } ?? ""
        output.show("Your account is deleted\(grace).", object)
    }

    /// Proves who it is only where that is asked for.
    private func deleteProving(_ studio: Studio) async throws -> AccountDeletion {
        let refusal: AuthError
        do throws(AuthError) { return try await delete(studio) } catch { refusal = error }
        guard [.reauthenticationNeeded, .insufficientAssurance].contains(refusal.code) else { throw refusal }
        try await Verify.verify(studio, anew: refusal.code == .reauthenticationNeeded, dialogue, output)
        return try await delete(studio)
    }

    /// By the app's API, which says until when signing in keeps the account; without one, by the vendor.
    private func delete(_ studio: Studio) async throws(AuthError) -> AccountDeletion {
        if studio.settings.api == nil { return try await studio.service.deleteAccount() }
        return try await studio.account().delete()
    }

    private func explain(_ studio: Studio) async throws {
        guard let meaning = try await studio.account().explainDeletion() else { throw AuthError(.unsupported) }
        output.show(
            "\(meaning.text) Deleted are: \(meaning.erased.joined(separator: ", ")).",
            [
                "graceSeconds": .integer(meaning.grace.seconds), "needsSecondFactor": .bool(meaning.needsSecondFactor),
                "needsRecentSignIn": .bool(meaning.needsRecentSignIn),
                "erased": .array(meaning.erased.map { .string($0) }),
            ])
    }
}

extension DeviceSession {
    var line: String {
        [device ?? "unknown device", system, network, isCurrent ? "this one" : nil, id].compactMap(\.self)
            .joined(separator: "  ")
    }

    var object: JSONObject {
        var object: JSONObject = ["id": .string(id), "current": .bool(isCurrent)]
        object["device"] = device.map { .string($0) }
        object["system"] = system.map { .string($0) }
        object["network"] = network.map { .string($0) }
        return object
    }
}
