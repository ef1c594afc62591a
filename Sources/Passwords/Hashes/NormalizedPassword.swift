// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation

/// A password as it is hashed: in Normalization Form C (NIST SP 800-63B, section 3.1.1.2), so that two keyboards that
/// compose an umlaut differently give the same password. Never cut short, never folded.
enum NormalizedPassword {
    static func bytes(_ password: Secret<String>) -> [UInt8] {
        Array(password.reveal().precomposedStringWithCanonicalMapping.utf8)
    }
}
