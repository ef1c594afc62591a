// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@testable import OpenIDProvider

@Suite struct FormPostingTests {
    @Test(
        "R11.1 Back-Channel Logout, section 2.5: the form arrives as one, its answer is heeded, and no redirect followed"
    )
    func posts() async throws {
        let router = Router()
        router.post("/told") { request, _ in
            let body = try await request.body.collect(upTo: 1024)
            let isForm = request.headers[.contentType] == "application/x-www-form-urlencoded"
            return Response(status: isForm && String(buffer: body) == "logout_token=a.b.c" ? .noContent : .badRequest)
        }
        router.post("/elsewhere") { _, _ in
            Response(status: .found, headers: [.location: "/told"], body: .init(byteBuffer: .init(string: "moved")))
        }
        router.post("/long") { _, _ in
            Response(status: .ok, body: .init(byteBuffer: .init(string: String(repeating: "x", count: 1 << 20))))
        }
        let application = Application(
            responder: router.buildResponder(),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)))
        try await application.test(.live) { client in
            let url = "http://127.0.0.1:\(try #require(client.port))"
            let poster = HTTPFormPoster()
            for (path, status) in [("/told", 204), ("/elsewhere", 302), ("/long", 200), ("/nowhere", 404)] {
                #expect(try await poster.post(form: "logout_token=a.b.c", to: url + path) == status, "\(path)")
            }
        }
        await #expect(throws: (any Error).self) {
            try await HTTPFormPoster().post(form: "a=b", to: "http://127.0.0.1:1/")
        }
    }
}
