// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import JOSE
import Testing

@testable import Accounts

@Suite("What a client is registered with") struct ClientRegistrationTests {
    @Test(
        "R11.3 RFC 9700 2.1, RFC 8252 7.3: users go back to registered places alone, letter by letter but for a loopback port"
    )
    func redirects() {
        var authorization = ClientAuthorization()
        authorization.redirectURIs = [
            "https://app.example/back", "https://app.example/back?a=1", "http://127.0.0.1/cb",
            "http://[::1]:8080/cb?x=1", "https://app.example/K;k", "http://127.0.0.1/K",
            "http://localhost:3000/cb", "com.example.app:/cb", "http://127.0.0.1",
        ]
        authorization.signOutURIs = ["https://app.example/out", "http://127.0.0.1:1/out"]
        let allowed =
            authorization.redirectURIs + [
                "http://127.0.0.1:1/cb", "http://127.0.0.1:65535/cb", "http://[::1]/cb?x=1", "http://[::1]:9/cb?x=1",
                "http://127.0.0.1:5000",
            ]
        for uri in allowed { #expect(authorization.allows(redirectURI: uri), "\(uri)") }
        let refused = [
            "", "https://app.example/", "https://app.example/back/", "https://app.example/back/more",
            "https://app.example/Back", "HTTPS://app.example/back", "https://APP.example/back",
            "https://app.example:443/back", "https://app.example/back?a=2", "https://app.example/back?a=1&b=2",
            "https://app.example/back?", "https://app.example/back#x", "https://app.example/%62ack",
            "https://app.example/x/../back", "https://app.example.evil.example/back", "https://user@app.example/back",
            "https://app.example\\@evil.example/back", " https://app.example/back", "https://app.example/back ",
            "https://app.example/back\n", "https://app.example/out",
            // localhost is a name: whoever answers for it may be somebody else.
            "http://localhost:3001/cb", "http://localhost/cb", "http://127.0.0.1:3000/CB", "http://127.0.0.1:3000/cb/",
            "http://127.0.0.1:3000/cb?x=1", "http://127.0.0.1:3000/cb#x", "https://127.0.0.1:3000/cb",
            "HTTP://127.0.0.1:3000/cb", "http://127.0.0.2:3000/cb", "http://127.0.0.1.evil.example/cb",
            "http://127.0.0.1:0/cb", "http://127.0.0.1:65536/cb", "http://127.0.0.1:080/cb", "http://127.0.0.1:/cb",
            "http://127.0.0.1:+80/cb", "http://127.0.0.1:-1/cb", "http://127.0.0.1:80@evil.example/cb",
            "http://127.0.0.1@evil.example/cb", "http://127.0.0.1:1:2/cb", "http://127.0.0.1:٣/cb",
            "http://127.1:3000/cb",
            "http://2130706433/cb", "http://[::1]:8080/cb", "http://[::1]:8080/cb?x=2", "http://[0::1]:8080/cb?x=1",
            "http://[::1].evil.example/cb?x=1", "com.example.app:/cb2",
            // Unicode takes the Kelvin sign for a K, and the Greek question mark for a semicolon.
            "https://app.example/\u{212A};k", "https://app.example/K\u{37E}k", "http://127.0.0.1:9/\u{212A}",
            "com.example.app://cb", "javascript:alert(1)",
        ]
        for uri in refused { #expect(!authorization.allows(redirectURI: uri), "\(uri)") }
        #expect(authorization.allows(signOutURI: "https://app.example/out"))
        #expect(authorization.allows(signOutURI: "http://127.0.0.1:77/out"))
        for uri in ["https://app.example/back", "https://app.example/out?x=1", "http://127.0.0.1:1/other", ""] {
            #expect(!authorization.allows(signOutURI: uri), "\(uri)")
        }
    }

    @Test(
        "R11.3 RFC 6749 3.1.2, RFC 8252 8.4: a client may register https, http on this machine, and an app's own scheme"
    )
    func places() async throws {
        let bench = try await Bench.make()
        let clients = ClientAdministration(bench.ports)
        let taken = [
            "https://app.example", "https://app.example/back?a=b%20c", "https://app.example:8443/",
            "https://10.0.0.1/x",
            "http://localhost:3000/cb", "http://127.0.0.1/cb", "http://[::1]:9/cb", "com.example.app:/cb",
            "myapp://back",
            "https://app.example/" + String(repeating: "a", count: 1004),
        ]
        for uri in taken {
            let made = try await clients.create(
                name: "App", withSecret: false, settings: Self.settings { $0.redirectURIs = [uri] }, call: bench.call())
            #expect(made.settings.authorization.redirectURIs == [uri])
        }
        let refused = [
            "", "https://", "https:app.example", "/back", "app.example/back", "http://app.example/", "http://10.0.0.1/",
            "http://localhost.evil.example/", "http://127.0.0.1.evil.example/", "https://app.example/#",
            "https://a.example/#x",
            "javascript:alert(1)", "JavaScript:/alert(1)", "data:text/html,x", "vbscript:/x", "file:///etc/passwd",
            "blob:https://app.example/1", "about:/blank", "ftp://app.example/", "urn:ietf:wg:oauth:2.0:oob",
            "https://user@app.example/", "https://app.example\\@evil.example/", "https://app.example/ back",
            "https://app.example/\u{0}", "https://app.example/é", "https://app.example/a/../b",
            "https://app.example/%2e%2e/",
            "https://app.example/" + String(repeating: "a", count: 1005), "https://*.app.example/",
            "http://localhost:99999/",
        ]
        for uri in refused {
            for (field, change) in [
                ("redirect_uris", { $0.redirectURIs = [uri] }), ("post_logout_uris", { $0.signOutURIs = [uri] }),
                ("default_redirect_uri", { $0.defaultRedirectURI = uri }),
                ("backchannel_logout_uri", { $0.backchannelLogoutURI = uri }),
            ] as [(String, (inout ClientAuthorization) -> Void)] {
                await #expect(throws: AuthError(.invalidRequest), "\(uri)") {
                    do {
                        _ = try await clients.create(
                            name: "App", withSecret: false, settings: Self.settings(change), call: bench.call())
                    } catch let error as AuthError {
                        #expect(error.field == field)
                        throw error
                    }
                }
            }
        }
        // An app on a user's machine is nothing that a server could tell anything.
        await #expect(throws: AuthError(.invalidRequest)) {
            try await clients.create(
                name: "App", withSecret: false, settings: Self.settings { $0.backchannelLogoutURI = "myapp://back" },
                call: bench.call())
        }
    }

    @Test("R11.3 A client registers one way to show who it is, and what belongs to it")
    func methods() async throws {
        let bench = try await Bench.make()
        let clients = ClientAdministration(bench.ports)
        let key = try SigningKey.generate(.es256, keyID: "one")
        let publicKey = try #require(key.publicJWK)
        let keys = try JWKSet([publicKey]).publicObject
        var long = keys
        long["x"] = .string(String(repeating: "a", count: 16 << 10))
        let cases: [(ClientAuthenticationMethod, Bool, JSONObject?, String?)] = [
            (.publicClient, false, nil, nil), (.secretBasic, true, nil, nil), (.secretPost, true, nil, nil),
            (.privateKey, false, keys, nil),
            (.publicClient, true, nil, "auth_method"),
            (.secretBasic, false, nil, "auth_method"),
            (.secretPost, false, nil, "auth_method"),
            (.privateKey, true, keys, "auth_method"), (.privateKey, false, nil, "jwks"),
            (.secretBasic, true, keys, "jwks"), (.publicClient, false, keys, "jwks"), (.privateKey, false, [:], "jwks"),
            (.privateKey, false, ["keys": []], "jwks"), (.privateKey, false, ["keys": "x"], "jwks"),
            (.privateKey, false, ["keys": [["kty": "oct", "k": .string(String(repeating: "A", count: 43))]]], "jwks"),
            (
                .privateKey, false, ["keys": [.object(try JSONObject(parsing: Array(key.exported.reveal().utf8)))]],
                "jwks"
            ),
            (
                .privateKey, false,
                ["keys": .array(Array(repeating: keys["keys"]?.arrayValue?.first ?? .null, count: 2))], "jwks"
            ),
            (.privateKey, false, long, "jwks"),
        ]
        for (method, withSecret, keys, refusal) in cases {
            let settings = Self.settings {
                $0.authentication = method
                $0.keys = keys
            }
            do {
                let made = try await clients.create(
                    name: "App", withSecret: withSecret, settings: settings, call: bench.call())
                #expect(refusal == nil, "\(method) \(withSecret)")
                for other in ClientAuthenticationMethod.allCases {
                    #expect(made.authenticates(by: other) == (other == method))
                }
                #expect(made.requiresPKCE == (method == .publicClient))
            } catch let error as AuthError {
                #expect(error == AuthError(.invalidRequest) && error.field == refusal, "\(method) \(withSecret)")
            }
        }
        await #expect(throws: AuthError(.invalidRequest)) {
            let settings = Self.settings {
                $0.authentication = .publicClient
                $0.grants = [.clientCredentials]
            }
            return try await clients.create(name: "App", withSecret: false, settings: settings, call: bench.call())
        }
    }

    @Test("R11.3 A client of which nobody said how it shows who it is shows the secret it has, either way, or none")
    func unregistered() {
        let secret = ClientSecret(Secret("x"), id: ClientSecretID("1"), createdAt: Instant(seconds: 0))
        func ways(_ secrets: [ClientSecret]) -> [ClientAuthenticationMethod] {
            let client = Client(
                id: ClientID("a"), directoryID: DirectoryID("d"), name: "", secrets: secrets,
                createdAt: Instant(seconds: 0), updatedAt: Instant(seconds: 0))
            return ClientAuthenticationMethod.allCases.filter(client.authenticates)
        }
        #expect(ways([]) == [.publicClient])
        #expect(ways([secret]) == [.secretBasic, .secretPost])
    }

    @Test(
        "R11.3 A secret that is only ever shown is handed over once and kept as a hash; a new one can take the place of all"
    )
    func secrets() async throws {
        let bench = try await Bench.make()
        let clients = ClientAdministration(bench.ports)
        let made = try await clients.create(
            name: "App", withSecret: true, keepsSecret: false,
            settings: Self.settings { $0.authentication = .secretBasic }, call: bench.call())
        let first = try #require(made.secrets.first?.text?.reveal())
        let second = try await clients.addSecret(to: made.id, call: bench.call(at: bench.now + .seconds(1)))
        var stored = try await clients.get(made.id, call: bench.call())
        #expect(stored.secrets.map { $0.text?.reveal() } == [nil, nil])
        let added = try #require(second.secrets.first?.text?.reveal())
        #expect(stored.hasSecret(first) && stored.hasSecret(added))
        let rotated = try await clients.rotateSecret(of: made.id, call: bench.call(at: bench.now + .seconds(2)))
        let last = try #require(rotated.secrets.first?.text?.reveal())
        stored = try await clients.get(made.id, call: bench.call())
        #expect(stored.secrets.count == 1 && stored.secrets.first?.text == nil && stored.hasSecret(last))
        #expect(!stored.hasSecret(first))
        let open = try await clients.create(name: "Open", withSecret: false, call: bench.call())
        await #expect(throws: AuthError(.conflict)) { try await clients.rotateSecret(of: open.id, call: bench.call()) }
        let stranger = bench.call(actor: .user(UserID("x")))
        await #expect(throws: AuthError(.forbidden)) { try await clients.rotateSecret(of: made.id, call: stranger) }
    }

    private static func settings(_ change: (inout ClientAuthorization) -> Void) -> ClientSettings {
        var settings = ClientSettings()
        change(&settings.authorization)
        return settings
    }
}
