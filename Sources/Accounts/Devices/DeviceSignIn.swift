// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import SRP

/// Takes the step of a sign-in in which a remembered device proves its secret (RFC 5054): what follows is decided anew,
/// as after any proof (ADR 0019).
///
/// The secret is beside the password what somebody has, and stands in for a second factor where the Directory says so,
/// if one was shown when the device was remembered (ADR 0072).
public struct DeviceSignIn: Sendable {
    private static let way = "device"

    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// Asks for the secret. The server keeps nothing of it.
    ///
    /// - Parameters:
    ///   - device: the one that the sign-in has named.
    ///   - text: a ticket of ``SignInTicket/Step/device``; `nil` for a client that carries none, and whose number is
    ///     that by which it has proved the password.
    ///   - named: whom the caller says it is about.
    ///   - clientPublic: A, big-endian.
    /// - Returns: ``SRPChallenge/identity`` is the device's identifier.
    /// - Throws: ``AuthErrorCode/invalidRequest`` for an A that is zero modulo N or not below it;
    ///   ``AuthErrorCode/flowStateNotFound``, ``AuthErrorCode/flowStateExpired``, ``AuthErrorCode/invalidCredentials``
    ///   for the ticket; ``AuthErrorCode/deviceNotFound``.
    public func begin(
        _ device: RememberedDeviceID, _ text: String?, of named: UserID?, clientPublic: [UInt8], call: CallContext
    ) async throws -> SRPChallenge {
        guard clientPublic.count <= SRPGroup.byteCount + 1, SRPServer.accepts(clientPublic: clientPublic) else {
            throw AuthError(.invalidRequest, reason: "not a public value of SRP", field: "srp_a")
        }
        let (carried, known) = try await ports.store.read { tx in
            let carried = try text ?? KeptTicket.find(of: named, for: clientPublic, call, tx)
            let ticket = try SignInTicket(carried, for: .device, call: call)
            guard ticket.user == named else { throw AuthError(.flowStateNotFound) }
            guard device == ticket.device else { throw AuthError(.deviceNotFound) }
            return (carried, try tx.rememberedDevice(device, of: try ticket.holder(call, tx)))
        }
        var state = DeviceState(
            ticket: carried, device: device, salt: known.verifier.salt, clientPublic: clientPublic, serverPublic: [],
            ephemeral: ports.random.bytes(SRPServer.ephemeralByteCount))
        state.serverPublic = try SRPFault.judged { () throws(SRPError) in
            try SRPServer.challenge(verifier: known.verifier.verifier.reveal(), ephemeral: state.ephemeral)
        }
        return SRPChallenge(
            salt: state.salt, serverPublic: state.serverPublic, identity: device.rawValue,
            state: try state.sealed(in: call.directory, random: ports.random))
    }

    /// Judges the answer. A wrong one leaves the ticket as it was; a right one spends it, of any number at once one.
    ///
    /// - Parameters:
    ///   - state: as ``begin(_:_:of:clientPublic:call:)`` gave it.
    ///   - named: whom the caller says it is about; nobody else's answer is right.
    ///   - accepts: whether the answer proves knowledge of the shared secret; it compares in constant time.
    /// - Throws: ``AuthErrorCode/invalidCredentials`` for a wrong answer, a state that is forged or a ticket that was
    ///   used; ``AuthErrorCode/flowStateExpired``, ``AuthErrorCode/deviceNotFound``, ``AuthErrorCode/userBanned``.
    public func finish(
        state sealed: [UInt8], of named: UserID?, call: CallContext, accepts: @Sendable (SRPResult) -> Bool
    ) async throws -> SignInStep {
        guard let state = DeviceState(sealed, in: call.directory) else { throw AuthError(.invalidCredentials) }
        let ticket = try SignInTicket(state.ticket, for: .device, call: call)
        let (user, device) = try await ports.store.read { tx in
            let user = try ticket.holder(call, tx)
            return (user, try tx.rememberedDevice(state.device, of: user))
        }
        // A device that was confirmed anew has another secret.
        let isSame = constantTimeEqual(device.verifier.salt, state.salt)
        let result = try SRPFault.judged { () throws(SRPError) in
            try SRPServer.sharedSecret(
                clientPublic: state.clientPublic, serverPublic: state.serverPublic, ephemeral: state.ephemeral,
                verifier: device.verifier.verifier.reveal())
        }
        let answered = SRPResult(
            sharedSecret: result.sharedSecret, scrambling: result.scrambling, identity: device.id.rawValue)
        guard accepts(answered), isSame, user.id == named else {
            throw try await ports.write(call) { step in
                try SignInAttempt(step, by: Self.way).refuse(.invalidCredentials, user: user.id)
            }
        }
        return try await open(ticket, device, call)
    }

    private func open(_ ticket: SignInTicket, _ proved: RememberedDevice, _ call: CallContext) async throws
        -> SignInStep
    {
        let outcome: Result<SignInStep, AuthError> = try await ports.write(call) { step in
            let holder = try ticket.redeem(step)
            let device = try step.tx.rememberedDevice(proved.id, of: holder.user)
            guard device.verifier == proved.verifier else { throw AuthError(.invalidCredentials) }
            var proof = holder.proof
            let method = AuthenticationMethod(.rememberedDevice, at: step.now)
            if step.settings.devices.spareFactor, device.assurance >= .aal2 {
                proof = proof.adding(method)
            } else {
                proof.methods = proof.methods.adding(method)
            }
            return try SignInAttempt(step, by: Self.way).conclude(proof, of: holder.user, .stored)
        }
        return try outcome.get()
    }
}
