// SPDX-License-Identifier: Apache-2.0

import LatchkeyClient
import Testing

@Suite("AuthEvents") struct AuthEventsTests {
    private func events(_ states: AuthState...) -> [String] {
        var events = AuthEvents()
        return states.flatMap { events.events(for: $0) }.map { event in
            ([event.name] + event.properties.members.map { $0.value.stringValue ?? "" }).joined(separator: " ")
        }
    }

    @Test("G-14.6 R13.7 What becomes of a session has a name each, once, and says of nobody who they are")
    func names() {
        #expect(
            events(
                .restoring, .signedOut(.neverSignedIn),
                .awaiting(AwaitedStep(kind: .confirmation, identifier: "ann@a.test")),
                .awaiting(AwaitedStep(kind: .confirmation)), .signedIn(.ann), .refreshing(.ann), .signedIn(.ann),
                .offline(.full, .ann), .offline(.readOnly, .ann), .blocked(.ann), .signedIn(.ann),
                .signedOut(.sessionExpired), .signedOut(.userSignedOut))
                == [
                    "auth.sign_up confirmation", "auth.sign_in", "auth.refresh", "auth.offline full",
                    "auth.offline readOnly", "auth.offline none", "auth.sign_out sessionExpired",
                ])
    }

    @Test("G-14.6 A session that was kept is restored, not signed in; another user is a sign-in")
    func restored() {
        #expect(events(.restoring, .signedIn(.ann), .signedIn(.bob)) == ["auth.restore", "auth.sign_in"])
        #expect(events(.storeLocked, .offline(.full, .ann)) == ["auth.restore", "auth.offline full"])
    }
}
