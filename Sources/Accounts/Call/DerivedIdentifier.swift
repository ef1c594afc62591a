// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension Directory {
    /// An identifier that follows from a name: of the form of a random one (RFC 9562, section 5.4), but the same each
    /// time, and nobody without the Directory's key can compute it.
    ///
    /// A made-up user keeps theirs from one sign-up to the next, as one who is not confirmed yet does.
    func derivedIdentifier<Tag>(_ kind: String, of name: String) -> Identifier<Tag> {
        Derivation(mac: authenticationCode(of: Array("identifier.\(kind)\u{0}\(name)".utf8))).identifier()
    }

    private struct Derivation: RandomSource {
        let mac: [UInt8]

        func bytes(_ count: Int) -> [UInt8] { Array(mac.prefix(count)) }
    }
}
