// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A password as it is judged and hashed: in Normalization Form C (NIST SP 800-63B, section 3.1.1.2), so that two
/// keyboards that compose an umlaut differently give the same password. Never cut short, never folded.
///
/// What is longer than any password may be is none: to normalize it could take time that grows with the square of its
/// length.
struct NormalizedPassword {
    /// Octets of UTF-8 as it was typed: 1,024 code points, whatever they are.
    static let maximumOctets = 4096

    let text: String

    /// `nil` for more than ``maximumOctets``, and for more combining marks in a row than ``StreamSafeText`` has.
    init?(_ password: Secret<String>) {
        let typed = password.reveal()
        guard typed.utf8.count <= Self.maximumOctets, StreamSafeText.accepts(typed) else { return nil }
        text = typed.composed
    }

    var bytes: [UInt8] { Array(text.utf8) }
}
