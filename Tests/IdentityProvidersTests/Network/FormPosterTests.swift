// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import TestSupport
import Testing

@testable import IdentityProviders

@Suite("Forms posted to where clients have themselves told, over a socket", .timeLimit(.minutes(10)))
struct FormPosterTests {
    /// Long enough for a machine that runs a thousand other tests: only an answer that never comes runs into it.
    private static let patience = TimeSpan.minutes(5)
    private static let form = "logout_token=a.b.c"

    private func run(_ body: @Sendable (String, ScriptProcess) async throws -> Void) async throws {
        try await ScriptProcess.run("../Support/misbehaving_provider.py", ["{}"]) { process in
            try await body("http://127.0.0.1:\(process.line())", process)
        }
    }

    private func failure(_ poster: FormPoster, _ url: String) async -> FormPostFailure? {
        do throws(FormPostFailure) {
            _ = try await poster.post(form: Self.form, to: url)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "R11.1 Back-Channel Logout, section 2.5: the form arrives as one, its answer is heeded however long, and no redirect followed"
    )
    func posts() async throws {
        try await run { base, process in
            let poster = FormPoster(allowsLoopback: true, timeout: Self.patience)
            for (path, status) in [
                ("/form", 204), ("/redirect", 302), ("/redirect307", 307), ("/large", 200), ("/endless", 200),
                ("/nowhere", 404),
            ] {
                #expect(try await poster.post(form: Self.form, to: base + path) == status, "\(path)")
            }
            #expect(try await poster.post(form: "logout_token=x", to: base + "/form") == 400)
            var paths: [String] = []
            while paths.last != "/form" || paths.count == 1 {
                let line = try await process.line()
                if line.hasPrefix("/") { paths.append(line) }
            }
            #expect(
                paths == ["/form", "/redirect", "/redirect307", "/large", "/endless", "/nowhere", "/form"], "\(paths)")
        }
    }

    @Test("R11.1 who does not answer, or breaks off, is told of as that")
    func silence() async throws {
        try await run { base, _ in
            let brief = FormPoster(allowsLoopback: true, timeout: .milliseconds(300))
            #expect(await failure(brief, base + "/hanging") == .timedOut)
            let poster = FormPoster(allowsLoopback: true, timeout: Self.patience)
            for mode in ["closing", "garbage"] { #expect(await failure(poster, "\(base)/\(mode)") == .unreachable) }
        }
    }

    @Test("R45 R11.1 outside development this machine is posted to where the operator has listed it, and only there")
    func thisMachine() async throws {
        try await run { base, process in
            let port = base.dropFirst("http://127.0.0.1:".count)
            #expect(await failure(FormPoster(timeout: Self.patience), base + "/form") == .addressRefused)
            let listed = FormPoster(privateHosts: ["127.0.0.1"], timeout: Self.patience)
            #expect(await failure(listed, "http://localhost:\(port)/form") == .addressRefused)
            let status = try await listed.post(form: Self.form, to: base + "/form")
            // It is the first that was heard of there.
            let first = try await process.line()
            #expect(status == 204 && first == "/form")
        }
    }

    @Test(
        "R11.1 where one address of a name takes no connection the next is tried, and what was sent is not sent again")
    func nextAddress() async throws {
        try await run { base, process in
            let there = "http://localhost:\(base.dropFirst("http://127.0.0.1:".count))"
            func poster(_ places: [String]) -> FormPoster {
                var rules = OutwardClient.Rules(allowsLoopback: true, privateHosts: [])
                (rules.connect, rules.total) = (Self.patience, Self.patience)
                return FormPoster(OutwardClient(rules, resolution: HostResolution { _ in places }))
            }
            // Nothing listens there by the other protocol.
            #expect(await failure(poster(["::1"]), there + "/form") == .unreachable)
            #expect(try await poster(["::1", "127.0.0.1"]).post(form: Self.form, to: there + "/form") == 204)
            #expect(await failure(poster(["127.0.0.1", "127.0.0.1"]), there + "/closing") == .unreachable)
            #expect(try await poster(["127.0.0.1", "127.0.0.1"]).post(form: Self.form, to: there + "/nowhere") == 404)
            var paths: [String] = []
            for _ in 0..<3 { paths.append(try await process.line()) }
            #expect(paths == ["/form", "/closing", "/nowhere"])
        }
    }

    @Test("R45 R11.1 no name leads a form into a private network, unless the operator has listed it")
    func privateNetworks() async throws {
        // Nothing listens at port 9 of this machine, nor does anything let a test out.
        for place in ["10.0.0.1", "127.0.0.1", "169.254.169.254", "::1", "fd00::1"] {
            let client = OutwardClient(
                .init(allowsLoopback: true, privateHosts: ["other.example"]),
                resolution: HostResolution { _ in [place] })
            #expect(await failure(FormPoster(client), "https://app.example:9/told") == .addressRefused, "\(place)")
        }
        for url in [
            "https://10.0.0.1:9/", "https://169.254.169.254/latest/meta-data", "https://[::ffff:10.0.0.1]:9/",
            "https://[fd00::1]:9/", "http://app.example/", "https://user@app.example/", "https://app.example\\@x/", "",
        ] {
            let client = OutwardClient(resolution: HostResolution { _ in ["10.0.0.1"] })
            #expect(await failure(FormPoster(client), url) == .addressRefused, "\(url)")
        }
        let client = OutwardClient(
            .init(allowsLoopback: false, privateHosts: ["App.Corp.example"]),
            resolution: HostResolution { _ in ["127.0.0.1"] })
        #expect(await failure(FormPoster(client), "https://app.CORP.example:9/told") == .unreachable)
    }
}
