// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import Foundation

@testable import ClientStorage

/// A key that is given, as an app may have one from elsewhere.
struct FixedKey: StoreKeySource {
    var byte: UInt8 = 7
    var error: SecureStoreError?

    func key(fresh: Bool) async throws(SecureStoreError) -> StoreKey {
        if let error { throw error }
        guard let key = StoreKey(Secret([UInt8](repeating: byte, count: StoreKey.length))) else {
            throw .unavailable(reason: "no key")
        }
        return key
    }
}

extension TemporaryDirectory {
    /// A store in it with its key beside.
    func store(_ fault: FaultyFiles.Fault = .none, keyFault: FaultyFiles.Fault = .none) -> EncryptedFileStore {
        Self.store(path, FaultyFiles(fault), FaultyFiles(keyFault))
    }

    static func store(
        _ path: String, _ files: any FileOperations = SystemFiles(), _ keyFiles: any FileOperations = SystemFiles()
    ) -> EncryptedFileStore {
        let key = KeyFile(directory: path + "/key", random: SystemRandomSource(), files: keyFiles)
        return EncryptedFileStore(directory: path + "/store", key: key, random: SystemRandomSource(), files: files)
    }

    static let session = "store/auth.session.sealed"
}

/// What a call throws; `nil` where it throws nothing or something else.
func storeError<Value>(_ body: () async throws -> Value) async -> SecureStoreError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? SecureStoreError
    }
}

func isUnavailable(_ error: SecureStoreError?) -> Bool {
    if case .unavailable = error { true } else { false }
}
