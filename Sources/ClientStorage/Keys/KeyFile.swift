// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// A key in a file that only its owner reads: for systems without a better place. It keeps values from whoever gets a
/// copy of the store alone; not from whoever reads the owner's files.
public struct KeyFile: StoreKeySource {
    private let directory: PrivateDirectory
    private let name: String
    private let random: any RandomSource
    private let queue = BlockingQueue("latchkey.key-file")

    /// - Parameters:
    ///   - directory: made with mode 0700 where it is missing; refused where it is open to others. Best not the store's
    ///     own: a copy of that alone is then worth nothing.
    ///   - name: of the file.
    public init(directory: String, name: String = "store.key", random: any RandomSource = SystemRandomSource()) {
        self.init(directory: directory, name: name, random: random, files: SystemFiles())
    }

    init(directory: String, name: String = "store.key", random: any RandomSource, files: any FileOperations) {
        self.directory = PrivateDirectory(path: directory, files: files)
        self.name = name
        self.random = random
    }

    public func key(fresh: Bool) async throws(SecureStoreError) -> StoreKey {
        try await queue.run { () throws(SecureStoreError) in
            if let key = try keyAtHand() { return key }
            return try made()
        }
    }

    /// Read anew each time: the file is short, and another process may have replaced it.
    public func keyAtHand() throws(SecureStoreError) -> StoreKey? {
        try directory.reading { (open) throws(SecureStoreError) in try kept(in: open) }
    }

    /// Only one process at a time looks and makes, so that whoever comes second finds the first one's.
    private func made() throws(SecureStoreError) -> StoreKey {
        try directory.writing { (open) throws(SecureStoreError) in
            let text = try directory.contents(of: name, in: open, limit: StoreKey.encodedLength)
            if let text {
                if let key = try StoreKey(decoding: text) { return key }
                _ = try directory.putAside(name, in: open)
            }
            let key = StoreKey(random: random)
            try directory.replace(name, with: key.encoded(), in: open)
            return key
        }
    }

    /// - Returns: `nil` where there is none, or a damaged one.
    private func kept(in open: Int32) throws(SecureStoreError) -> StoreKey? {
        guard let text = try directory.contents(of: name, in: open, limit: StoreKey.encodedLength) else { return nil }
        return try StoreKey(decoding: text)
    }
}
