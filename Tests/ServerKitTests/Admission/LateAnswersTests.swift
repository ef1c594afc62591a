// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@testable import ServerKit

@Suite("When those are answered who do not wait")
struct LateAnswersTests {
    private let now = Instant(seconds: 1_700_000_000)

    @Test("R9.16 answers to many who come at once go out one after the other, none early and none very late")
    func spread() {
        var answers = LateAnswers()
        let delays = (0..<1000).map { _ in answers.delay(at: now) }
        #expect(delays.first == .seconds(1))
        for (one, next) in zip(delays, delays.dropFirst()) { #expect(next.microseconds - one.microseconds == 2000) }
        let more = (0..<100_000).map { _ in answers.delay(at: now) }
        #expect(more.allSatisfy { $0 > .seconds(1) && $0 <= .seconds(8) } && more.last == .seconds(8))
    }

    @Test("R9.16 who comes alone waits a second, after a flood too, and where the clock was put back")
    func alone() {
        var answers = LateAnswers()
        for _ in 0..<100_000 { _ = answers.delay(at: now) }
        #expect(answers.delay(at: now + .seconds(8)) == .seconds(1))
        #expect(answers.delay(at: now - .hours(1)) == .seconds(1))
        #expect(answers.delay(at: now - .hours(1)) == .milliseconds(1002))
    }
}
