// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LatchkeyClient

struct Terms: YogaCommand {
    static let configuration = CommandConfiguration(abstract: "What there is to agree to, for anybody to read.")
    @OptionGroup var output: Output

    func act() async throws {
        let documents = try await Studio.open(output: output).terms().current(Output.language)
        for document in documents { output.show(document.line, document.object) }
    }
}

/// What the user agrees to with a sign-up or a sign-in, and with no other.
struct Agreement: ParsableArguments {
    @Option(
        name: .customLong("agree"),
        help: "What is agreed to with it, such as terms-of-service=2026-11. May be repeated.")
    var agreed: [String] = []

    func saying<Outcome: Sendable>(_ body: () async throws(AuthError) -> Outcome) async throws -> Outcome {
        try await AgreedTerms.saying(documents(), body)
    }

    private func documents() throws -> [TermsDocument] {
        try agreed.map { word in
            let parts = word.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else {
                throw ValidationError("--agree wants a name and a version: \(word)")
            }
            return TermsDocument(name: parts[0], version: parts[1], title: parts[0])
        }
    }
}

extension TermsDocument {
    var line: String { [id, title, isDemanded ? "demanded" : nil, url].compactMap(\.self).joined(separator: "  ") }

    var object: JSONObject {
        var object: JSONObject = [
            "id": .string(id), "title": .string(title), "demanded": .bool(isDemanded), "purpose": .bool(isPurpose),
        ]
        object["url"] = url.map { .string($0) }
        return object
    }
}
