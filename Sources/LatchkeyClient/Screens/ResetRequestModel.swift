// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import Observation

/// The screen of a forgotten password (G-3). It says the same whether there is such an account or not.
@Observable @MainActor
public final class ResetRequestModel: Screen {
    /// What is in the field.
    public var identifier: String
    /// It was sent, if there is such an account.
    public private(set) var isSent = false

    @ObservationIgnored private let service: any AuthenticationService

    /// - Parameter identifier: what is in the field to begin with: what was typed at the sign-in.
    public init(identifier: String = "", service: any AuthenticationService, support: String? = nil) {
        self.identifier = identifier
        self.service = service
        super.init(support: support)
    }

    /// Whether the button may be pressed.
    public var canSubmit: Bool { !identifier.isEmpty && !isInProgress }

    /// Asks for the mail.
    public func submit() async {
        guard canSubmit else { return }
        let (service, identifier) = (service, identifier)
        let sent = await perform { () async throws(AuthError) in
            do throws(AuthError) { try await service.beginRecovery(identifier: identifier) } catch {
                // A service that tells who has an account tells it to us, and nobody else.
                if error.code != .userNotFound { throw error }
            }
        }
        guard sent else { return }
        isSent = true
        notice = UserMessage(.recoverySent)
    }
}
