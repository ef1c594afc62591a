// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

    /// The head of an answer, line by line as libcurl tells it: any number of provisional ones (RFC 9110,
    /// section 15.2), the final one, and what may follow the body, which is left out.
    struct CurlHead {
        /// All lines together, those of provisional answers among them.
        static let limit = 128 << 10

        private(set) var fields: [HTTPHeader] = []
        /// Whether the line that ends the final head was there.
        private(set) var isComplete = false
        private var isProvisional = false
        private var count = 0

        /// - Returns: whether it is within the limit.
        mutating func take(line bytes: UnsafeRawBufferPointer) -> Bool {
            count += bytes.count
            guard count <= Self.limit else { return false }
            guard !isComplete else { return true }
            let line = bytes.prefix { $0 != 0x0D && $0 != 0x0A }
            if line.isEmpty {
                isComplete = !isProvisional
            } else if line.starts(with: "HTTP/".utf8) {
                fields = []
                // 101 is the last that is said in HTTP.
                let status = String(decoding: line.drop { $0 != 0x20 }.dropFirst().prefix(3), as: UTF8.self)
                isProvisional = status.hasPrefix("1") && status != "101"
            } else if let first = line.first, Self.isBlank(first) {
                // A field that goes on in the next line (RFC 9112, section 5.2).
                guard let last = fields.indices.last else { return true }
                fields[last].value += " " + Self.text(line)
            } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
                fields.append(HTTPHeader(Self.text(line[..<colon]), Self.text(line[(colon + 1)...])))
            }
            return true
        }

        private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

        private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
            var bytes = bytes.drop(while: isBlank)
            while let last = bytes.last, isBlank(last) { bytes.removeLast() }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

#endif
