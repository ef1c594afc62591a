// SPDX-License-Identifier: Apache-2.0

/// Posts a form to a URL that somebody registered who administers a Directory, and who need not be the server's
/// operator. Where the operator does not let such a URL lead, it is not called.
public protocol FormPosting: Sendable {
    /// Posts once, and follows no redirect.
    ///
    /// - Parameter form: `application/x-www-form-urlencoded`.
    /// - Returns: the status of the answer; nothing else of it is heeded.
    func post(form: String, to url: String) async throws(FormPostFailure) -> Int
}

/// Why a form had no answer, as the operator of the server reads it. Quotes nothing of the URL or of the other side.
public enum FormPostFailure: String, Error, Sendable, Hashable {
    /// This very machine, a private network, or no URL that can be read in only one way.
    case addressRefused = "address refused: no public one, and clients.privateHosts does not list its host"
    /// No connection, or it broke.
    case unreachable
    case timedOut = "timed out"
    /// So many posts to it wait already that another would only wait too.
    case busy = "too many posts wait for it"
    /// Whoever posted has gone.
    case cancelled
}
