// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ServerKit

@Suite("Who may call a development server")
struct LocalCallersTests {
    private let callers = LocalCallers(hosts: ["10.0.2.2", "Auth.Test"], origins: ["https://app.example.com", "*"])

    @Test(
        "R8.14 the loopback's names and addresses are local, whatever the port, and so are those configured",
        arguments: [
            "localhost", "localhost:8080", "LOCALHOST", "app.localhost:3000", "127.0.0.1", "127.0.0.1:8080",
            "127.9.8.7:1", "[::1]", "[::1]:8080", "[0:0:0:0:0:0:0:1]:8080", "[::ffff:127.0.0.1]", "10.0.2.2:8080",
            "auth.test", "AUTH.test:443",
        ])
    func local(authority: String) {
        #expect(callers.isLocal(authority))
        #expect(callers.isAllowed(origin: "http://" + authority))
        #expect(callers.isAllowed(origin: "capacitor://" + authority))
    }

    @Test(
        "R8.14 every other name is foreign, also one that looks like the loopback's",
        arguments: [
            "", "evil.example", "evil.example:8080", "localhost.evil.example", "127.0.0.1.evil.example",
            "evil-localhost",
            "localhost:8080.evil.example", "localhost@evil.example", "evil.example:localhost", "127.0.0.1@evil.example",
            "evil.example/.localhost", "evil.example#.localhost", "0.0.0.0", "128.0.0.1", "[::2]", "[fe80::1]",
            "192.168.0.1", "localhost, evil.example", "localhost\u{0}.evil.example", "*",
        ])
    func foreign(authority: String) {
        #expect(!callers.isLocal(authority))
        #expect(!callers.isAllowed(origin: "http://" + authority))
    }

    @Test("R8.14 an origin is configured to the letter; all of them never are")
    func configured() {
        #expect(callers.isAllowed(origin: "https://app.example.com"))
        for origin in ["http://app.example.com", "https://app.example.com:1", "https://other.example.com", "null"] {
            #expect(!callers.isAllowed(origin: origin))
        }
    }

    @Test("R8.14 programs, links that are followed and the server's own forms pass; hidden calls of other sites do not")
    func metadata() {
        #expect(callers.isAllowed(origin: nil, site: nil, mode: nil))
        #expect(callers.isAllowed(origin: nil, site: "none", mode: "navigate"))
        #expect(callers.isAllowed(origin: nil, site: "cross-site", mode: "navigate"))
        #expect(!callers.isAllowed(origin: nil, site: "cross-site", mode: "no-cors"))
        #expect(callers.isAllowed(origin: "null", site: "same-origin", mode: "navigate"))
        #expect(!callers.isAllowed(origin: "null", site: "cross-site", mode: "navigate"))
        #expect(!callers.isAllowed(origin: "null", site: nil, mode: nil))
        #expect(callers.isAllowed(origin: "http://localhost:3000", site: "cross-site", mode: "cors"))
        #expect(!callers.isAllowed(origin: "https://evil.example", site: "same-origin", mode: "cors"))
    }
}
