// SPDX-License-Identifier: Apache-2.0

extension HTTPRequest {
    /// Whether its method and fields stay what they are when they are written into a request: no line ends inside of
    /// them (RFC 9110, sections 5.5 and 9.1). A transport sends nothing else.
    var isWritable: Bool {
        Self.isToken(method)
            && headers.allSatisfy { header in
                Self.isToken(header.name)
                    && header.value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
            }
    }

    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }
}
