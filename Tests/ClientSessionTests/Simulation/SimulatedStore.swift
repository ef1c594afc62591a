// SPDX-License-Identifier: Apache-2.0

import AuthTypes

@testable import ClientSession

/// A store that outlives its processes, with the lock that they share.
struct SimulatedStore {
    var kept: KeptSession?
    var standing: OfflineStanding?
    /// What was awaited of who was signing in.
    var step: AwaitedStep?
    var isDamaged = false
    var fault: SecureStoreError? {
        didSet { if fault != nil { hasFailed = true } }
    }
    /// From then on nothing can be said of what a crash leaves in it.
    var hasFailed = false
    /// Who holds the lock.
    var holder: Int?

    mutating func read() -> StoreContents {
        if let fault, fault != .full { return .unreadable(fault) }
        if isDamaged {
            // Put aside.
            isDamaged = false
            kept = nil
            return .corrupted
        }
        return kept.map { .session($0, standing?.subject == $0.user.subject ? standing : nil) } ?? .nothing
    }

    mutating func write(_ session: KeptSession) -> SecureStoreError? {
        if let fault { return fault }
        kept = session
        isDamaged = false
        if session.revision == 1 { step = nil }
        return nil
    }

    mutating func erase(family: String?) -> Result<KeptSession?, SecureStoreError> {
        if let fault, fault != .full { return .failure(fault) }
        guard case .session(let former, _) = read() else {
            step = nil
            return .success(nil)
        }
        if let family, former.family != family { return .success(nil) }
        kept = nil
        standing = nil
        step = nil
        return .success(family == nil ? former : nil)
    }
}
