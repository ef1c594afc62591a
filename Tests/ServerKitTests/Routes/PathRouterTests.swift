// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@testable import ServerKit

@Suite("Routes by their paths")
struct PathRouterTests {
    private static let templates = [
        "/", "/alpha", "/alpha/v1/users", "/alpha/v1/users/me", "/alpha/v1/users/{id}", "/alpha/v1/users/me/{part}",
        "/alpha/v1/{kind}/me/devices", "/alpha/{version}/users", "/files/{name}.json", "/files/all.json",
        "/.well-known/openid-configuration", "/caf\u{e9}",
    ]

    /// Says which route has answered, and what it was told of its path.
    private static func add(to router: some RouterMethods<LatchkeyRequestContext>) {
        for template in templates {
            router.on(RouterPath(template), method: .get) { _, context in
                let values = ["id", "part", "kind", "version", "name"].map { context.parameters.get($0) ?? "-" }
                return "\(template) \(context.routeTemplate ?? "none") \(values)"
            }
        }
        router.on("/alpha/v1/users/me", method: .delete) { _, _ in "deleted" }
        router.on("/alpha/v1/users/{id}", method: .post) { _, _ in "posted" }
    }

    private static func answer(
        _ responder: some HTTPResponder<LatchkeyRequestContext>, _ method: HTTPRequest.Method, _ path: String
    ) async throws -> String {
        try await Application(responder: responder).test(.router) { client in
            let response = try await client.execute(uri: path, method: method)
            return "\(response.status.code) \(String(buffer: response.body))"
        }
    }

    @Test(
        "every path and method is answered by the route that Hummingbird's own router has for it, which is told the same",
        arguments: [
            "/", "", "/alpha", "/alpha/", "//alpha", "/alpha/v1/users", "/alpha/v1/users/", "/alpha/v1/users?x=1",
            "/alpha/v1/users/me", "/alpha/v1/users/you", "/alpha/v1/users/me/x", "/alpha/v1/users/me/devices",
            "/alpha/v1/teams/me/devices", "/alpha/v2/users", "/alpha/v2/users/me", "/Alpha/v1/users",
            "/files/all.json", "/files/one.json", "/files/all.txt", "/.well-known/openid-configuration",
            "/.well-known", "/caf\u{e9}", "/cafe\u{301}", "/caf%C3%A9", "/{version}", "/alpha/{version}/users",
        ])
    func same(path: String) async throws {
        let ours = PathRouter()
        let theirs = Router(context: LatchkeyRequestContext.self)
        Self.add(to: ours)
        Self.add(to: theirs)
        for method in [HTTPRequest.Method.get, .post, .delete, .put, .head] {
            let found = try await Self.answer(ours.buildResponder(), method, path)
            #expect(found == (try await Self.answer(theirs.buildResponder(), method, path)), "\(method) \(path)")
        }
    }

    @Test("what stands before a route is asked first, as far as it was added before it")
    func middleware() async throws {
        struct Wall: RouterMiddleware {
            typealias Context = LatchkeyRequestContext
            func handle(
                _: Request, context _: Context, next _: @concurrent (Request, Context) async throws -> Response
            ) async throws -> Response { throw HTTPError(.forbidden) }
        }
        let router = PathRouter()
        router.on("/before", method: .get) { _, _ in "open" }
        router.add(middleware: Wall())
        router.on("/after", method: .get) { _, _ in "open" }
        let responder = router.buildResponder()
        #expect(try await Self.answer(responder, .get, "/before") == "200 open")
        #expect(try await Self.answer(responder, .get, "/after").hasPrefix("403"))
        #expect(try await Self.answer(responder, .get, "/nowhere").hasPrefix("403"))
    }
}
