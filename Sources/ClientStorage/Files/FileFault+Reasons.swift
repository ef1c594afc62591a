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

extension FileFault {
    static let notThatKind = FileFault(call: "is not the kind of file that is kept here", code: 0)
    static let otherOwner = FileFault(call: "belongs to another user", code: 0)

    static func openToOthers(_ permissions: UInt32) -> FileFault {
        FileFault(call: "is open to others (mode \(String(permissions, radix: 8)))", code: 0)
    }
}

extension SecureStoreError {
    /// No space, a full quota and a process that may write no more (`RLIMIT_FSIZE`) are `full`; everything else says
    /// nothing about what is kept, and is `unavailable`.
    init(_ fault: FileFault, at path: String) {
        switch fault.code {
        case ENOSPC, EDQUOT, EFBIG: self = .full
        case 0: self = .unavailable(reason: "\(path) \(fault.call)")
        default: self = .unavailable(reason: "\(path): \(fault.call) failed with errno \(fault.code)")
        }
    }
}
