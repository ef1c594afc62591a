// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

@Suite("G-11 What an operator publishes") struct TermsAdministrationTests {
    private func refusal(_ draft: TermsDraft, _ bench: TermsBench) async -> AuthError? {
        await bench.base.error {
            try await TermsAdministration(bench.ports).publish([draft], call: bench.operatorCall())
        }
    }

    @Test("G-11 the same file is published once; other words are another version")
    func published() async throws {
        let bench = try await TermsBench()
        let draft = try TermsBench.draft("1")
        let administration = TermsAdministration(bench.ports)
        #expect(try await administration.publish([draft], call: bench.operatorCall()).count == 1)
        #expect(try await administration.publish([draft], call: bench.operatorCall(after: .days(1))).isEmpty)
        var other = draft
        other.texts["en"]?.title = "Other words"
        #expect(await refusal(other, bench)?.code == .conflict)
        #expect(try await administration.list(call: bench.operatorCall()).count == 1)
    }

    @Test("G-11 what can't be read, demanded or told apart is refused, and nothing of the call is done")
    func refused() async throws {
        let bench = try await TermsBench()
        try await bench.publish("1")
        let good = try TermsBench.draft("2", effectiveAt: bench.base.now + .days(1))
        let demandedPurpose = try TermsBench.draft("1", of: "news", kind: .purpose)
        let otherKind = try TermsBench.draft(
            "3", kind: .purpose, demanded: false, effectiveAt: bench.base.now + .days(2))
        let document = try TermsBench.draft("1", of: "analytics", demanded: false)
        let together = try TermsBench.draft("4", effectiveAt: bench.base.now)
        func with(_ change: (inout TermsDraft) -> Void) -> TermsDraft {
            var draft = good
            change(&draft)
            return draft
        }
        let bad: [(TermsDraft, AuthErrorCode, String)] = [
            (demandedPurpose, .invalidRequest, "demanded"), (otherKind, .conflict, "kind"),
            (document, .conflict, "kind"), (together, .conflict, "effective_at"),
            (with { $0.texts = [:] }, .invalidRequest, "texts"),
            (with { $0.texts = ["EN": Terms.Text(title: "x", url: "https://a.example")] }, .invalidRequest, "texts"),
            (with { $0.texts = ["en": Terms.Text(title: "", url: "https://a.example")] }, .invalidRequest, "title"),
            (with { $0.texts = ["en": Terms.Text(title: "x")] }, .invalidRequest, "url"),
            (with { $0.texts = ["en": Terms.Text(title: "x", url: "javascript:alert(1)")] }, .invalidRequest, "url"),
        ]
        for (draft, code, field) in bad {
            let error = await bench.base.error {
                try await TermsAdministration(bench.ports).publish([good, draft], call: bench.operatorCall())
            }
            #expect(error?.code == code && error?.field == field, "\(draft)")
        }
        #expect(try await TermsAdministration(bench.ports).list(call: bench.operatorCall()).map(\.version) == ["1"])
    }

    @Test("G-11 what has taken effect is not taken back, and nobody but an administrator does any of it")
    func withdrawn() async throws {
        let bench = try await TermsBench()
        let administration = TermsAdministration(bench.ports)
        try await bench.publish("1")
        let later = try TermsBench.draft("2", effectiveAt: bench.base.now + .days(1))
        try await administration.publish([later], call: bench.operatorCall())
        let first = try TermsBench.reference("terms", "1")
        #expect(
            await bench.refusal { try await administration.withdraw(first, call: bench.operatorCall()) } == .conflict)
        try await administration.withdraw(later.reference, call: bench.operatorCall())
        #expect(
            await bench.refusal { try await administration.withdraw(later.reference, call: bench.operatorCall()) }
                == .notFound)
        let stranger = try bench.call()
        #expect(await bench.refusal { _ = try await administration.list(call: stranger) } == .forbidden)
        #expect(await bench.refusal { _ = try await administration.publish([later], call: stranger) } == .forbidden)
        #expect(await bench.refusal { try await administration.withdraw(first, call: stranger) } == .forbidden)
        #expect(
            await bench.refusal { _ = try await administration.demand(false, of: first, call: stranger) }
                == .forbidden)
    }

    @Test("G-11 a file's form is read as it is written, and nothing of it is passed over")
    func form() async throws {
        let bench = try await TermsBench()
        let terms = try #require(try await bench.publish("1").first)
        let read = try TermsDraft(terms.json)
        #expect(read.says(what: terms) && read.isDemanded)
        for bad: JSONObject in [
            ["name": "terms", "version": "1"], ["name": "a b", "version": "1", "texts": [:]],
            ["name": "terms", "version": "1", "texts": ["en": ["title": "x", "text": "y"]]],
            ["name": "terms", "version": "1", "texts": [:], "demanded": "yes"],
            ["name": "terms", "version": "1", "texts": [:], "kind": "law"],
            ["name": "terms", "version": "1", "texts": [:], "effectiveAt": "soon"],
            ["name": "terms", "version": "1", "texts": [:], "other": 1],
        ] {
            #expect(await bench.refusal { _ = try TermsDraft(bad) } == .invalidRequest, "\(bad)")
        }
        #expect(try TermsLine.references(in: "a=1, b=2").map(\.name) == ["a", "b"])
        for bad in ["", "a", "a=", "=1", "a=1,", "a=1 2", "ä=1", String(repeating: "a=1,", count: 50) + "a=1"] {
            #expect(await bench.refusal { _ = try TermsLine.references(in: bad) } == .invalidRequest, "\(bad)")
        }
    }
}
