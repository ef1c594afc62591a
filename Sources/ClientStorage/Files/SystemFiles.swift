// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif canImport(Darwin)
    import Darwin
#endif

/// The operating system's own.
struct SystemFiles: FileOperations {
    func open(_ name: String, in directory: Int32?, _ mode: FileOpening) throws(FileFault) -> Int32 {
        let flags =
            switch mode {
            case .directory: O_RDONLY | O_DIRECTORY
            // Whoever put a pipe in the file's place does not get to keep this process waiting.
            case .reading: O_RDONLY | O_NONBLOCK
            case .replacing: O_WRONLY | O_CREAT | O_TRUNC
            case .locking: O_RDWR | O_CREAT
            }
        return try call("open") {
            if let directory { return openat(directory, name, flags | O_NOFOLLOW | O_CLOEXEC, mode_t(0o600)) }
            #if canImport(Glibc)
                return Glibc.open(name, flags | O_NOFOLLOW | O_CLOEXEC, mode_t(0o600))
            #elseif canImport(Musl)
                return Musl.open(name, flags | O_NOFOLLOW | O_CLOEXEC, mode_t(0o600))
            #elseif canImport(Android)
                return Android.open(name, flags | O_NOFOLLOW | O_CLOEXEC, mode_t(0o600))
            #else
                return Darwin.open(name, flags | O_NOFOLLOW | O_CLOEXEC, mode_t(0o600))
            #endif
        }
    }

    func close(_ file: Int32) {
        #if canImport(Glibc)
            _ = Glibc.close(file)
        #elseif canImport(Musl)
            _ = Musl.close(file)
        #elseif canImport(Android)
            _ = Android.close(file)
        #else
            _ = Darwin.close(file)
        #endif
    }

    func status(_ file: Int32) throws(FileFault) -> FileStatus {
        var status = stat()
        _ = try call("stat") { fstat(file, &status) }
        let kind: FileStatus.Kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .directory
            default: .other
            }
        return FileStatus(kind: kind, owner: status.st_uid, permissions: UInt32(status.st_mode) & 0o777)
    }

    func read(_ file: Int32, upTo limit: Int) throws(FileFault) -> [UInt8] {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: min(limit, 64 << 10))
        while bytes.count < limit {
            let wanted = min(part.count, limit - bytes.count)
            let count = try call("read") { Int32(clamping: part.withUnsafeMutableBytes { readPart(file, $0, wanted) }) }
            guard count > 0 else { break }
            bytes += part.prefix(Int(count))
        }
        return bytes
    }

    private func readPart(_ file: Int32, _ buffer: UnsafeMutableRawBufferPointer, _ count: Int) -> Int {
        #if canImport(Glibc)
            Glibc.read(file, buffer.baseAddress, count)
        #elseif canImport(Musl)
            Musl.read(file, buffer.baseAddress, count)
        #elseif canImport(Android)
            buffer.baseAddress.map { Android.read(file, $0, count) } ?? 0
        #else
            Darwin.read(file, buffer.baseAddress, count)
        #endif
    }

    func write(_ file: Int32, _ bytes: ArraySlice<UInt8>) throws(FileFault) -> Int {
        let count = try call("write") {
            bytes.withUnsafeBytes { buffer in
                #if canImport(Glibc)
                    Int32(clamping: Glibc.write(file, buffer.baseAddress, buffer.count))
                #elseif canImport(Musl)
                    Int32(clamping: Musl.write(file, buffer.baseAddress, buffer.count))
                #elseif canImport(Android)
                    Int32(clamping: buffer.baseAddress.map { Android.write(file, $0, buffer.count) } ?? 0)
                #else
                    Int32(clamping: Darwin.write(file, buffer.baseAddress, buffer.count))
                #endif
            }
        }
        // A disk that takes nothing and names no fault would be asked for ever.
        guard count > 0 || bytes.isEmpty else { throw FileFault(call: "write", code: ENOSPC) }
        return Int(count)
    }

    func synchronize(_ file: Int32) throws(FileFault) {
        #if canImport(Darwin)
            // fsync(2) of Darwin leaves it in the drive's cache. Not every file system knows the stronger one.
            if fcntl(file, F_FULLFSYNC) == 0 { return }
        #endif
        _ = try call("fsync") { fsync(file) }
    }

    func rename(_ name: String, to other: String, in directory: Int32) throws(FileFault) {
        _ = try call("rename") { renameat(directory, name, directory, other) }
    }

    func remove(_ name: String, in directory: Int32) throws(FileFault) {
        _ = try call("unlink") { unlinkat(directory, name, 0) }
    }

    func exists(_ name: String, in directory: Int32) throws(FileFault) -> Bool {
        do {
            _ = try call("access") { faccessat(directory, name, F_OK, 0) }
            return true
        } catch  where error.code == ENOENT {
            return false
        }
    }

    func makeDirectory(_ path: String) throws(FileFault) {
        _ = try call("mkdir") { mkdir(path, mode_t(0o700)) }
    }

    func lock(_ file: Int32) throws(FileFault) {
        _ = try call("flock") { flock(file, LOCK_EX) }
    }

    func lockIfFree(_ file: Int32) throws(FileFault) -> Bool {
        do {
            _ = try call("flock") { flock(file, LOCK_EX | LOCK_NB) }
            return true
        } catch  where error.code == EWOULDBLOCK {
            return false
        }
    }

    /// Again as long as a signal came between.
    private func call(_ name: String, _ body: () -> Int32) throws(FileFault) -> Int32 {
        while true {
            let outcome = body()
            guard outcome < 0 else { return outcome }
            guard errno == EINTR else { throw FileFault(call: name, code: errno) }
        }
    }
}
