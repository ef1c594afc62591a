// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import HTTPTypes
import Testing

@testable import ServerKit

@Suite struct BrowserCookiesTests {
    private let directory = DirectoryID("d1")
    private let browser = BrowserID(random: FixedRandom())

    private func headers(_ cookies: String...) -> HTTPFields {
        var headers = HTTPFields()
        for cookie in cookies { headers.append(HTTPField(name: .cookie, value: cookie)) }
        return headers
    }

    private func pair(_ field: HTTPField) -> String { String(field.value.prefix { $0 != ";" }) }

    @Test("V3.3.1 R11.2 over https cookies are this host's alone, not for scripts, and not sent along by other sites")
    func attributes() {
        let cookies = BrowserCookies(url: "https://id.example")
        for field in [
            cookies.naming(browser), cookies.opening(Secret("token"), of: directory), cookies.closing(directory),
        ] {
            #expect(field.name == .setCookie)
            #expect(field.value.hasPrefix("__Host-latchkey-"))
            let attributes = field.value.split(separator: ";").dropFirst().map { $0.drop { $0 == " " } }
            for attribute in ["Path=/", "Secure", "HttpOnly", "SameSite=Lax"] {
                #expect(attributes.contains(attribute[...]), "\(attribute) in \(field.value)")
            }
            #expect(!field.value.contains("Domain"))
        }
        #expect(cookies.closing(directory).value.hasSuffix("; Max-Age=0"))
        #expect(cookies.opening(Secret("t"), of: directory, lifetime: .seconds(90)).value.hasSuffix("; Max-Age=90"))
        #expect(!cookies.opening(Secret("t"), of: directory).value.contains("Max-Age"))
    }

    @Test("R11.2 over http, as on the loopback, browsers take the cookies")
    func loopback() {
        let field = BrowserCookies(url: "http://localhost:8080").naming(browser)
        #expect(field.value.hasPrefix("latchkey-browser=") && !field.value.contains("Secure"))
    }

    @Test(
        "R12.2 the name that a browser is sent to a provider with comes back by a form of another site's, and is no other's"
    )
    func travelling() {
        let cookies = BrowserCookies(url: "https://id.example")
        let field = cookies.sendingAway(browser)
        let attributes = field.value.split(separator: ";").dropFirst().map { $0.drop { $0 == " " } }
        for attribute in ["Path=/", "Secure", "HttpOnly", "SameSite=None"] {
            #expect(attributes.contains(attribute[...]), "\(attribute) in \(field.value)")
        }
        #expect(field.value.hasPrefix("__Host-latchkey-traveller="))
        #expect(
            cookies.traveller(in: headers(pair(field))) == browser && cookies.browser(in: headers(pair(field))) == nil)
        #expect(cookies.traveller(in: headers(pair(cookies.naming(browser)))) == nil)
        // Browsers take no cookie for other sites' forms that is not secure.
        let plain = BrowserCookies(url: "http://127.0.0.1:8080").sendingAway(browser)
        #expect(plain.value.hasSuffix("SameSite=Lax") && !plain.value.contains("Secure"))
    }

    @Test("R11.2 what was set is read back, each Directory's own")
    func reading() {
        for url in ["https://id.example", "http://127.0.0.1:8080"] {
            let cookies = BrowserCookies(url: url)
            let other = DirectoryID("d2")
            let sent = headers(
                "theme=dark; " + pair(cookies.naming(browser)),
                pair(cookies.opening(Secret("mine"), of: directory)) + ";"
                    + pair(cookies.opening(Secret("other"), of: other)))
            #expect(cookies.browser(in: sent) == browser)
            #expect(cookies.session(in: sent, of: directory)?.reveal() == "mine")
            #expect(cookies.session(in: sent, of: other)?.reveal() == "other")
            #expect(cookies.session(in: headers("a=b"), of: directory) == nil)
        }
    }

    @Test(
        "R11.5 what nobody set here is no browser: other lengths, other letters, two that differ, a name without Host")
    func strange() {
        let cookies = BrowserCookies(url: "https://id.example")
        let good = pair(cookies.naming(browser))
        let other = String(repeating: "A", count: 22)
        for cookie in [
            "", "=", ";;;", "__Host-latchkey-browser", "__Host-latchkey-browser=", good + "A", String(good.dropLast()),
            String(good.dropLast()) + "!", good + "; __Host-latchkey-browser=" + other,
            String(good.dropFirst("__Host-".count)),
        ] {
            #expect(cookies.browser(in: headers(cookie)) == nil, "\(cookie)")
        }
        #expect(cookies.browser(in: headers(good, good)) == browser)
    }
}
