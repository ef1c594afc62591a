// SPDX-License-Identifier: Apache-2.0

import LatchkeyClient
import Testing

@Suite("RedactedLink") struct RedactedLinkTests {
    @Test("R13.6 G-12.7 A link in a log says what it is about, and nothing that opens anything")
    func redacted() {
        #expect(
            RedactedLink("myapp://verify-email?token_hash=pkce_8f3a&type=signup&redirect=/plants/1").description
                == "myapp://verify-email?token_hash=[REDACTED]&type=signup&redirect=[REDACTED]")
        #expect(
            RedactedLink("myapp://auth/callback#access_token=ey.a.b&error_code=otp_expired").description
                == "myapp://auth/callback?access_token=[REDACTED]&error_code=otp_expired")
        #expect(RedactedLink("https://ann:pw@app.test/x").description == "[unreadable link of 25 octets]")
    }

    @Test("R13.6 G-12.7 A mailed code does not get into the log, wherever in a link it stands; a line's number does")
    func code() {
        for link in [
            "myapp://verify-email/483920", "myapp://483920", "myapp://auth?error_code=483920",
            "myapp://auth?483920=1", "myapp://plants/48392017#type=48392017",
        ] { #expect(!RedactedLink(link).description.contains("4839"), "\(link)") }
        #expect(RedactedLink("myapp://plants/42").description == "myapp://plants/42")
    }

    @Test("R13.6 G-12.7 Wherever in a link a token stands, it does not get into the log")
    func everywhere() {
        let token = "eyJhbGciOiJSUzI1NiJ9x0"
        for link in [
            "myapp://\(token)", "myapp://plants/\(token)", "myapp://auth?\(token)", "myapp://auth?a=\(token)",
            "myapp://auth?type=\(token)", "myapp://auth#\(token)=1", "\(token)", "myapp://x@\(token)",
            "myapp://auth/\(token)/\(token)?error=\(token)", "myapp:// \(token)", "https://a.\(token).test/",
        ] {
            #expect(!RedactedLink(link).description.lowercased().contains(token.lowercased()), "\(link)")
        }
    }
}
