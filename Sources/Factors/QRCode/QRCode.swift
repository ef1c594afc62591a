// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import CQREncode

/// A QR code (ISO/IEC 18004) of a short text, made by libqrencode.
public struct QRCode: Sendable, Equatable {
    /// Modules that stay white around it (section 9.1 of the standard).
    static let margin = 4
    /// Octets of a text that fit at this level of correction.
    private static let longest = 2_300

    /// Modules of a side.
    public let width: Int
    /// Row by row: whether each is dark.
    let modules: [Bool]

    /// With correction of level M, as large as the text needs it.
    ///
    /// - Throws: ``AuthErrorCode/invalidRequest`` for an empty text, one with a NUL, and one of more than 2,300 octets.
    public init(_ text: Secret<String>) throws(AuthError) {
        let octets = Array(text.reveal().utf8)
        guard (1...Self.longest).contains(octets.count), !octets.contains(0) else {
            throw AuthError(.invalidRequest, reason: "no text for a QR code")
        }
        guard let code = QRcode_encodeString8bit(text.reveal(), 0, QR_ECLEVEL_M) else {
            throw AuthError(.internalFailure, reason: "a QR code could not be made")
        }
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        guard width > 0, let data = code.pointee.data else {
            throw AuthError(.internalFailure, reason: "a QR code could not be made")
        }
        self.width = width
        // The lowest bit says whether a module is dark; the others, why.
        modules = (0..<(width * width)).map { data[$0] & 1 == 1 }
    }

    func isDark(_ column: Int, _ row: Int) -> Bool {
        (0..<width).contains(column) && (0..<width).contains(row) && modules[row * width + column]
    }
}
