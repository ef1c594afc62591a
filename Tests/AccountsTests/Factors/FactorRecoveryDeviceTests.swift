// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords
import TestBench
import Testing

@testable import Accounts

/// What lost factors take along.
@Suite("G-9.8 A recovery and remembered devices") struct FactorRecoveryDeviceTests {
    @Test("G-9.8 devices that stood in for a factor go with the factors: whoever has one of them has nothing")
    func forgotten() async throws {
        let bench = try await FactorBench { $0.factors.recoveryWait = 3600 }
        let user = try await bench.owner().user
        let device = RememberedDevice(
            id: RememberedDeviceID("device"), directoryID: user.directoryID, userID: user.id,
            verifier: SRPVerifier(salt: [1, 2, 3], verifier: Secret([4, 5, 6])), isRemembered: true, assurance: .aal2,
            createdAt: bench.base.now)
        try await bench.base.store.write { try $0.insert(device) }
        func devices() async throws -> Int {
            try await bench.base.store.read { try $0.rememberedDevices(of: user.id, in: user.directoryID).count }
        }
        let call = bench.call()
        _ = try await RecoverFactors(bench.ports).begin(for: try await bench.ticket(at: call), call: call)
        #expect(try await devices() == 1)
        #expect(try await bench.next(at: bench.call(after: .hours(1))).pendingStep == nil)
        #expect(try await devices() == 0)
    }
}
