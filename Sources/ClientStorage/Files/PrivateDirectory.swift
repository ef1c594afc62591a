// SPDX-License-Identifier: Apache-2.0

import ClientSession

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif canImport(Darwin)
    import Darwin
#endif

/// A directory that only its owner sees into (mode 0700), with files that only its owner reads (0600). One that is open
/// to others is not mended but refused: who could read it has perhaps read it.
struct PrivateDirectory: Sendable {
    let path: String
    let files: any FileOperations

    init(path: String, files: any FileOperations) {
        self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        self.files = files
    }

    /// Runs `body` with the open directory.
    ///
    /// - Returns: `nil` where there is no such directory.
    func reading<Value>(
        _ body: (Int32) throws(SecureStoreError) -> Value?
    ) throws(SecureStoreError) -> Value? {
        guard let directory = try opened() else { return nil }
        defer { files.close(directory) }
        return try body(directory)
    }

    /// Runs `body` with the open directory, made where there is none, while no other process and nobody else in this
    /// one writes into it. Who dies within lets go.
    func writing<Value>(_ body: (Int32) throws(SecureStoreError) -> Value) throws(SecureStoreError) -> Value {
        if let directory = try opened() { return try writing(in: directory, body) }
        try makeAll(path)
        guard let directory = try opened() else { throw .unavailable(reason: "\(path) was made and is not there") }
        return try writing(in: directory, body)
    }

    private func writing<Value>(
        in directory: Int32, _ body: (Int32) throws(SecureStoreError) -> Value
    ) throws(SecureStoreError) -> Value {
        defer { files.close(directory) }
        do { try files.lock(directory) } catch { throw SecureStoreError(error, at: path) }
        return try body(directory)
    }

    /// What is in a file. At most one byte more than `limit`, so that who asks sees that there is more.
    ///
    /// - Returns: `nil` where there is no such file.
    func contents(of name: String, in directory: Int32, limit: Int) throws(SecureStoreError) -> [UInt8]? {
        do throws(FileFault) {
            let file = try files.open(name, in: directory, .reading)
            defer { files.close(file) }
            if let refusal = try refusal(of: file, as: .file) { throw refusal }
            return try files.read(file, upTo: limit + 1)
        } catch  where error.code == ENOENT {
            return nil
        } catch {
            throw SecureStoreError(error, at: "\(path)/\(name)")
        }
    }

    /// Puts a file in the place of another at once: after a crash or a loss of power there is the old one or the new
    /// one. Call it within ``writing(_:)``, which keeps two from writing beside each other.
    func replace(_ name: String, with bytes: [UInt8], in directory: Int32) throws(SecureStoreError) {
        let beside = name + ".new"
        do throws(FileFault) {
            try write(bytes, to: beside, in: directory)
            try files.rename(beside, to: name, in: directory)
            try files.synchronize(directory)
        } catch {
            // A full disk has room again by it.
            try? files.remove(beside, in: directory)
            throw SecureStoreError(error, at: "\(path)/\(name)")
        }
    }

    private func write(_ bytes: [UInt8], to name: String, in directory: Int32) throws(FileFault) {
        let file = try files.open(name, in: directory, .replacing)
        defer { files.close(file) }
        if let refusal = try refusal(of: file, as: .file) { throw refusal }
        var rest = bytes[...]
        while !rest.isEmpty { rest = rest.dropFirst(try files.write(file, rest)) }
        try files.synchronize(file)
    }

    /// Makes an empty file where there is none. What SQLite makes itself others of the owner's group might read.
    func make(_ name: String) throws(SecureStoreError) {
        try writing { (directory) throws(SecureStoreError) in
            do throws(FileFault) {
                guard try !files.exists(name, in: directory) else { return }
                files.close(try files.open(name, in: directory, .locking))
            } catch {
                throw SecureStoreError(error, at: "\(path)/\(name)")
            }
        }
    }

    /// Where the directory is by no link. SQLite follows none, not even one far above: on Apple's systems every
    /// temporary directory is behind one.
    func resolvedPath() throws(SecureStoreError) -> String {
        guard let resolved = realpath(path, nil) else {
            throw SecureStoreError(FileFault(call: "realpath", code: errno), at: path)
        }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Puts a file aside, in the place of what was put aside before.
    ///
    /// - Returns: its path from now on.
    func putAside(_ name: String, in directory: Int32) throws(SecureStoreError) -> String {
        do throws(FileFault) {
            try files.rename(name, to: name + ".damaged", in: directory)
            try files.synchronize(directory)
            return "\(path)/\(name).damaged"
        } catch {
            throw SecureStoreError(error, at: "\(path)/\(name)")
        }
    }

    /// Removes a file, what a crash left beside it, and what was put aside of it.
    func remove(_ name: String, in directory: Int32) throws(SecureStoreError) {
        do throws(FileFault) {
            // The file itself first: whatever follows may fail.
            for name in [name, name + ".new", name + ".damaged"] {
                do throws(FileFault) { try files.remove(name, in: directory) } catch  where error.code == ENOENT {}
            }
            try files.synchronize(directory)
        } catch {
            throw SecureStoreError(error, at: "\(path)/\(name)")
        }
    }

    private func opened() throws(SecureStoreError) -> Int32? {
        do throws(FileFault) {
            let directory = try files.open(path, in: nil, .directory)
            do throws(FileFault) {
                if let refusal = try refusal(of: directory, as: .directory) { throw refusal }
                return directory
            } catch {
                files.close(directory)
                throw error
            }
        } catch  where error.code == ENOENT {
            return nil
        } catch {
            throw SecureStoreError(error, at: path)
        }
    }

    /// Makes the directory and those above it that are missing.
    private func makeAll(_ path: String) throws(SecureStoreError) {
        do throws(FileFault) {
            try makeDirectory(path)
        } catch  where error.code == EEXIST {
            return
        } catch  where error.code == ENOENT {
            guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
                throw SecureStoreError(error, at: path)
            }
            try makeAll(String(path[..<slash]))
            do throws(FileFault) { try makeDirectory(path) } catch  where error.code == EEXIST {
                return
            } catch {
                throw SecureStoreError(error, at: path)
            }
        } catch {
            throw SecureStoreError(error, at: path)
        }
    }

    /// Makes one, and has its name on the disk: a loss of power would else take it with all that was written into it.
    private func makeDirectory(_ path: String) throws(FileFault) {
        try files.makeDirectory(path)
        let slash = path.lastIndex(of: "/")
        let parent = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        // One that can't be opened, since it is a link or another's, is not ours to bring there.
        guard let above = try? files.open(parent, in: nil, .directory) else { return }
        defer { files.close(above) }
        try files.synchronize(above)
    }

    /// Why something is not as private as it has to be. A fault, so that one way leads out.
    private func refusal(of file: Int32, as kind: FileStatus.Kind) throws(FileFault) -> FileFault? {
        let status = try files.status(file)
        guard status.kind == kind else { return .notThatKind }
        guard status.owner == geteuid() else { return .otherOwner }
        return status.permissions & 0o077 == 0 ? nil : .openToOthers(status.permissions)
    }
}
