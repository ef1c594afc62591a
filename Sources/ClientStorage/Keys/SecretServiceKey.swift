// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
    import AuthTypes
    import ClientSession
    import Foundation

    /// A key in the desktop's secret service (the freedesktop Secret Service API: GNOME Keyring, KWallet), by
    /// `secret-tool` of libsecret: an app links nothing for it, and a system without it says so.
    ///
    /// The user may be asked to unlock it. One that stays locked is `locked`; no service, or no `secret-tool`, is
    /// `unavailable`. An entry that is not a key is `unavailable` too: nothing that somebody wrote there is
    /// overwritten.
    public actor SecretServiceKey: StoreKeySource {
        private let attributes: [String]
        private let label: String
        private let tool: SecretTool
        private let random: any RandomSource
        private let locks: FileLocks
        private let directory: PrivateDirectory
        private let files = BlockingQueue("latchkey.secret-service-key")
        private let known = Guarded<StoreKey?>(nil)
        /// Names the key in force, by its identifier. Whoever has one in memory sees by it, without asking the service,
        /// whether another process has made another.
        private static let note = "secret-service.key"

        /// - Parameters:
        ///   - application: by what the entry is found, such as `org.example.yoga`.
        ///   - label: what the user reads over it in the desktop's own list.
        ///   - directory: where the lock is under which the first key is made: the store's.
        ///   - executable: the path of `secret-tool`.
        ///   - environment: what it runs with; `nil` for the process's own.
        public init(
            application: String, label: String, directory: String, executable: String = "/usr/bin/secret-tool",
            environment: [String: String]? = nil, random: any RandomSource = SystemRandomSource()
        ) {
            attributes = ["application", application, "purpose", "latchkey-store-key"]
            self.label = label
            self.random = random
            tool = SecretTool(executable: executable, environment: environment)
            self.directory = PrivateDirectory(path: directory, files: SystemFiles())
            locks = FileLocks(directory: self.directory)
        }

        public func key(fresh: Bool) async throws(SecureStoreError) -> StoreKey {
            if !fresh, let key = known.value { return key }
            let key: StoreKey
            if let kept = try await kept() {
                key = kept
                if await !isNoted(key) { await note(key) }
            } else {
                key = try await made()
            }
            known.withLock { $0 = key }
            return key
        }

        nonisolated public func keyAtHand() throws(SecureStoreError) -> StoreKey? {
            guard let key = known.value, noted() == key.identifier else { return nil }
            return key
        }

        nonisolated private func noted() -> [UInt8]? {
            try? directory.reading { (open) throws(SecureStoreError) in
                try directory.contents(of: Self.note, in: open, limit: 64)
            }
        }

        private func isNoted(_ key: StoreKey) async -> Bool {
            (try? await files.run { () throws(SecureStoreError) in self.noted() == key.identifier }) ?? false
        }

        /// Where that fails, every writing asks the service.
        private func note(_ key: StoreKey) async {
            try? await locks.exclusively("secret-service.lock") { [self] in
                guard try await kept()?.identifier == key.identifier else { return }
                try await write(key.identifier)
            }
        }

        /// - Parameter identifier: `nil` takes the note away.
        private func write(_ identifier: [UInt8]?) async throws(SecureStoreError) {
            try await files.run { [directory] () throws(SecureStoreError) in
                try directory.writing { (open) throws(SecureStoreError) in
                    guard let identifier else { return try directory.remove(Self.note, in: open) }
                    try directory.replace(Self.note, with: identifier, in: open)
                }
            }
        }

        /// Only one process at a time looks and makes, so that whoever comes second finds the first one's.
        private func made() async throws(SecureStoreError) -> StoreKey {
            do {
                return try await locks.exclusively("secret-service.lock") { [self] in
                    if let key = try await kept() { return key }
                    let key = StoreKey(random: random)
                    // Nobody takes the former one for the one in force from here on, not even where this process dies
                    // now.
                    try await write(nil)
                    try await tool.run(
                        ["store", "--label=\(label)"] + attributes, input: Secret(Base64URL.encode(key.encoded())))
                    // What counts is what others will find.
                    guard let key = try await kept() else {
                        throw SecureStoreError.unavailable(reason: "the secret service did not keep the key")
                    }
                    try? await write(key.identifier)
                    return key
                }
            } catch let error as SecureStoreError {
                throw error
            } catch {
                throw .locked
            }
        }

        /// - Returns: `nil` only where the service says that there is none.
        private func kept() async throws(SecureStoreError) -> StoreKey? {
            // `lookup` would not tell an absent entry from one that is locked.
            let found = try await tool.run(["search", "--all", "--unlock"] + attributes, input: nil).reveal()
            let lines = found.split(separator: "\n")
            guard lines.contains(where: { $0.hasPrefix("[") }) else { return nil }
            guard let secret = lines.first(where: { $0.hasPrefix("secret = ") }) else { throw .locked }
            guard let text = Base64URL.decode(String(secret.dropFirst(9))), let key = try StoreKey(decoding: text)
            else {
                throw .unavailable(reason: "the secret service's entry for this app holds no key")
            }
            return key
        }
    }

    /// One run of the program at a time.
    private struct SecretTool: Sendable {
        let executable: String
        let environment: [String: String]?
        private let queue = BlockingQueue("latchkey.secret-tool")

        init(executable: String, environment: [String: String]?) {
            self.executable = executable
            self.environment = environment
        }

        @discardableResult
        func run(_ arguments: [String], input: Secret<String>?) async throws(SecureStoreError) -> Secret<String> {
            try await queue.run { () throws(SecureStoreError) in
                let process = Process()
                process.executableURL = URL(fileURLWithPath: executable)
                process.arguments = arguments
                if let environment { process.environment = environment }
                let (given, output) = (Pipe(), Pipe())
                process.standardInput = given
                process.standardOutput = output
                process.standardError = FileHandle.nullDevice
                do {
                    // A pipe holds far more than this. Written before anybody can have closed its other end, which
                    // would end this process by SIGPIPE.
                    if let input { try given.fileHandleForWriting.write(contentsOf: Data(input.reveal().utf8)) }
                    try given.fileHandleForWriting.close()
                    try process.run()
                    let text = try output.fileHandleForReading.readToEnd() ?? Data()
                    process.waitUntilExit()
                    guard process.terminationStatus == 0 else {
                        throw SecureStoreError.unavailable(
                            reason: "secret-tool ended with status \(process.terminationStatus)")
                    }
                    return Secret(String(decoding: text.prefix(64 << 10), as: UTF8.self))
                } catch let error as SecureStoreError {
                    throw error
                } catch {
                    throw .unavailable(reason: "\(executable) can't be run")
                }
            }
        }
    }
#endif
