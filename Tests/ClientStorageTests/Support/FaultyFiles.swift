// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation

@testable import ClientStorage

/// The operating system's files, of which one call fails, or is the process's last.
final class FaultyFiles: FileOperations {
    enum Fault: Sendable {
        case none
        /// The call of that number fails with that `errno`, and does nothing.
        case fails(Int, Int32)
        /// So do all from that one on.
        case failsFrom(Int, Int32)
        /// The process is killed before the call of that number.
        case kills(Int)
        /// Writes take a byte at a time.
        case shortWrites
    }

    private let system = SystemFiles()
    private let fault: Fault
    private let made = Mutex<[String]>([])

    init(_ fault: Fault = .none) {
        self.fault = fault
    }

    var calls: [String] { made.withLock { $0 } }

    private func count(_ call: String) throws(FileFault) {
        let number = made.withLock { calls in
            calls.append(call)
            return calls.count
        }
        switch fault {
        case .fails(number, let code): throw FileFault(call: call, code: code)
        case .failsFrom(let first, let code) where number >= first: throw FileFault(call: call, code: code)
        case .kills(number): kill(getpid(), SIGKILL)
        default: break
        }
    }

    func open(_ name: String, in directory: Int32?, _ mode: FileOpening) throws(FileFault) -> Int32 {
        try count("open \(mode)")
        return try system.open(name, in: directory, mode)
    }
    func close(_ file: Int32) { system.close(file) }
    func status(_ file: Int32) throws(FileFault) -> FileStatus {
        try count("status")
        return try system.status(file)
    }
    func read(_ file: Int32, upTo limit: Int) throws(FileFault) -> [UInt8] {
        try count("read")
        return try system.read(file, upTo: limit)
    }
    func write(_ file: Int32, _ bytes: ArraySlice<UInt8>) throws(FileFault) -> Int {
        try count("write")
        if case .shortWrites = fault { return try system.write(file, bytes.prefix(1)) }
        return try system.write(file, bytes)
    }
    func synchronize(_ file: Int32) throws(FileFault) {
        try count("synchronize")
        try system.synchronize(file)
    }
    func rename(_ name: String, to other: String, in directory: Int32) throws(FileFault) {
        try count("rename")
        try system.rename(name, to: other, in: directory)
    }
    func remove(_ name: String, in directory: Int32) throws(FileFault) {
        try count("remove")
        try system.remove(name, in: directory)
    }
    func exists(_ name: String, in directory: Int32) throws(FileFault) -> Bool {
        try count("exists")
        return try system.exists(name, in: directory)
    }
    func makeDirectory(_ path: String) throws(FileFault) {
        try count("make")
        try system.makeDirectory(path)
    }
    func lock(_ file: Int32) throws(FileFault) {
        try count("lock")
        try system.lock(file)
    }
}
