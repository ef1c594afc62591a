// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@Suite struct ColourTests {
    @Test("R11.4 contrast is that of WCAG 2.2, whichever of the two is named first")
    func contrast() throws {
        for (one, other, ratio) in [
            ("#ffffff", "#000000", 21.0), ("#ffffff", "#ffffff", 1), ("#777777", "#ffffff", 4.48),
            ("#767676", "#ffffff", 4.54), ("#ff0000", "#ffffff", 4.00), ("#0000ff", "#ffffff", 8.59),
            ("#ffff00", "#000000", 19.56), ("#0a0a0a", "#000000", 1.06),
        ] {
            let (first, second) = (try #require(Colour(one)), try #require(Colour(other)))
            #expect(abs(first.contrast(with: second) - ratio) < 0.01, "\(one) on \(other)")
            #expect(first.contrast(with: second) == second.contrast(with: first))
        }
    }

    @Test("R11.4 a colour is # and six digits, and nothing else is one")
    func form() {
        #expect(Colour("#1D5bc9")?.description == "#1d5bc9")
        for text in [
            "", "#", "1d5bc9", "#1d5bc", "#1d5bc99", "#1d5bcg", "#fff", "red", "#\u{660}\u{660}\u{660}", " #1d5bc9",
        ] {
            #expect(Colour(text) == nil, "\(text)")
        }
        #expect(Colour.black.mixed(with: .white, 0.5).description == "#808080")
        #expect(Colour.black.mixed(with: .white, 2) == .white)
    }
}
