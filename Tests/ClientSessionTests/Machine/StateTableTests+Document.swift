// SPDX-License-Identifier: Apache-2.0

@testable import ClientSession

// The page about the states: what each event does in each of them, as the machine does it.
extension StateTableTests {
    static let meanings = [
        "restoring": "The store has not answered yet. Protected screens wait.",
        "storeLocked": "The store is there and can't be read now. Nobody is signed in or out; it is read again.",
        "signedOut": "Nobody is signed in, for one of the reasons of `SignOutReason`.",
        "awaiting": "The service wants something of the user first.",
        "storing": "New tokens are on their way into the store. The app still sees the state before.",
        "signedIn": "There is a session, and a token that nobody has refused.",
        "refreshing": "One refresh is under way. Callers whose token is over wait for it.",
        "offline(full)": "The service can't be asked. The session was confirmed less than seven days ago.",
        "offline(readOnly)": "The same for up to thirty days: changes are queued.",
        "blocked": "The same for longer: nothing until the service has answered.",
    ]

    static var document: String {
        var lines = [
            "# The states of a session", "",
            "An app's session is a pure state machine (`Sources/ClientSession/Machine`). This page is written from it by",
            "`LATCHKEY_WRITE_DOCS=1 swift test --filter StateTableTests`, which plays every event in every state; the same",
            "test compares the page with the code. A timer that is set or cancelled is left out.", "",
            "Everything that takes time carries the generation of the session that it began in. Signing in, signing out and",
            "taking over what another process did begin the next one, and what comes back from a former one is dropped.",
            "",
            "```mermaid", "stateDiagram-v2", "    [*] --> restoring",
        ]
        lines += diagram
        lines += ["```", ""]
        for (name, bench) in states {
            let rows = rows(of: bench)
            let idle = rows.filter { $0.next == bench.state && $0.actions.isEmpty }
            lines += ["## \(name)", "", meanings[name] ?? "", ""]
            lines += ["| event | then | actions, in order |", "| --- | --- | --- |"]
            for row in rows where row.next != bench.state || !row.actions.isEmpty {
                let next = row.next == bench.state ? "" : "`\(row.next)`"
                lines.append("| \(row.event) | \(next) | \(row.actions.joined(separator: ", ")) |")
            }
            lines += ["", "Nothing follows: \(idle.map(\.event).joined(separator: "; ")).", ""]
        }
        return lines.dropLast().joined(separator: "\n") + "\n"
    }

    /// One arrow for each way from a state to another.
    private static var diagram: [String] {
        states.flatMap { name, bench -> [String] in
            let from = simple(name)
            var reached: [String] = []
            for row in rows(of: bench) where !reached.contains(simple(row.next)) && simple(row.next) != from {
                reached.append(simple(row.next))
            }
            return reached.map { "    \(from) --> \($0)" }
        }.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    private static func simple(_ state: String) -> String { String(state.prefix { $0 != "(" }) }
}
