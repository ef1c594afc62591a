// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Clients that nobody here wrote, over a real socket, against the real executable.
@Suite(.timeLimit(.minutes(10))) struct ThirdPartyClientTests {
    @Test("G-9.2 G-9.4 R14.2 supabase-auth walks the life of a second factor")
    func supabaseFactorWalk() async throws {
        try await RunningServer.run(environment: ["LATCHKEY_DIRECTORY_SITE_URL": "http://localhost:3000"]) { server in
            let result = try await Command.run(
                Paths.python, ["supabase_factor_walk.py", server.url], in: Paths.clients)
            #expect(result.status == 0, "\(result.told)")
            #expect(!server.log.contains("error"), "\(server.log)")
        }
    }

    @Test(
        "G-9.8 G-10.4 who has lost their factors waits, by one vendor's client, and signs in by another's; an operator deletes"
    )
    func lostFactorWalk() async throws {
        let environment = [
            "LATCHKEY_DIRECTORY_SITE_URL": "http://localhost:3000", "LATCHKEY_DIRECTORY_FACTORS_RECOVERY_WAIT": "30",
        ]
        try await RunningServer.run(environment: environment) { server in
            let database = "sqlite:" + server.directory.appendingPathComponent(".latchkey/development.sqlite").path
            let result = try await Command.run(
                Paths.python, ["lost_factor_walk.py", server.url, Paths.latchkey.path, database], in: Paths.clients)
            #expect(result.status == 0, "\(result.told)")
            #expect(!server.log.contains("unexpected error"), "\(server.log)")
        }
    }

    @Test("G-9.2 R14.2 authenticators of Yubico's library add passkeys and security keys, and sign their user in")
    func supabasePasskeyWalk() async throws {
        let environment = [
            "LATCHKEY_DIRECTORY_SITE_URL": "http://localhost:3000", "LATCHKEY_DIRECTORY_PASSKEYS_ENABLED": "true",
            "LATCHKEY_DIRECTORY_FACTORS_WEB_AUTHN": "on",
        ]
        try await RunningServer.run(environment: environment) { server in
            let result = try await Command.run(
                Paths.python, ["supabase_passkey_walk.py", server.url], in: Paths.clients)
            #expect(result.status == 0, "\(result.told)")
            #expect(!server.log.contains("error"), "\(server.log)")
        }
    }

    @Test("G-9.2 G-9.4 R14.2 firebase-admin and pyotp walk a second factor, which other dialects ask for")
    func firebaseFactorWalk() async throws {
        try await RunningServer.run(environment: ["LATCHKEY_DIRECTORY_LIMITS_VERIFY": "1000"]) { server in
            let result = try await Command.run(
                Paths.python, ["firebase_factor_walk.py", server.url], in: Paths.clients)
            #expect(result.status == 0, "\(result.told)")
            #expect(!server.log.contains("unexpected error"), "\(server.log)")
        }
    }

    @Test("G-9.1 G-9.2 G-9.5 R14.2 boto3, pycognito and pyotp walk a second factor, and supabase-auth asks for it")
    func cognitoFactorWalk() async throws {
        try await RunningServer.run { server in
            let result = try await Command.run(Paths.python, ["cognito_factor_walk.py", server.url], in: Paths.clients)
            #expect(result.status == 0, "\(result.told)")
            #expect(!server.log.contains("unexpected error"), "\(server.log)")
        }
    }

    @Test("G-6 G-9.2 R14.2 boto3, pycognito and Yubico's authenticators walk remembered devices and passkeys of a pool")
    func cognitoDeviceWalk() async throws {
        try await RunningServer.run(environment: ["LATCHKEY_DIRECTORY_SITE_URL": "http://localhost:3000"]) { server in
            let result = try await Command.run(Paths.python, ["cognito_device_walk.py", server.url], in: Paths.clients)
            #expect(result.status == 0, "\(result.told)")
            #expect(!server.log.contains("unexpected error"), "\(server.log)")
        }
    }

    @Test("R14.3 somebody gets everything that is held about them, which Python's zipfile and jsonschema read")
    func exportWalk() async throws {
        try await RunningServer.run { server in
            let result = try await Command.run(Paths.python, ["export_walk.py", server.url], in: Paths.clients)
            #expect(result.status == 0, "\(result.told)")
            #expect(!server.log.contains("unexpected error"), "\(server.log)")
        }
    }

    @Test("Y-US3 Y-US4 Y-US5 G-1 G-3 G-4 G-13 D-7 supabase-auth walks a user's whole life")
    func supabaseWalk() async throws {
        // Where the links of its messages lead: an app's own site, which takes what is added to them.
        try await RunningServer.run(environment: ["LATCHKEY_DIRECTORY_SITE_URL": "http://localhost:3000"]) { server in
            let result = try await Command.run(Paths.python, ["supabase_walk.py", server.url], in: Paths.clients)
            #expect(result.status == 0, "\(result.told)")
            #expect(result.output.contains("ok the protected api knows the user"))
            #expect(!server.log.contains("error"), "\(server.log)")
        }
    }

    @Test(
        "G-1 C-2 C-4 D-5 D-6 D-7 H-7 H-9 one user through supabase-auth, boto3, pycognito and firebase-admin, from sign-up to deletion"
    )
    func oneUserWalk() async throws {
        try await RunningServer.run { server in
            let result = try await Command.run(Paths.python, ["one_user_walk.py", server.url], in: Paths.clients)
            #expect(result.status == 0, "\(result.told)")
            #expect(result.output.contains("ok is deleted through boto3 and gone from all"))
            #expect(!server.log.contains("unexpected error"), "\(server.log)")
        }
    }

    @Test("R8.5 who writes of a user, where it goes, and what each dialect's tokens then say")
    func walls() async throws {
        try await RunningServer.run { server in
            let result = try await Command.run(Paths.python, ["walls_walk.py", server.url], in: Paths.clients)
            #expect(result.status == 0, "\(result.told)")
            #expect(!server.log.contains("unexpected error"), "\(server.log)")
        }
    }

    @Test("R8.2 metadata is bounded in every dialect, and a row that can't be read hurts nobody else")
    func damage() async throws {
        try await RunningServer.run { server in
            let database = server.directory.appendingPathComponent(".latchkey/development.sqlite").path
            let result = try await Command.run(
                Paths.python, ["damage_walk.py", server.url, Paths.latchkey.path, database], in: Paths.clients)
            #expect(result.status == 0, "\(result.told)")
            #expect(server.log.contains("a stored row is damaged"), "\(server.log)")
            #expect(!server.log.contains("unexpected error") && !server.log.contains("request failed"), "\(server.log)")
        }
    }

    @Test("R68 R79 whatever dialect is spoken, an account's state has one verdict, and an attempt costs one hash")
    func verdicts() async throws {
        let port = try Paths.freePort()
        try await RunningServer.run(environment: ["LATCHKEY_METRICS_PORT": String(port)]) { server in
            let database = server.directory.appendingPathComponent(".latchkey/development.sqlite").path
            let result = try await Command.run(
                Paths.python, ["verdict_walk.py", server.url, "http://127.0.0.1:\(port)/metrics", database],
                in: Paths.clients)
            #expect(result.status == 0, "\(result.told)")
        }
    }

    @Test("G-1 G-3 C-2 D-5 R10.4 boto3, pycognito and warrant-lite walk a user's whole life")
    func cognitoWalk() async throws {
        try await RunningServer.run { server in
            let result = try await Command.run(Paths.python, ["cognito_walk.py", server.url], in: Paths.clients)
            #expect(result.status == 0, "\(result.told)")
            #expect(!server.log.contains("unexpected error"), "\(server.log)")
        }
    }

    @Test("R11.6 requests walks a hosted UI to a code and tokens that boto3 takes; signed out, it is asked again")
    func hostedUIWalk() async throws {
        try await RunningServer.run { server in
            let result = try await Command.run(Paths.python, ["hosted_ui_walk.py", server.url], in: Paths.clients)
            #expect(result.status == 0, "\(result.told)")
            #expect(!server.log.contains("unexpected error"), "\(server.log)")
        }
    }

    @Test(
        "H-2 H-6 R12.7 boto3 exchanges tokens for an identity's credentials, from a development server and from nothing else"
    )
    func identityPoolWalk() async throws {
        // Whatever is wrong is said some hundred times.
        let limits = [
            "LATCHKEY_DIRECTORY_LIMITS_SIGN_IN": "10000", "LATCHKEY_DIRECTORY_LIMITS_ANONYMOUS": "10000",
            "LATCHKEY_DIRECTORY_LIMITS_TOKEN_REFRESH": "10000",
        ]
        try await RunningServer.run(environment: limits) { server in
            let result = try await Command.run(
                Paths.python, ["cognito_identity_walk.py", server.url], in: Paths.clients)
            #expect(result.status == 0, "\(result.told)")
            #expect(!server.log.contains("unexpected error") && !server.log.contains("request failed"), "\(server.log)")
        }
    }

    @Test(
        "R12.7 a security token service judges an identity's token by what this server publishes, and gives credentials for it"
    )
    func tokenServiceWalk() async throws {
        let port = try Paths.freePort()
        let settings = ["LATCHKEY_IDENTITY_POOLS_TOKEN_SERVICE": "http://127.0.0.1:\(port)/"]
        try await RunningServer.run(environment: settings) { server in
            let result = try await Command.run(
                Paths.python, ["token_service_walk.py", server.url, String(port)], in: Paths.clients)
            #expect(result.status == 0, "\(result.told)")
            #expect(!server.log.contains("unexpected error") && !server.log.contains("request failed"), "\(server.log)")
            #expect(!server.log.contains("secret-of-the-walk"), "no credentials in the log")
        }
    }

    @Test("R10.4 of pools and clients, whatever the service's model has is kept and shown, or refused by its name")
    func poolModel() async throws {
        try await RunningServer.run { server in
            let result = try await Command.run(Paths.python, ["pool_model_walk.py", server.url], in: Paths.clients)
            #expect(result.status == 0, "\(result.told)")
            #expect(!server.log.contains("unexpected error"), "\(server.log)")
        }
    }

    @Test("R10.5 Pyrebase4 signs up, confirms, forgets a password and deletes, with nothing changed but the hosts")
    func pyrebaseWalk() async throws {
        try await RunningServer.run { server in
            let result = try await Command.run(Paths.python, ["pyrebase_walk.py", server.url], in: Paths.clients)
            #expect(result.status == 0, "\(result.told)")
            #expect(!server.log.contains("unexpected error"), "\(server.log)")
        }
    }

    @Test("G-1 G-3 D-6 firebase-admin and its REST API walk a user's whole life")
    func firebaseWalk() async throws {
        try await RunningServer.run { server in
            let result = try await Command.run(Paths.python, ["firebase_walk.py", server.url], in: Paths.clients)
            #expect(result.status == 0, "\(result.told)")
            #expect(!server.log.contains("unexpected error"), "\(server.log)")
        }
    }

    @Test("R10.5 firebase-admin brings users along with every kind of hash, and sets a project up")
    func firebaseOperatorWalk() async throws {
        try await RunningServer.run { server in
            let result = try await Command.run(
                Paths.python, ["firebase_operator_walk.py", server.url], in: Paths.clients)
            #expect(result.status == 0, "\(result.told)")
            #expect(!server.log.contains("unexpected error"), "\(server.log)")
        }
    }

    @Test("R12.5 an app signs in by identity providers through Firebase's REST API, and firebase-admin sees who came")
    func firebaseProviderWalk() async throws {
        try await RunningServer.run { server in
            let result = try await Command.run(
                Paths.python, ["firebase_provider_walk.py", server.url], in: Paths.clients)
            #expect(result.status == 0, "\(result.told)")
            #expect(!server.log.contains("unexpected error"), "\(server.log)")
        }
    }

    @Test(
        "R9.12 who moved here keeps what they were called, in each vendor's SDKs and on the way out; an import that is killed goes on"
    )
    func identifiers() async throws {
        try await RunningServer.run { server in
            let database = "sqlite:" + server.directory.appendingPathComponent(".latchkey/development.sqlite").path
            let result = try await Command.run(
                Paths.python, ["identifier_walk.py", server.url, Paths.latchkey.path, database], in: Paths.clients)
            #expect(result.status == 0, "\(result.told)")
            #expect(!server.log.contains("unexpected error"), "\(server.log)")
        }
    }

    @Test("R12.3 Authlib judges the identity providers that a development server plays")
    func identityProviderWalk() async throws {
        try await RunningServer.run { server in
            let result = try await Command.run(
                Paths.python, ["identity_provider_walk.py", server.url], in: Paths.clients)
            #expect(result.status == 0, "\(result.told)")
            #expect(!server.log.contains("unexpected error"), "\(server.log)")
        }
    }

    @Test(
        "R12.1 R12.3 R12.4 R12.6 Y-E4 in a browser: Google and others, completed, cancelled, failing, slow and revoked")
    func federationBrowserWalk() async throws {
        try await RunningServer.run { server in
            for walk in ["federation_browser_walk.py", "hosted_federation_walk.py"] {
                let result = try await Command.run(Paths.python, [walk, server.url], in: Paths.clients)
                #expect(result.status == 0, "\(result.told)")
            }
            #expect(!server.log.contains("unexpected error"), "\(server.log)")
        }
    }

    @Test("R12.3 R12.4 R12.5 R12.6 who signs in with Google by what /dev says is the same user in every dialect")
    func sameUserWalk() async throws {
        try await RunningServer.run { server in
            let result = try await Command.run(Paths.python, ["same_user_walk.py", server.url], in: Paths.clients)
            #expect(result.status == 0, "\(result.told)")
            #expect(!server.log.contains("unexpected error"), "\(server.log)")
        }
    }

    @Test("R12.1 R12.4 users come by oidc-provider-mock of PyPI and by glewlwyd of Debian, as by any provider")
    func upstreamWalk() async throws {
        let ports = [try Paths.freePort(), try Paths.freePort()].map(String.init)
        try await RunningServer.run { server in
            let result = try await Command.run(
                Paths.python, ["upstream_walk.py", server.url] + ports, in: Paths.clients)
            #expect(result.status == 0, "\(result.told)")
            #expect(!server.log.contains("unexpected error"), "\(server.log)")
        }
    }

    @Test("R11.1 R11.2 R11.3 Authlib signs users in by the provider, in every way that a client proves itself")
    func openIDWalk() async throws {
        try await RunningServer.run { server in
            let database = "sqlite:" + server.directory.appendingPathComponent(".latchkey/development.sqlite").path
            let result = try await Command.run(
                Paths.python, ["openid_walk.py", server.url, Paths.latchkey.path, database], in: Paths.clients)
            #expect(result.status == 0, "\(result.told)")
            #expect(!server.log.contains("unexpected error"), "\(server.log)")
        }
    }

    @Test("R11.7 supabase-auth registers clients of the dialect's OAuth server, and Authlib signs users in by it")
    func oauthServerWalk() async throws {
        let variables = [
            "LATCHKEY_DIRECTORY_OAUTH_SERVER_ENABLED": "true",
            "LATCHKEY_DIRECTORY_OAUTH_SERVER_DYNAMIC_REGISTRATION": "true",
            "LATCHKEY_DIRECTORY_OAUTH_SERVER_AUTHORIZATION_PATH": "/oauth/consent",
            "LATCHKEY_DIRECTORY_SITE_URL": "http://localhost:3000",
        ]
        try await RunningServer.run(environment: variables) { server in
            let result = try await Command.run(Paths.python, ["oauth_server_walk.py", server.url], in: Paths.clients)
            #expect(result.status == 0, "\(result.told)")
            #expect(!server.log.contains("unexpected error"), "\(server.log)")
        }
    }

    @Test("G-2 R12.4 supabase-auth signs users in by providers: by redirect, by ID token, linked and unlinked")
    func supabaseFederationWalk() async throws {
        let variables = [
            "LATCHKEY_DIRECTORY_FEDERATION_MANUAL_LINKING": "true",
            "LATCHKEY_DIRECTORY_SITE_URL": "http://localhost:3000",
        ]
        try await RunningServer.run(environment: variables) { server in
            let result = try await Command.run(
                Paths.python, ["supabase_federation_walk.py", server.url], in: Paths.clients)
            #expect(result.status == 0, "\(result.told)")
            #expect(!server.log.contains("unexpected error"), "\(server.log)")
        }
    }

    @Test("R11.1 R11.2 Apache's module protects two sites by the provider, with one sign-in and one sign-out for both")
    func apacheWalk() async throws {
        let ports = [try Paths.freePort(), try Paths.freePort()].map(String.init)
        try await RunningServer.run { server in
            let database = "sqlite:" + server.directory.appendingPathComponent(".latchkey/development.sqlite").path
            let result = try await Command.run(
                Paths.python, ["apache_walk.py", server.url, Paths.latchkey.path, database] + ports, in: Paths.clients)
            #expect(result.status == 0, "\(result.told)")
            #expect(!server.log.contains("unexpected error"), "\(server.log)")
        }
    }

    @Test("R11.9 RFC 8628: oidc-agent is let in as a device, goes on without the browser, is told a no, and is put out")
    func oidcAgentWalk() async throws {
        try await RunningServer.run { server in
            let database = "sqlite:" + server.directory.appendingPathComponent(".latchkey/development.sqlite").path
            let result = try await Command.run(
                Paths.python, ["oidc_agent_walk.py", server.url, Paths.latchkey.path, database], in: Paths.clients)
            #expect(result.status == 0, "\(result.told)")
            #expect(!server.log.contains("unexpected error"), "\(server.log)")
        }
    }

    @Test("R11.1 R11.2 the example app signs a user in, calls /v1/me, signs out, and is asked again")
    func webAppWalk() async throws {
        let port = String(try Paths.freePort())
        try await RunningServer.run { server in
            let database = "sqlite:" + server.directory.appendingPathComponent(".latchkey/development.sqlite").path
            let result = try await Command.run(
                Paths.python, ["web_app_walk.py", server.url, Paths.latchkey.path, database, port], in: Paths.clients)
            #expect(result.status == 0, "\(result.told)")
            #expect(!server.log.contains("unexpected error"), "\(server.log)")
        }
    }

    @Test("Each vendor's own administration makes, lists and deletes Directories, and none sees into another")
    func directories() async throws {
        try await RunningServer.run { server in
            let database = "sqlite:" + server.directory.appendingPathComponent(".latchkey/development.sqlite").path
            let result = try await Command.run(
                Paths.python, ["directories_walk.py", server.url, Paths.latchkey.path, database], in: Paths.clients)
            #expect(result.status == 0, "\(result.told)")
            #expect(!server.log.contains("unexpected error"), "\(server.log)")
        }
    }

    @Test("R10.1 R10.5 R12.3 in production no vendor's shortcut is taken, and firebase-admin runs by a file with a key")
    func production() async throws {
        let (key, secret) = ("AKIDWALK", "a-secret-access-key-of-forty-characters.")
        let directory = try Paths.temporaryDirectory()
        let keys = directory.appendingPathComponent("access-keys")
        try Data("# identifier and secret\n\(key) \(secret)\n".utf8).write(to: keys)
        let variables = ["LATCHKEY_COGNITO_ACCESS_KEYS_FILE": keys.path]
        try await RunningServer.run([], in: directory, environment: variables) { server in
            let database = "sqlite:" + directory.appendingPathComponent("latchkey.sqlite").path
            let result = try await Command.run(
                Paths.python, ["production_walk.py", server.url, key, secret, Paths.latchkey.path, database],
                in: Paths.clients)
            #expect(result.status == 0, "\(result.told)")
            // The same server through firebase-admin as it runs in production.
            let backend = try await Command.run(
                Paths.python, ["service_account_walk.py", server.url, Paths.latchkey.path, database],
                in: Paths.clients)
            #expect(backend.status == 0, "\(backend.output)\n\(backend.errors)")
            #expect(!server.log.contains("unexpected error") && !server.log.contains(secret), "\(server.log)")
            // Nor an API key, good or bad.
            for form in ["lk_sec_", "lk_pub_", "sb_secret_"] { #expect(!server.log.contains(form), "\(server.log)") }
        }
    }

    @Test("R10.6 pages of other origins call every dialect in a browser, with what the vendors' SDKs send")
    func browser() async throws {
        let port = try Paths.freePort()
        // Development mode lets in pages of this machine, and those it is told of.
        let open = ["LATCHKEY_HTTP_CORS_ORIGINS": "*,http://app.example:\(port)"]
        try await RunningServer.run(environment: open) { server in
            let result = try await Command.run(
                Paths.python, ["browser_walk.py", server.url, String(port)], in: Paths.clients)
            #expect(result.status == 0, "\(result.told)")
            #expect(!server.log.contains("unexpected error"), "\(server.log)")
        }
    }

    @Test(
        "G-8.1 G-8.3 G-8.4 G-8.5 G-8.6 G-8.7 R14.1 five wrong passwords lock an account for every vendor's client")
    func lockout() async throws {
        try await RunningServer.run { server in
            let database = "sqlite:" + server.directory.appendingPathComponent(".latchkey/development.sqlite").path
            let result = try await Command.run(
                Paths.python, ["lockout_walk.py", server.url, Paths.latchkey.path, database], in: Paths.clients)
            #expect(result.status == 0, "\(result.told)")
            #expect(!server.log.contains("unexpected error"), "\(server.log)")
        }
    }

    @Test("R11.4 in a browser people sign up, confirm, sign in and out, reset their password and let an app in")
    func pages() async throws {
        try await RunningServer.run { server in
            let database = "sqlite:" + server.directory.appendingPathComponent(".latchkey/development.sqlite").path
            let result = try await Command.run(
                Paths.python, ["pages_walk.py", server.url, Paths.latchkey.path, database], in: Paths.clients)
            #expect(result.status == 0, "\(result.told)")
            #expect(!server.log.contains("unexpected error"), "\(server.log)")
        }
    }

    @Test("R11.4 R11.6 R11.9 in a browser people sign up and in on a hosted UI, and let a device in or not")
    func hostedPages() async throws {
        try await RunningServer.run { server in
            let database = "sqlite:" + server.directory.appendingPathComponent(".latchkey/development.sqlite").path
            let result = try await Command.run(
                Paths.python, ["hosted_pages_walk.py", server.url, Paths.latchkey.path, database], in: Paths.clients)
            #expect(result.status == 0, "\(result.told)")
            #expect(!server.log.contains("unexpected error"), "\(server.log)")
        }
    }

    @Test("R14.2 G-6 G-9 in a browser people see to their account, and sign in by a second factor that they set up")
    func ownAccount() async throws {
        try await RunningServer.run { server in
            let database = "sqlite:" + server.directory.appendingPathComponent(".latchkey/development.sqlite").path
            let result = try await Command.run(
                Paths.python, ["account_walk.py", server.url, Paths.latchkey.path, database], in: Paths.clients)
            #expect(result.status == 0, "\(result.told)")
            #expect(!server.log.contains("unexpected error"), "\(server.log)")
        }
    }

    @Test(
        "R14.2 G-6 G-9 G-10.4 in a browser with an authenticator people sign in by passkeys and keys, undo one, and end their account"
    )
    func accountPasskeys() async throws {
        let settings = [
            "LATCHKEY_DIRECTORY_PASSKEYS_ENABLED": "true", "LATCHKEY_DIRECTORY_FACTORS_WEB_AUTHN": "on",
        ]
        try await RunningServer.run(environment: settings) { server in
            let result = try await Command.run(
                Paths.python, ["account_passkey_walk.py", server.url], in: Paths.clients)
            #expect(result.status == 0, "\(result.told)")
            #expect(!server.log.contains("unexpected error"), "\(server.log)")
        }
    }

    @Test("The README's examples work as they are pasted", arguments: 0..<2)
    func readme(example: Int) async throws {
        let text = try String(contentsOf: Paths.package.appendingPathComponent("README.md"), encoding: .utf8)
        let blocks = text.components(separatedBy: "```python\n").dropFirst().compactMap {
            $0.components(separatedBy: "\n```").first
        }
        try #require(blocks.count == 2)
        try await RunningServer.run { server in
            let code = blocks[example].replacing("http://127.0.0.1:8080", with: server.url)
            #expect(code != blocks[example])
            let result = try await Command.run(Paths.python, ["-"], in: server.directory, input: code)
            #expect(result.status == 0 && !result.output.isEmpty, "\(result.told)")
        }
    }

    @Test("I1 I4 I6 SIGKILL during refreshes and sign-ups loses nothing that was acknowledged")
    func crashes() async throws {
        let directory = try Paths.temporaryDirectory()
        let result = try await Command.run(
            Paths.python, ["crash_walk.py", Paths.latchkey.path, directory.path], in: Paths.clients)
        #expect(result.status == 0, "\(result.told)")
    }

    @Test(
        "R14.6 a program of the operator's is told of accounts in order, signed and at least once, through failures and a kill"
    )
    func hooks() async throws {
        let directory = try Paths.temporaryDirectory()
        let result = try await Command.run(
            Paths.python, ["hooks_walk.py", Paths.latchkey.path, directory.path], in: Paths.clients)
        #expect(result.status == 0, "\(result.told)")
    }

    @Test("R8.17 a restored backup revives nobody's tokens, in no dialect, and a kill leaves one database or the other")
    func restoredBackups() async throws {
        let directory = try Paths.temporaryDirectory()
        let result = try await Command.run(
            Paths.python, ["restore_walk.py", Paths.latchkey.path, directory.path], in: Paths.clients)
        #expect(result.status == 0, "\(result.told)")
    }

    @Test("R22 R50 R86 R89 R90 R91 hostile input gets the right 4xx and the server lives")
    func hostileInput() async throws {
        // Development mode answers nobody by another name: here it is not what keeps forged ones out.
        let open = [
            "LATCHKEY_DEVELOPMENT_HOSTS": "evil.example,x", "LATCHKEY_HTTP_CORS_ORIGINS": "*,https://app.example",
        ]
        let end = try await RunningServer.run(environment: open) { server in
            let result = try await Command.run(Paths.python, ["hostile_walk.py", server.url], in: Paths.clients)
            #expect(result.status == 0, "\(result.told)")
            #expect(!server.log.contains("unexpected error"), "\(server.log)")
        }
        #expect(end.status == 0)
    }

    @Test("R10.3 R10.6 gotrue walks what a self-hosted platform has and has not, and finds what runs at the root")
    func gotrueWalk() async throws {
        let secret = "a-shared-secret-of-more-than-32-bytes-for-tests"
        let variables = [
            "GOTRUE_JWT_SECRET": secret, "GOTRUE_API_HOST": "127.0.0.1",
            "API_EXTERNAL_URL": "http://gateway.example:8000",
            "GOTRUE_SITE_URL": "http://app.example", "GOTRUE_MAILER_AUTOCONFIRM": "true",
            "GOTRUE_EXTERNAL_PHONE_ENABLED": "true", "GOTRUE_PASSWORD_MIN_LENGTH": "6",
            "GOTRUE_SMS_TEST_OTP": "14155550100:123456", "GOTRUE_SMS_TEST_OTP_VALID_UNTIL": "2999-12-31T00:00:00Z",
        ]
        try await RunningServer.run(["--gotrue-env"], environment: variables) { server in
            let port = try #require(server.listeningPort)
            let database = server.directory.appendingPathComponent("latchkey.sqlite").path
            let result = try await Command.run(
                Paths.python, ["gotrue_walk.py", "http://127.0.0.1:\(port)", secret, database], in: Paths.clients)
            #expect(result.status == 0, "\(result.told)")
            #expect(!server.log.contains("unexpected error"), "\(server.log)")
        }
    }

    @Test("A self-hosted platform's variables are taken over, and each other one is named")
    func selfHosted() async throws {
        let secret = "a-shared-secret-of-more-than-32-bytes-for-tests"
        let variables = [
            "GOTRUE_JWT_SECRET": secret, "GOTRUE_JWT_EXP": "1800", "GOTRUE_API_HOST": "127.0.0.1",
            "API_EXTERNAL_URL": "http://gateway.example:8000", "GOTRUE_SITE_URL": "http://app.example",
            "GOTRUE_MAILER_AUTOCONFIRM": "true", "GOTRUE_MAILER_URLPATHS_RECOVERY": "/auth/v1/verify",
            "GOTRUE_DB_DRIVER": "postgres", "GOTRUE_EXTERNAL_GITHUB_ENABLED": "true", "GOTRUE_NO_SUCH_THING": "1",
            "PORT": "1", "GOTRUE_DISABLE_SIGNUP": "false", "GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED": "true",
            "GOTRUE_RATE_LIMIT_HEADER": "X-Client", "GOTRUE_RATE_LIMIT_OTP": "3",
        ]
        try await RunningServer.run(["--gotrue-env"], environment: variables) { server in
            for name in ["GOTRUE_EXTERNAL_GITHUB_ENABLED", "GOTRUE_NO_SUCH_THING", "GOTRUE_DB_DRIVER"] {
                #expect(server.log.contains(name), "\(name) is not named: \(server.log)")
            }
            #expect(!server.log.contains(secret))
            // What the log calls ready is the gateway's URL: the container is asked where it listens.
            let port = try #require(server.listeningPort)
            let database = server.directory.appendingPathComponent("latchkey.sqlite").path
            let result = try await Command.run(
                Paths.python, ["selfhosted_walk.py", "http://127.0.0.1:\(port)", secret, database], in: Paths.clients)
            #expect(result.status == 0, "\(result.told)")
        }
    }
}

extension RunningServer {
    /// The port of the line with which the HTTP server says where it listens.
    var listeningPort: Int? {
        guard let line = log.split(separator: "\n").first(where: { $0.contains("listening on") }),
            let address = line.range(of: "127.0.0.1:")
        else { return nil }
        return Int(line[address.upperBound...].prefix { $0.isNumber })
    }
}
