// SPDX-License-Identifier: Apache-2.0

import JOSE
import Testing

@Suite struct JWSAlgorithmTests {
    @Test("none is not an algorithm")
    func noneIsUnknown() {
        #expect(!JWSAlgorithm.allKnown.contains { $0.rawValue.lowercased() == "none" })
        #expect(JWSAlgorithm.allKnown.count == 13)
    }
}
