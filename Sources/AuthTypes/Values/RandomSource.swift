// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Where unpredictable bytes come from. The server passes the system's CSPRNG; a simulation passes a seeded one.
public protocol RandomSource: Sendable {
    /// `count` fresh bytes.
    func bytes(_ count: Int) -> [UInt8]
}

/// The operating system's CSPRNG. Made once, where the program is put together.
public struct SystemRandomSource: RandomSource {
    /// There is one CSPRNG, however many ask it.
    public init() {}

    /// `count` fresh bytes.
    public func bytes(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        bytes.withUnsafeMutableBytes { buffer in
            // One call into the system for as many as it gives at once (POSIX.1-2024, `getentropy`).
            for start in stride(from: 0, to: buffer.count, by: 256) {
                let part = UnsafeMutableRawBufferPointer(rebasing: buffer[start..<min(start + 256, buffer.count)])
                guard let address = part.baseAddress, getentropy(address, part.count) != 0 else { continue }
                Self.fill(part)
            }
        }
        return bytes
    }

    /// For a system that refuses `getentropy`: the standard library's way waits, and ends the process if there is none.
    private static func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        var generator = SystemRandomNumberGenerator()
        for place in buffer.indices { buffer[place] = generator.next() }
    }
}

extension RandomSource {
    /// A random UUID (RFC 9562, section 5.4), lower case with hyphens.
    public func uuid() -> String {
        UUIDText.random(bytes(16))
    }

    /// A UUID that sorts by time (RFC 9562, section 5.7): 48 bits of milliseconds, then random bits.
    ///
    /// Rows keyed by it are appended to the index instead of scattered over it. Not for what strangers are shown, such
    /// as users and their identities: it says when it was made, and a made-up one is of the other form.
    public func uuid(at now: Instant) -> String {
        var bytes = bytes(16)
        let milliseconds = UInt64(max(0, now.microseconds / 1000))
        for index in 0..<6 {
            bytes[index] = UInt8(truncatingIfNeeded: milliseconds >> UInt64(40 - 8 * index))
        }
        bytes[6] = bytes[6] & 0x0F | 0x70
        bytes[8] = bytes[8] & 0x3F | 0x80
        return UUIDText.encode(bytes[...])
    }

    /// `count` decimal digits, each equally likely: a one-time code to be typed by hand.
    public func digits(_ count: Int) -> String {
        var text = ""
        while text.utf8.count < count {
            // 250 is the largest multiple of ten in a byte: what lies above would favour the low digits.
            for byte in bytes(count) where byte < 250 && text.utf8.count < count {
                text.unicodeScalars.append(Unicode.Scalar(48 + byte % 10))
            }
        }
        return text
    }

    /// `count` lower-case letters and digits, each equally likely: 5.17 bits a character; of both cases 5.95.
    public func letters(_ count: Int, ofBothCases: Bool = false) -> String {
        var alphabet = Array("abcdefghijklmnopqrstuvwxyz0123456789".unicodeScalars)
        if ofBothCases { alphabet += "ABCDEFGHIJKLMNOPQRSTUVWXYZ".unicodeScalars }
        // The largest multiple in a byte: what lies above would favour the first letters.
        let end = 256 / alphabet.count * alphabet.count
        var text = String.UnicodeScalarView()
        while text.count < count {
            for byte in bytes(count) where Int(byte) < end && text.count < count {
                text.append(alphabet[Int(byte) % alphabet.count])
            }
        }
        return String(text)
    }
}
