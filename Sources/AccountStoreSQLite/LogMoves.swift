// SPDX-License-Identifier: Apache-2.0

/// When the write-ahead log is to be moved into the database, by how long it is after a commit: a pure machine. In
/// pages.
///
/// A log that readers hold is moved as far as they let it, and grows on; it is tried again when it has grown as much
/// again, and not at every commit.
struct LogMoves {
    enum Need {
        /// Nobody is to wait for it: some commits more do no harm.
        case whenIdle
        /// It must not grow any longer.
        case now
    }

    /// After how much it is moved when nobody waits, and after how much in any case.
    private let idle: Int
    private let most: Int
    private var length = 0
    /// How long it was when it was moved last, and when it was moved in any case last.
    private var tried = 0
    private var forced = 0

    init(idle: Int, most: Int) {
        self.idle = idle
        self.most = most
    }

    /// - Parameter pages: how long it is now, after a commit.
    mutating func need(at pages: Int) -> Need? {
        // It was begun anew.
        if pages < length { (length, tried, forced) = (0, 0, 0) }
        let written = pages - length
        length = pages
        if pages - forced >= most { return .now }
        // One that is as long by itself is one of many, as an import's are: what several of them change is moved once.
        return pages - tried >= idle && written < idle ? .whenIdle : nil
    }

    mutating func finish(_ move: Need) {
        tried = length
        if move == .now { forced = length }
    }
}
