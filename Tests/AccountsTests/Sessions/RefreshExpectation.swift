// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

@testable import Accounts

/// The rule of `docs/refresh.md` once more, written from its words: it keeps every token in the clear and forgets
/// nothing, so it can say what the family, which keeps hashes and eight steps, has to answer.
struct RefreshExpectation {
    private static let key = Secret([UInt8](repeating: 42, count: 32))

    private let rules: RefreshTokenFamily.Rules
    /// The text of each generation; the last is live.
    private var texts: [String]
    /// By generation: when the token was last given an answer while it was live or the parent of the live one.
    private var used: [UInt32: Instant] = [:]

    init(live: String, rules: RefreshTokenFamily.Rules) {
        texts = ["", live]
        self.rules = rules
    }

    private var live: UInt32 { UInt32(texts.count - 1) }

    /// What is wrong with the answer to the token `text`; `nil` when nothing is.
    ///
    /// - Parameter exactly: Whether to judge the reuse interval as well, which takes a clock that is never set back.
    mutating func judge(
        _ text: String, _ generation: UInt32, _ answer: String?, _ verdict: RefreshTokenFamily.Verdict, at now: Instant,
        exactly: Bool
    ) -> String? {
        guard Int(generation) < texts.count, texts[Int(generation)] == text else {
            return "generation \(generation) has two tokens"
        }
        if generation == live {
            guard let answer, verdict.rotated?.generation == generation + 1 else { return "the live token was refused" }
            guard !texts.contains(answer) else { return "the successor is no new token" }
            texts.append(answer)
            used[generation] = now
            return nil
        }
        if generation + 1 == live {
            used[generation] = max(used[generation] ?? now, now)
            return answer == texts.last ? nil : "the parent was not given the live token"
        }
        if let answer, answer != texts.last { return "an old token was given another than the live one" }
        guard exactly, let childUsed = used[generation + 1] else { return nil }
        let isOwed = live - generation <= 8 && now - childUsed < rules.reuseInterval
        guard isOwed == (answer != nil) else {
            return "a token \(live - generation) back, its child used \((now - childUsed).seconds) s ago, was "
                + (isOwed ? "refused" : "answered")
        }
        return nil
    }

    /// Everything that would let two tokens live at once: of all there ever were, one may be used up, and whatever
    /// another is answered is that one.
    func liveTokens(of family: RefreshTokenFamily, at now: Instant) -> [String] {
        var complaints: [String] = []
        for (generation, text) in texts.enumerated().dropFirst() {
            guard let token = RefreshToken(text, under: Self.key) else { continue }
            var copy = family
            switch copy.present(token, nonce: [UInt8](repeating: 0, count: 16), at: now, rules: rules) {
            case .rotated where generation != Int(live): complaints.append("generation \(generation) lives too")
            case .repeated(let given, _) where given.encoded(under: Self.key) != texts.last:
                complaints.append("generation \(generation) leads to another token than the live one")
            case .kept: complaints.append("generation \(generation) is kept")
            case .replayed where generation == Int(live), .superseded: complaints.append("the live token is refused")
            case .rotated, .repeated, .replayed: break
            }
        }
        return complaints
    }
}
