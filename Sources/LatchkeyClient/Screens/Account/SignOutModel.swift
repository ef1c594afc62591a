// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import Observation

/// The dialog before signing out (G-13).
@Observable @MainActor
public final class SignOutModel: Screen {
    /// Whether the dialog is open (G-13.1).
    public private(set) var isAsking = false
    /// Keeps the app's own data on the device (G-13.6). Off each time the dialog opens.
    public var keepsLocalData = false
    /// Changes that are not at the service yet, and would be lost.
    public private(set) var unsyncedChanges = 0

    /// Whom the dialog was opened for.
    @ObservationIgnored private var subject: String?
    @ObservationIgnored private let service: any AuthenticationService
    @ObservationIgnored private let countUnsynced: @MainActor () async -> Int
    @ObservationIgnored private let clearing: @MainActor () async -> Void

    /// - Parameters:
    ///   - unsynced: how many changes wait on the device.
    ///   - clearing: what the app clears beside the session, whatever is kept: the age gate (G-13.4).
    public init(
        service: any AuthenticationService, unsynced: @escaping @MainActor () async -> Int = { 0 },
        clearing: @escaping @MainActor () async -> Void = {}
    ) {
        self.service = service
        countUnsynced = unsynced
        self.clearing = clearing
        super.init(support: nil)
    }

    /// What the dialog says, line by line.
    public var lines: [UserMessage] {
        var lines = [UserMessage(.signOutLead)]
        if keepsLocalData {
            lines.append(UserMessage(.signOutKeepWarning))
        } else if unsyncedChanges > 0 {
            lines.append(UserMessage(.signOutUnsynced, ["count": String(unsyncedChanges)]))
        }
        return lines
    }

    /// Opens the dialog.
    public func ask() async {
        (keepsLocalData, unsyncedChanges, isAsking) = (false, 0, true)
        let whose = service.state.knownUser?.subject
        subject = whose
        let count = await countUnsynced()
        // One that was opened for another user since counts theirs.
        if Subject.isSame(whose, subject) { unsyncedChanges = count }
    }

    /// Closes the dialog.
    public func cancel() { isAsking = false }

    /// Signs out. It does not fail: the session is gone from the device with or without a network. Where another user
    /// is there by now the dialog closes, and nothing else happens: nobody decides what of theirs is kept.
    public func confirm(scope: SignOutScope = .local) async {
        guard isAsking else { return }
        isAsking = false
        if let present = service.state.knownUser?.subject, subject != nil, !Subject.isSame(present, subject) { return }
        let options = SignOutOptions(scope: scope, keepsLocalData: keepsLocalData)
        let (service, clearing) = (service, clearing)
        _ = await perform { () async throws(AuthError) in await service.signOut(options) }
        // With `others` it is not this session that ends.
        guard scope != .others else { return }
        // Also where the screen has gone meanwhile.
        await clearing()
    }
}
