// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import JOSE

/// Makes, changes and removes Directories. The operator's work, at the command line or at the first start.
public struct DirectoryAdministration: Sendable {
    private let store: any AccountStoring
    private let random: any RandomSource

    public init(_ ports: AccountPorts) {
        self.init(store: ports.store, random: ports.random)
    }

    public init(store: any AccountStoring, random: any RandomSource) {
        self.store = store
        self.random = random
    }

    /// Makes a Directory with its keys: the MAC key, a token signing key and the one standing by, and an HS256 key for
    /// API keys that are tokens.
    ///
    /// - Parameters:
    ///   - name: 1 to 63 lower-case letters, digits and hyphens, a letter or digit at both ends.
    ///   - algorithm: of the token signing keys.
    /// - Throws: `AuthErrorCode.conflict` when the name is taken, `.invalidRequest` for one that is none and for a
    ///   setting out of its range, `.unsupported` for an algorithm no key can be made for.
    public func create(
        name: String, settings: DirectorySettings = DirectorySettings(), algorithm: JWSAlgorithm = .es256,
        at now: Instant
    ) async throws -> Directory {
        guard Self.isName(name) else {
            throw AuthError(
                .invalidRequest, reason: "a name is 1 to 63 lower-case letters, digits and hyphens", field: "name")
        }
        try settings.requireInRange(changedFrom: DirectorySettings())
        try MessageWording.require(settings.mail, changedFrom: DirectorySettings().mail)
        let directory = Directory(
            id: try await identifier(), name: name, settings: settings, tokenKey: Secret(random.bytes(32)),
            createdAt: now, updatedAt: now)
        var tokens = try KeyRing.generate(algorithm, .tokens, in: directory, random: random, at: now)
        tokens.state = .active
        tokens.activatedAt = now
        let standby = try KeyRing.generate(algorithm, .tokens, in: directory, random: random, at: now)
        var apiKeys = try KeyRing.generate(.hs256, .apiKeys, in: directory, random: random, at: now)
        apiKeys.state = .active
        apiKeys.activatedAt = now
        let keys = [tokens, standby, apiKeys]
        do {
            try await store.write { tx in
                try tx.insert(directory)
                for key in keys { try tx.insert(key) }
            }
        } catch StoreConflict.duplicate {
            throw AuthError(.conflict, reason: "there is a directory named \(name)", field: "name")
        }
        return directory
    }

    /// One that is nobody's: so short a text may be another's, however unlikely.
    private func identifier() async throws -> DirectoryID {
        for _ in 0..<3 {
            let id = DirectoryID(by: random)
            if try await store.read({ try $0.directory(id) == nil }) { return id }
        }
        throw AuthError(.unavailable, reason: "three identifiers in a row are taken")
    }

    /// The Directory of this name, made with these settings where there is none: what a server does at its start.
    public func ensure(
        name: String = DirectoryCatalog.defaultName, settings: DirectorySettings = DirectorySettings(),
        algorithm: JWSAlgorithm = .es256, at now: Instant
    ) async throws -> Directory {
        if let present = try await store.read({ try $0.directory(named: name) }) { return present }
        do {
            return try await create(name: name, settings: settings, algorithm: algorithm, at: now)
        } catch let error as AuthError where error.code == .conflict {
            // Another process was faster.
            guard let present = try await store.read({ try $0.directory(named: name) }) else { throw error }
            return present
        }
    }

    /// In order of their names.
    public func list() async throws -> [Directory] {
        try await store.read { try $0.directories() }
    }

    /// - Throws: `AuthErrorCode.notFound`.
    public func get(named name: String) async throws -> Directory {
        guard let directory = try await store.read({ try $0.directory(named: name) }) else {
            throw AuthError(.notFound, reason: "no directory named \(name)", field: "directory")
        }
        return directory
    }

    /// Replaces the settings; nothing is written where they are the same.
    ///
    /// - Throws: `AuthErrorCode.notFound`, `.invalidRequest` naming a changed setting that is out of its range.
    @discardableResult
    public func update(_ id: DirectoryID, settings: DirectorySettings, at now: Instant) async throws -> Directory {
        try await update(id, at: now) { $0 = settings }
    }

    /// Changes the settings as they stand: of two changes at once neither undoes the other.
    ///
    /// - Throws: `AuthErrorCode.notFound`, `.invalidRequest` naming a changed setting that is out of its range, and
    ///   what `change` throws.
    @discardableResult
    public func update(
        _ id: DirectoryID, at now: Instant, _ change: @escaping @Sendable (inout DirectorySettings) throws -> Void
    ) async throws -> Directory {
        try await store.write { tx in
            guard var directory = try tx.directory(id) else { throw AuthError(.notFound, field: "directory") }
            var settings = directory.settings
            try change(&settings)
            guard directory.settings != settings else { return directory }
            try settings.requireInRange(changedFrom: directory.settings)
            try MessageWording.require(settings.mail, changedFrom: directory.settings.mail)
            directory.settings = settings
            directory.updatedAt = now
            try tx.update(directory)
            directory.version += 1
            return directory
        }
    }

    /// Deletes the Directory with every user, session and key in it. It cannot be undone.
    ///
    /// - Parameter check: looks at the Directory as it stands, and throws where it must stay.
    /// - Throws: `AuthErrorCode.notFound`, and what `check` throws.
    public func delete(
        _ id: DirectoryID, unless check: @escaping @Sendable (Directory) throws -> Void = { _ in }
    ) async throws {
        try await store.write { tx in
            guard let directory = try tx.directory(id) else { throw AuthError(.notFound, field: "directory") }
            try check(directory)
            _ = try tx.deleteDirectory(id)
        }
    }

    /// A name for a Directory that people know by `title`: its letters and digits, and a random end that makes it free
    /// (36 bits: a name made for a second Directory of the same title is another one).
    public static func slug(from title: String, random: any RandomSource) -> String {
        let words = title.lowercased().utf8.map { byte -> UInt8 in
            (97...122).contains(byte) || (48...57).contains(byte) ? byte : UInt8(ascii: "-")
        }.split(separator: UInt8(ascii: "-"))
        let stem = Array(words.joined(separator: [UInt8(ascii: "-")])).prefix(40)
        let end = random.letters(7)
        let text = String(decoding: stem, as: UTF8.self)
        return text.isEmpty ? "directory-" + end : text + (text.hasSuffix("-") ? "" : "-") + end
    }

    static func isName(_ text: String) -> Bool {
        let hyphen = UInt8(ascii: "-")
        return (1...63).contains(text.utf8.count) && text.utf8.first != hyphen && text.utf8.last != hyphen
            && text.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == hyphen }
    }
}
