// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import ClientTestSupport
import LatchkeyClient
import Testing

@Suite("G-6.1 A device says which it is") struct DescribedTransportTests {
    private func headers(_ device: DeviceDescription, _ request: HTTPRequest) async throws -> [HTTPHeader] {
        let inner = ScriptedTransport { _, _ throws(TransportError) in HTTPResponse(status: 200) }
        let transport = try DescribedTransport(inner, device: device, to: "https://login.example.com")
        _ = try await transport.send(request)
        return try #require(await inner.requests.first).headers
    }

    @Test("G-6.1 to its server, on one line each, beside what the request has already")
    func described() async throws {
        let device = DeviceDescription(
            name: "Zoë's phone\r\nX-Forged: 1", system: "iOS 26.1", appVersion: String(repeating: "1", count: 500))
        var request = HTTPRequest("GET", "https://login.example.com/v1/me")
        request.headers = [HTTPHeader("x-device-os", "own")]
        let sent = try await headers(device, request)
        #expect(sent.map(\.name) == ["x-device-os", "X-Device-Name", "X-App-Version"])
        #expect(sent[1].value == "Zoë's phoneX-Forged: 1" && sent[2].value.count == 100)
        #expect(try await headers(DeviceDescription(name: " "), HTTPRequest("GET", request.url)).isEmpty)
    }

    @Test(
        "G-6.1 and to nobody else",
        arguments: [
            "http://login.example.com/", "https://login.example.com:8443/", "https://login.example.com.evil.org/",
            "https://evil.org/login.example.com",
        ])
    func elsewhere(_ url: String) async throws {
        #expect(try await headers(DeviceDescription(name: "phone"), HTTPRequest("GET", url)).isEmpty)
        #expect(throws: AuthError(.invalidRequest)) {
            try DescribedTransport(
                ScriptedTransport { _, _ in HTTPResponse(status: 200) }, device: DeviceDescription(), to: "nowhere")
        }
    }
}
