// SPDX-License-Identifier: Apache-2.0

/// Why a provider could not be asked, or gave no answer that is one. Quotes nothing of what it said.
enum OutwardFailure: Error, Sendable, Hashable {
    /// Neither `https` nor an allowed address of this machine, not to be read in only one way, or a name that leads
    /// into a private network and that the operator has not written as one that may.
    case addressRefused
    /// No connection, or it broke.
    case unreachable
    /// The answer took too long.
    case timedOut
    /// More bytes than the limit.
    case tooLarge
    /// So many calls wait for this provider already that another would only wait too.
    case busy
    /// Another status than one that carries an answer. Redirects are not followed.
    case status(Int)
    /// Not the JSON that was asked for.
    case malformed
    /// Whoever asked has gone.
    case cancelled
}

extension OutwardFailure: CustomStringConvertible {
    var description: String {
        switch self {
        case .addressRefused: "address refused"
        case .unreachable: "unreachable"
        case .timedOut: "timed out"
        case .tooLarge: "answer too large"
        case .busy: "too many calls wait for it"
        case .status(let code): "status \(code)"
        case .malformed: "answer malformed"
        case .cancelled: "cancelled"
        }
    }
}
