// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

/// Flows by which a dialect asks whom it has to do with.
@Suite struct InspectRefreshTokenTests {
    @Test("R9.1 whose a refresh token is, or was, is told of one that this Directory made, and changes nothing")
    func holder() async throws {
        let bench = try await PasswordBench()
        let user = try await bench.user()
        let issued = try await bench.signIn()
        let inspect = InspectRefreshToken(bench.base.ports)
        let text = issued.refreshToken.reveal()
        let holder = try #require(try await inspect(text, call: bench.call()))
        #expect(holder.session?.id == issued.session.id && holder.user?.id == user.id)
        // It is as good as before.
        let renewed = try await bench.refresh(issued.refreshToken, at: bench.call())
        #expect(renewed.session.id == issued.session.id)

        var elsewhere = bench.call()
        elsewhere.dialect = DialectName("other")
        #expect(try await inspect(text, call: elsewhere) == nil)
        #expect(try await inspect("", call: bench.call()) == nil)

        try await EndSession(bench.base.ports)(renewed.refreshToken.reveal(), call: bench.call())
        #expect(try await inspect(text, call: bench.call())?.session?.revokedAt != nil)
        try await UserAdministration(bench.base.ports).delete(
            user.id, soft: false, call: administrator(bench))
        let gone = try #require(try await inspect(text, call: bench.call()))
        #expect(gone.session == nil && gone.user == nil)
    }

    @Test("R9.1 a dialect finds the user whom a person names, and only an operator is shown whom a provider knows")
    func find() async throws {
        let bench = try await PasswordBench()
        let user = try await bench.user()
        let find = FindUser(bench.base.ports)
        #expect(try await find(bench.email(), call: bench.call())?.id == user.id)
        #expect(try await find(bench.email("b@example.com"), call: bench.call()) == nil)
        let administration = UserAdministration(bench.base.ports)
        var attributes = UserAttributes()
        attributes.email = try EmailAddress("c@example.com")
        let made = try await administration.create(attributes, call: administrator(bench)).user.id
        func owner(_ provider: String, _ call: CallContext) async throws -> UserID? {
            try await administration.find(provider: provider, subject: made.rawValue, call: call)?.user.id
        }
        #expect(try await owner("email", administrator(bench)) == made)
        #expect(try await owner("google", administrator(bench)) == nil)
        let refusal = await bench.error { _ = try await owner("email", bench.call()) }
        #expect(refusal?.code == .forbidden)
    }

    private func administrator(_ bench: PasswordBench) -> CallContext {
        var call = bench.call()
        call.actor = .administrator("service")
        return call
    }
}
