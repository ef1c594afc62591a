// SPDX-License-Identifier: Apache-2.0

/// What is asked of a file system, one call at a time: the edge at which a test lets each of them fail, or the process
/// die.
protocol FileOperations: Sendable {
    /// - Parameter directory: an open directory that `name` is in; `nil` where it is a path.
    func open(_ name: String, in directory: Int32?, _ mode: FileOpening) throws(FileFault) -> Int32
    func close(_ file: Int32)
    func status(_ file: Int32) throws(FileFault) -> FileStatus
    /// - Returns: at most `limit` bytes; fewer only at the end of the file.
    func read(_ file: Int32, upTo limit: Int) throws(FileFault) -> [UInt8]
    /// - Returns: how many of the bytes were taken, at least one.
    func write(_ file: Int32, _ bytes: ArraySlice<UInt8>) throws(FileFault) -> Int
    /// Waits until what was written can't be lost any more by a loss of power.
    func synchronize(_ file: Int32) throws(FileFault)
    func rename(_ name: String, to other: String, in directory: Int32) throws(FileFault)
    func remove(_ name: String, in directory: Int32) throws(FileFault)
    /// Looks without opening: closing a file lets go of locks that others in the process hold of it (POSIX.1-2024,
    /// `fcntl`).
    func exists(_ name: String, in directory: Int32) throws(FileFault) -> Bool
    /// Only its owner may see into it.
    func makeDirectory(_ path: String) throws(FileFault)
    /// Waits for the lock of an open file or directory, which goes with it when it is closed, by whatever.
    func lock(_ file: Int32) throws(FileFault)
}

/// How a file is opened. Never through a symbolic link, and never left open to a program that this one starts.
enum FileOpening: Sendable, Hashable {
    case directory
    case reading
    /// Made anew, or emptied; for its owner alone.
    case replacing
    /// Made where there is none; nothing is read from it.
    case locking
}

/// What is known of an open file.
struct FileStatus: Sendable, Hashable {
    enum Kind: Sendable { case file, directory, other }

    var kind: Kind
    var owner: UInt32
    /// The lowest nine bits.
    var permissions: UInt32
}

/// A call that failed.
struct FileFault: Error, Hashable {
    var call: String
    /// POSIX.1-2024, `errno.h`.
    var code: Int32
}
