// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import HTTPTypes
import Testing

@testable import ServerKit

@Suite struct FormTokenTests {
    private let directory = Self.directory(key: 1)
    private let browser = BrowserID(random: FixedRandom())
    private let url = "https://id.example"

    private static func directory(key: UInt8) -> Directory {
        Directory(
            id: DirectoryID("d\(key)"), name: "default", settings: DirectorySettings(),
            tokenKey: Secret([UInt8](repeating: key, count: 32)), createdAt: Instant(seconds: 0),
            updatedAt: Instant(seconds: 0))
    }

    private func require(
        _ text: String?, page: String = "sign-in", request: String? = nil, browser: BrowserID?,
        in directory: Directory? = nil, headers: HTTPFields = HTTPFields()
    ) throws {
        try FormToken.require(
            text, page: page, request: request, browser: browser, in: directory ?? self.directory, headers: headers,
            authority: "id.example", url: url)
    }

    @Test("V3.5.1 R11.4 a form of the page that this browser was given is taken")
    func taken() throws {
        try require(
            FormToken.text(page: "sign-in", browser: browser, in: directory), browser: browser)
        try require(
            FormToken.text(page: "sign-in", request: "r", browser: browser, in: directory), request: "r",
            browser: browser)
    }

    @Test("R11.5 a form of another browser's, page's, request's or Directory's is refused, and one without a token")
    func refused() throws {
        let token = FormToken.text(page: "sign-in", request: "r", browser: browser, in: directory)
        let stranger = try #require(BrowserID(String(repeating: "A", count: 22)))
        for (text, page, request, browser, directory) in [
            (nil, "sign-in", "r", browser, self.directory), ("", "sign-in", "r", browser, self.directory),
            (token + "A", "sign-in", "r", browser, self.directory), (token, "sign-up", "r", browser, self.directory),
            (token, "sign-in", nil, browser, self.directory), (token, "sign-in", "s", browser, self.directory),
            (token, "sign-in", "r", nil, self.directory), (token, "sign-in", "r", stranger, self.directory),
            (token, "sign-in", "r", browser, Self.directory(key: 2)),
        ] as [(String?, String, String?, BrowserID?, Directory)] {
            #expect(throws: AuthError(.forbidden)) {
                try require(text, page: page, request: request, browser: browser, in: directory)
            }
        }
    }

    @Test("R11.5 a form that the browser says another site sent is refused, with whatever token")
    func foreign() throws {
        let token = FormToken.text(page: "sign-in", browser: browser, in: directory)
        for (name, value, isTaken) in [
            (HTTPField.Name.fetchSite, "same-origin", true), (.fetchSite, "none", true),
            (.fetchSite, "same-site", false), (.fetchSite, "cross-site", false), (.origin, "https://id.example", true),
            (.origin, "https://evil.test", false), (.origin, "null", false),
        ] {
            var headers = HTTPFields()
            headers[name] = value
            if isTaken {
                try require(token, browser: browser, headers: headers)
            } else {
                #expect(throws: AuthError(.forbidden), "\(value)") {
                    try require(token, browser: browser, headers: headers)
                }
            }
        }
    }
}
