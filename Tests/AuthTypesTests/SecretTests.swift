// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@Suite struct SecretTests {
    @Test("A secret is redacted wherever it could be printed")
    func redaction() {
        let secret = Secret("hunter2-hunter2")
        var dumped = ""
        dump(["key": secret], to: &dumped)
        for text in ["\(secret)", String(describing: secret), String(reflecting: secret), "\([secret])", dumped] {
            #expect(!text.contains("hunter2"))
        }
        #expect("\(secret)" == "[redacted]")
        #expect(secret.reveal() == "hunter2-hunter2")
    }

    @Test("Constant-time comparison agrees with equality")
    func comparison() {
        #expect(constantTimeEqual([], []))
        #expect(constantTimeEqual([1, 2, 3], [1, 2, 3]))
        #expect(!constantTimeEqual([1, 2, 3], [1, 2, 4]))
        #expect(!constantTimeEqual([0, 2, 3], [1, 2, 3]))
        #expect(!constantTimeEqual([1, 2], [1, 2, 3]))
    }
}
