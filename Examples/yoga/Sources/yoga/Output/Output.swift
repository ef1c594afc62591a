// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import LatchkeyClient

/// How a command prints: lines for people, or one JSON object a line for scripts.
struct Output: ParsableArguments {
    @Flag(help: "Print JSON.")
    var json = false

    func show(_ text: String, _ object: JSONObject) {
        print(json ? String(decoding: object.serialized(), as: UTF8.self) : text)
        // A script that reads along does not wait for the end.
        fflush(nil)
    }

    /// One line about what went wrong, in the reader's language.
    func show(_ error: AuthError) {
        let shown = ErrorPresentation(error)
        let line = ([shown.message] + shown.details).map { $0.text(in: Self.language) }.joined(separator: " ")
        var object: JSONObject = ["error": .string(shown.code.rawValue), "message": .string(line)]
        if let page = error.page { object["page"] = .string(page) }
        let told = error.page.map { line + " " + $0 } ?? line
        note(json ? String(decoding: object.serialized(), as: UTF8.self) : told)
    }

    func note(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }

    static var language: MessageLanguage {
        let environment = ProcessInfo.processInfo.environment
        let chosen = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty }
        return MessageLanguage(matching: chosen.map { [$0] } ?? [])
    }
}
