// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// An image for a pool's pages: PNG or JPEG, as the service takes them. It stands in each page, so that it is smaller
/// here.
struct LogoImage: Sendable {
    /// The setting's 16 KiB, less what a `data:` URL begins with and what Base64 adds.
    static let largest = 12_000

    /// A `data:` URL (RFC 2397).
    let dataURL: String

    /// - Parameter base64: the content of the file.
    /// - Throws: `InvalidParameterException`.
    init(base64 text: String) throws(WireError) {
        guard let bytes = Base64.decode(text) else { throw .parameter("ImageFile is not a file in Base64.") }
        guard bytes.count <= Self.largest else {
            throw .parameter("ImageFile must be at most \(Self.largest) bytes on this server.")
        }
        let kind: String
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            kind = "png"
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            kind = "jpeg"
        } else {
            throw .parameter("ImageFile must be a PNG, JPG or JPEG file.")
        }
        dataURL = "data:image/\(kind);base64," + Base64.encode(bytes)
    }
}
