// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@Suite struct IdentifierTests {
    @Test("R10.5 identifiers of things made together are random UUIDs in order, with no more in common than others")
    func together() {
        let random = SystemRandomSource()
        let made = random.identifiers(1000, of: UserTag.self).map(\.rawValue)
        #expect(made == made.sorted() && Set(made).count == 1000)
        #expect(made.allSatisfy { UUIDText.isIdentifier($0) && $0.dropFirst(14).first == "4" })
        #expect(made.allSatisfy { "89ab".contains($0.dropFirst(19).prefix(1)) })
        // Of a thousand of 2^32 two begin alike once in ten thousand times.
        #expect(Set(made.map { $0.prefix(8) }).count > 990 && Set(made.map { $0.suffix(12) }).count > 990)
        #expect(random.identifiers(0, of: UserTag.self).isEmpty)
    }
}
