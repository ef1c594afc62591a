// SPDX-License-Identifier: Apache-2.0

import AccountStore
import AuthTypes
import Foundation

/// Where the master key comes from: a setting, a file, a credential of the service manager, or a file beside the
/// database.
enum MasterKeySource: Sendable {
    case none
    case setting(Secret<String>)
    case file(String)
    /// `$CREDENTIALS_DIRECTORY/latchkey-master-key` (systemd.exec(5), `LoadCredential=`): who may read it is the
    /// service manager's affair.
    case credential(String)

    static let credentialName = "latchkey-master-key"

    /// What the operator says wins over what is found.
    ///
    /// - Throws: ``CommandFailure`` when two settings say where it is.
    static func find(
        _ configuration: ServerConfiguration, database: DatabaseLocation,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> MasterKeySource {
        switch (configuration.masterKey, configuration.masterKeyFile) {
        case (.some, .some): throw CommandFailure("masterKey, masterKeyFile: give one of them", .configuration)
        case (let key?, nil): return .setting(key)
        case (nil, let path?): return .file(path)
        case (nil, nil): break
        }
        if let directory = environment["CREDENTIALS_DIRECTORY"] {
            let path = directory + "/" + credentialName
            if FileManager.default.fileExists(atPath: path) { return .credential(path) }
        }
        let beside = database.masterKeyPath
        return FileManager.default.fileExists(atPath: beside) ? .file(beside) : .none
    }

    var name: String {
        switch self {
        case .none: "none"
        case .setting: "masterKey"
        case .file(let path), .credential(let path): path
        }
    }

    /// The keys as they are now: a file is read again each time.
    ///
    /// - Throws: ``CommandFailure`` naming the source, never what is in it.
    func read() throws -> MasterKeys? {
        do {
            switch self {
            case .none: return nil
            case .setting(let text): return try MasterKeys(parsing: text)
            case .file(let path): return try MasterKeys(parsing: try SecretFile.contents(of: path))
            case .credential(let path):
                return try MasterKeys(parsing: try SecretFile.contents(of: path, isChecked: false))
            }
        } catch {
            throw CommandFailure(
                "\(name): \(error.reason ?? "no readable master key")", .configuration)
        }
    }

    /// Writes a new file for its owner alone.
    ///
    /// - Throws: ``CommandFailure`` when there is a file of this name, or it can't be made.
    static func make(_ text: Secret<String>, at path: String) throws {
        let descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw CommandFailure(
                "\(path): can't be made (\(String(cString: strerror(errno))))",
                errno == EEXIST ? .conflict : .unavailable)
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try handle.write(contentsOf: Data((text.reveal() + "\n").utf8))
            // A key that is lost when the power is makes a sealed database worthless.
            try handle.synchronize()
        } catch {
            throw CommandFailure("\(path): can't be written", .unavailable)
        }
        try keepName(of: path)
    }

    /// Puts `key` before the keys of the file at `path`, in one rename. Whoever could read the file can read it
    /// afterwards.
    static func add(_ key: Secret<String>, to path: String) throws {
        _ = try MasterKeySource.file(path).read()
        let present = try SecretFile.contents(of: path)
        // What a link leads to is replaced, and not the link.
        let place = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let fresh = place + ".new"
        unlink(fresh)
        try make(Secret(key.reveal() + "\n" + present.reveal().trimmingCharacters(in: .newlines)), at: fresh)
        guard let rights = FileRights(of: place), rights.give(to: fresh), rename(fresh, place) == 0 else {
            let reason = String(cString: strerror(errno))
            unlink(fresh)
            throw CommandFailure(
                "\(path): can't be replaced by one with the same owner and rights (\(reason))", .unavailable)
        }
        try keepName(of: place)
    }

    /// Waits until the folder's disk has what the file is called: a key that is on the disk under no name, or under the
    /// name of the one before it, makes what is sealed under it worthless.
    ///
    /// - Throws: ``CommandFailure``: nothing may be sealed under the key then.
    private static func keepName(of path: String) throws {
        let folder = open(URL(fileURLWithPath: path).deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
        defer { if folder >= 0 { close(folder) } }
        // What a file system has no such call for (EINVAL), it can't be asked for.
        guard folder >= 0, fsync(folder) == 0 || errno == EINVAL else {
            throw CommandFailure(
                "\(path): its folder can't be made to keep it (\(String(cString: strerror(errno))))", .unavailable)
        }
    }
}
