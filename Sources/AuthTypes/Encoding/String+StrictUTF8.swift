// SPDX-License-Identifier: Apache-2.0

extension String {
    /// The text that the octets are as UTF-8; `nil` where they are not, and nothing is put in the place of what is no
    /// text.
    ///
    /// What `String(validating:as:)` is, which macOS has from 15 on and iOS from 18.
    @inlinable
    package init?(strictUTF8 octets: some Collection<UInt8>) {
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            self.init(validating: octets, as: UTF8.self)
        } else {
            self.init(repairedOnlyIfSound: octets)
        }
    }

    /// The same for older systems: a text that had to be repaired no longer has the octets that it was made from.
    @usableFromInline
    init?(repairedOnlyIfSound octets: some Collection<UInt8>) {
        let text = String(decoding: octets, as: UTF8.self)
        guard text.utf8.elementsEqual(octets) else { return nil }
        self = text
    }
}
