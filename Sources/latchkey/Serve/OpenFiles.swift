// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The descriptors that this process may have open.
enum OpenFiles {
    /// Kept for what is not a client's connection: the database and its readers, mail, the event loops.
    static let reserve = 64 + 16 * ProcessInfo.processInfo.activeProcessorCount

    /// Raises the process's own limit to what so many connections need, as far as the system lets it: many systems
    /// begin with 1024, for the sake of programs of long ago.
    ///
    /// - Parameters:
    ///   - wanted: as configured.
    ///   - short: called where fewer are possible, with how many.
    /// - Returns: how many connections to accept at once.
    static func connections(_ wanted: Int, orElse short: (Int) -> Void) -> Int {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return wanted }
        let needed = rlim_t(wanted + reserve)
        if limit.rlim_cur < needed {
            var raised = limit
            raised.rlim_cur = min(needed, limit.rlim_max)
            if setrlimit(resource, &raised) == 0 { limit = raised }
        }
        guard limit.rlim_cur < needed else { return wanted }
        // At most `needed`, which is a number of this size.
        let possible = max(16, Int(limit.rlim_cur) - reserve)
        short(possible)
        return possible
    }

    #if canImport(Glibc)
        private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
        private static let resource = RLIMIT_NOFILE
    #endif
}
