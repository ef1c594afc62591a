// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TokenVerifier

@Suite("Addresses of key servers")
struct KeyAddressTests {
    @Test(
        "https to anywhere",
        arguments: [
            "https://keys.example/keys", "https://keys.example", "https://keys.example:8443/a/b?c=d&e=%20",
            "https://[2001:db8::1]/keys", "https://127.evil.example/", "https://localhost.evil.example/",
            "https://127.0.0.1.evil.example/", "https://keys.example/a@b:c",
        ])
    func secure(text: String) throws {
        let address = try KeyAddress(text)
        #expect(address.text == text)
        #expect(!address.isLoopback)
    }

    @Test(
        "http and https to this machine",
        arguments: ["localhost", "LOCALHOST", "127.0.0.1", "127.255.0.3", "[::1]"], ["", ":8080", "/keys", ":1/a?b"])
    func loopback(host: String, rest: String) throws {
        #expect(try KeyAddress("http://" + host + rest).isLoopback)
        #expect(try KeyAddress("https://" + host + rest).isLoopback)
    }

    @Test(
        "Everything else is refused",
        arguments: [
            "", "keys.example", "//keys.example", "http://keys.example", "HTTPS://keys.example", "file:///etc/passwd",
            "ftp://localhost/", "https://", "https:///keys", "https://?a", "https://:443/", "https://a@keys.example/",
            "http://127.0.0.1@keys.example/", "http://127.0.0.1:80@keys.example/", "http://127.0.0.1\\@keys.example/",
            "http://127.0.0.1#@keys.example/", "https://keys.example/#a", "http://keys.example#127.0.0.1",
            "https://keys.example/a b", "https://keys.example/\r\nX: y", "https://keys.example/\u{0}",
            "https://kéys.example/", "http://127.0.0.1.evil.example/", "http://127.1/", "http://0127.0.0.1/",
            "http://127.0.0.256/", "http://127.0.0./", "http://2130706433/", "http://0x7f.0.0.1/", "http://[::]/",
            "http://[::1", "http://::1/", "http://[::1]x/", "http://[::1]:x/", "http://[[::1]]/", "http://[]/",
            "http://localhost:99999/", "http://localhost:+1/", "http://localhost:1:2/", "http://localhost./",
            "http://0.0.0.0/", "http://169.254.169.254/", "https://[::1/", "https://a]/", "https://%6c/",
        ])
    func refused(text: String) {
        #expect(throws: KeyFetchError.addressRefused) { try KeyAddress(text) }
    }
}
