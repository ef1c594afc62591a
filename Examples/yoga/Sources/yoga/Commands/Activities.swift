// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LatchkeyClient

struct Activities: YogaCommand {
    static let configuration = CommandConfiguration(abstract: "What the user has done, page by page.")

    @Option(help: "How many to a page.")
    var limit = 20
    @Option(help: "How many pages.")
    var pages = 1
    @OptionGroup var output: Output

    func validate() throws {
        guard limit > 0, pages > 0 else { throw ValidationError("--limit and --pages are 1 at least") }
    }

    func act() async throws {
        let client = try await Studio.open(output: output).api()
        var read = 0
        for try await page in client.pages("/v1/activities?limit=\(limit)", items: "activities") {
            for activity in page.items { output.show(Self.line(activity), activity) }
            read += 1
            if page.items.isEmpty, read == 1 { output.note(UserMessage(.activitiesEmpty).text(in: Output.language)) }
            if read == pages {
                if page.next != nil { output.note("More with --pages \(pages + 1).") }
                break
            }
        }
    }

    private static func line(_ activity: JSONObject) -> String {
        activity.members.compactMap { $0.name == "id" ? nil : $0.value.stringValue }.joined(separator: "  ")
    }
}
