// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords

@testable import Accounts

/// Holds whoever comes until as many are there as were said, and nobody after that.
final class Gathering: Sendable {
    private struct State {
        var missing: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    init(of count: Int) {
        state = Mutex(State(missing: count))
    }

    func arrive() async {
        await withCheckedContinuation { arrival in
            let freed = state.withLock { state in
                state.missing -= 1
                state.waiting.append(arrival)
                guard state.missing <= 0 else { return [CheckedContinuation<Void, Never>]() }
                defer { state.waiting = [] }
                return state.waiting
            }
            for waiting in freed { waiting.resume() }
        }
    }
}

/// Whose passwords are hashed and compared once everybody is there.
struct GatheringPasswords: PasswordHashing {
    let base: CountingPasswords
    let gathering: Gathering

    func verify(_ password: Secret<String>, against stored: PasswordHash?) async throws -> PasswordVerdict {
        await gathering.arrive()
        return try await base.verify(password, against: stored)
    }

    func hash(_ password: Secret<String>) async throws -> PasswordHash {
        await gathering.arrive()
        return try await base.hash(password)
    }
}

/// Whose writes begin once everybody has read.
struct GatheringStore: ForwardingStore {
    let base: any AccountStoring
    let gathering: Gathering

    func write<Value: Sendable>(_ body: @Sendable @escaping (any StoreWriting) throws -> Value) async throws -> Value {
        await gathering.arrive()
        return try await base.write(body)
    }
}
