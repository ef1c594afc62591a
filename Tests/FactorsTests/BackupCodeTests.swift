// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@testable import Factors

@Suite("Codes that are written down")
struct BackupCodeTests {
    @Test("G-9.3 a code is four groups of four, and is read however it is typed")
    func typed() throws {
        for _ in 0..<100 {
            let code = BackupCode.draw(by: SystemRandomSource()).reveal()
            #expect(code.wholeMatch(of: /[a-z2-7]{4}(-[a-z2-7]{4}){3}/) != nil)
            let plain = code.filter { $0 != "-" }
            for form in [code, plain, code.uppercased(), plain.map { "\($0) " }.joined()] {
                #expect(BackupCode.normalized(form) == plain)
            }
        }
    }

    @Test(
        "G-9.3 what is no code is none",
        arguments: [
            "", "abcd", "abcd-efgh-ijkl-mno", "abcd-efgh-ijkl-mnopq", "abcd-efgh-ijkl-mno1", "ａbcd-efgh-ijkl-mnop",
            String(repeating: "-", count: 100_000) + "abcdefghijklmnop",
        ])
    func malformed(_ text: String) { #expect(BackupCode.normalized(text) == nil) }

    @Test("G-9.3 each of the 32 characters is as likely as any other")
    func even() {
        var counts: [Character: Int] = [:]
        for _ in 0..<2000 {
            for character in BackupCode.draw(by: SystemRandomSource()).reveal() where character != "-" {
                counts[character, default: 0] += 1
            }
        }
        // 1,000 of each are to be expected, and 32 the usual distance from it.
        #expect(counts.count == 32)
        #expect(counts.values.allSatisfy { (750...1250).contains($0) })
    }
}
