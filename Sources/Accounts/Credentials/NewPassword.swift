// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords
import SRP

/// A password that was at hand and is now a hash, with the verifier that goes with it where the Directory has SRP
/// enabled. Made outside any transaction.
struct NewPassword: Sendable {
    let hash: PasswordHash
    private let password: Secret<String>
    private let prepared: (user: UserID, verifier: SRPVerifier)?

    /// Hashes the password. Costs one hash, and one verifier where SRP is enabled.
    ///
    /// - Parameter user: whose it is to be; the verifier of any other user is made once they are known.
    init(
        _ password: Secret<String>, for user: UserID?, call: CallContext, ports: AccountPorts
    ) async throws {
        self.password = password
        hash = try await ports.passwords.hash(password)
        if let user, call.settings.password.srpEnabled {
            prepared = (user, try SRPVerifier(of: password, for: user, in: call.directory, random: ports.random))
        } else {
            prepared = nil
        }
    }

    /// The verifier for this user; `nil` where SRP is not enabled.
    func verifier(for user: UserID, _ step: FlowStep) throws -> SRPVerifier? {
        guard step.settings.password.srpEnabled else { return nil }
        if let prepared, prepared.user == user { return prepared.verifier }
        return try SRPVerifier(of: password, for: user, in: step.call.directory, random: step.random)
    }
}

extension SRPVerifier {
    /// Makes the verifier of `password` with a new salt. A modular exponentiation.
    ///
    /// - Throws: ``AuthErrorCode/unavailable`` when there is no memory for it.
    init(
        of password: Secret<String>, for user: UserID, in directory: Directory, random: any RandomSource
    ) throws(AuthError) {
        let salt = random.bytes(Self.saltLength)
        do throws(SRPError) {
            let verifier = try SRP.verifier(
                realm: directory.id.rawValue, identity: user.rawValue, password: password.reveal(), salt: salt)
            self.init(salt: salt, verifier: Secret(verifier))
        } catch {
            throw AuthError(.unavailable, reason: "no memory for an SRP verifier", retryAfter: .seconds(1))
        }
    }
}
