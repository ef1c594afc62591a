// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import Observation

/// The passkeys of who is signed in.
@Observable @MainActor
public final class PasskeysModel: AccountScreen {
    /// In the service's order.
    public private(set) var passkeys: [Passkey] = []

    private var isLoaded = false
    @ObservationIgnored private let service: any PasskeyService

    /// Nothing is loaded yet.
    public init(service: any PasskeyService, support: String? = nil) {
        self.service = service
        super.init(of: service, support: support)
    }

    /// What an empty list says, once it is known to be empty.
    public var emptyMessage: UserMessage? {
        isLoaded && passkeys.isEmpty && error == nil ? UserMessage(.passkeysNone) : nil
    }

    /// Reads the list anew. What is shown stays where it fails.
    public func load() async {
        meet()
        let service = service
        guard let found = await run({ () async throws(AuthError) in try await service.passkeys() }) else { return }
        (passkeys, isLoaded) = (found, true)
    }

    /// Makes one on this device. The user may turn back, for which nothing is shown.
    public func add() async {
        let service = service
        let done = await perform { () async throws(AuthError) in try await service.addPasskey() }
        if done { await changed(.passkeyAdded) }
    }

    /// Takes one away.
    public func remove(_ passkey: Passkey) async {
        let service = service
        let done = await perform { () async throws(AuthError) in try await service.removePasskey(passkey.id) }
        if done { await changed(.passkeyRemoved) }
    }

    override func forget() { (passkeys, isLoaded) = ([], false) }

    private func changed(_ key: MessageKey) async {
        let whose = subject
        await load()
        if Subject.isSame(whose, subject) { notice = UserMessage(key) }
    }
}
