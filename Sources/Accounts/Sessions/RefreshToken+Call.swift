// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension RefreshToken {
    /// Reads the text that a call presents. `nil` unless its Directory made it for its dialect.
    public init?(_ text: String, in call: CallContext) {
        self.init(text, in: call.directory, for: call.dialect)
    }
}

extension StoreReading {
    /// Ours that a text stands for which another server has made; `nil` where the call's Directory knows of none.
    func broughtToken(_ text: String, in call: CallContext) throws -> RefreshToken? {
        let key = call.directory.tokenKey
        let hash = BroughtRefreshToken.hash(of: text, under: key, for: call.dialect)
        return try broughtToken(hash, in: call.directory.id)?.token(shownBy: text, under: key, for: call.dialect)
    }
}

extension AccountPorts {
    /// Reads the text that a call presents: of our own, or of a server whose sessions were taken over, which costs a
    /// look.
    func refreshToken(_ text: String, in call: CallContext) async throws -> RefreshToken? {
        if let token = RefreshToken(text, in: call) { return token }
        guard BroughtRefreshToken.isPossible(text) else { return nil }
        return try await store.read { try $0.broughtToken(text, in: call) }
    }
}
