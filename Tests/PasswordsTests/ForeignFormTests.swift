// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@testable import Passwords

/// Hashes that other systems made, to be verified once each. The vectors are of Python's `hashlib`, `hmac` and
/// `cryptography`, of the password `password`.
@Suite("Digests and other kinds of imported hashes")
struct ForeignFormTests {
    @Test(
        "R10.5 a hash of each kind that is imported verifies its password and no other, and is replaced then",
        arguments: [
            "$md5$r=1,o=sp$TmFDbC5zYWx0$8ZZJt9vnpZkUv2lpoCsp8A",
            "$md5$r=1,o=ps$TmFDbC5zYWx0$CHhN9KYv/+YJfafXeYA/uw",
            "$md5$r=100,o=sp$TmFDbC5zYWx0$eP7q0KUmMRzsCU4hyZh7hw",
            "$hmac-md5$k=YSBrZXkgb2YgdGhlIHN5c3RlbQ,o=ps$TmFDbC5zYWx0$iQVCJEi8ICqjMxUw9YRfEw",
            "$hmac-md5$k=YSBrZXkgb2YgdGhlIHN5c3RlbQ,o=sp$TmFDbC5zYWx0$Wtnyk4mJi+Qu4xx+xLSHGQ",
            "$sha1$r=1,o=sp$TmFDbC5zYWx0$KwKsXdJLp+m4WUtvKfCgDXFAuiY",
            "$sha1$r=1,o=ps$TmFDbC5zYWx0$JWY9YkjKIm4I1LI//oRN16BgnCw",
            "$sha1$r=100,o=sp$TmFDbC5zYWx0$4JWU8drS4DxHcSh70DOZHHMuDnY",
            "$hmac-sha1$k=YSBrZXkgb2YgdGhlIHN5c3RlbQ,o=ps$TmFDbC5zYWx0$h4GD67m45pQ1GDAyCQQFvWIgmfU",
            "$hmac-sha1$k=YSBrZXkgb2YgdGhlIHN5c3RlbQ,o=sp$TmFDbC5zYWx0$FGel4PfDP4vQ9OWyc+UTwdf/8M4",
            "$sha256$r=1,o=sp$TmFDbC5zYWx0$3jgLqBvScxgcbatWS7cqR86xi6dNxqUqLe9YGai6OMk",
            "$sha256$r=1,o=ps$TmFDbC5zYWx0$w6qZBScWAIRL35f7G+l/KR7eITg+fZ+A51PiSHfKqgI",
            "$sha256$r=100,o=sp$TmFDbC5zYWx0$RX52pL/+oV+Dj8x7J+mAfV440R+yomtwzosgkAKniMU",
            "$hmac-sha256$k=YSBrZXkgb2YgdGhlIHN5c3RlbQ,o=ps$TmFDbC5zYWx0$DDI3K6wRI90D2RtKiiSN5kaDqcadnMRQ6e5enXtAjJY",
            "$hmac-sha256$k=YSBrZXkgb2YgdGhlIHN5c3RlbQ,o=sp$TmFDbC5zYWx0$giYjUM0i/t3Bxn51fI3Rmd5YxiuH49/5mpvZmmVMLQw",
            "$sha512$r=1,o=sp$TmFDbC5zYWx0$UfDDQowHK1J5+s66OOBFnnhNJ2HuzHAoKpxB7bQ0wv9v6gho0qaLxNSzDvJwP5niHtfD2gl0Lkp8p6yD69CEVw",
            "$sha512$r=1,o=ps$TmFDbC5zYWx0$f+X2AUMZdqFphtxXxAK04VjcKNPAEuCusLds/1v16YMaM1OV8gvxSjgPbK3lnEnNU4glZe3gjlo/jOJ4JIZXwg",
            "$sha512$r=100,o=sp$TmFDbC5zYWx0$vzHaf4YjtjRJu4zeDZr+FP4I+eCl4xEpEiLgpJ5b+z1+t2tDeBxK+lrUDNFJzAkywFs9JLxjtoZOyZj+Zw0DFw",
            "$hmac-sha512$k=YSBrZXkgb2YgdGhlIHN5c3RlbQ,o=ps$TmFDbC5zYWx0$0qsqrk2cX5jC+mrZIzDohQV5/fGv421E7wIe7gen1yXf2qsf60NF9Egk+BSETvRid8Nz6H+ahHK9nsOMBEHfTA",
            "$hmac-sha512$k=YSBrZXkgb2YgdGhlIHN5c3RlbQ,o=sp$TmFDbC5zYWx0$Ad/01iQ3G9zhqpqEZg22UOlgvN+diBKSMO+s/FSWqLHWCDjvuf5uRyE1xn5tY7I51TX+zSJiOuz2nmIS4yXJXA",
            "$md5$r=1,o=sp$TmFDbC5zYWx0$ZjE5NjQ5YjdkYmU3YTU5OTE0YmY2OTY5YTAyYjI5ZjA",
            "$pbkdf2-sha1$i=1000$TmFDbC5zYWx0$SVh85qgTCQxyER/F9X10jy0nVuC7Urz/4+T257kx2ru4YtmNzmA1l/kMtYR24bfm9BtBs6xejx7rnOy7p/1kbQ",
            "$pbkdf2-sha256$i=1000$TmFDbC5zYWx0$ujg0ejS0Katm0VdgT06j9wIT4qaIEQresKiCDJj9u1KOfPh/20lO0ya1gQ5ILdnprnncl/Uu3trDfwBr18Cbow",
            "$sha256$r=1,o=sp$$XohImNooBHFR0OVvjcYpJ3NgPQ1qq73WKhHvch0VQtg",
            "$argon2id$v=19$m=64,t=2,p=1,data=YXBw$c29tZXNhbHQ$NGwjtrtFaJA+IRZib6tXjkvtr6U81ml06Qm3Dg1tJsw",
            "$argon2d$v=19$m=64,t=2,p=1$c29tZXNhbHQ$+SDZVThkhGWr7rpq4G6lMu0m3zFK/2AVAjfY/hFvYs0",
            "$argon2i$v=19$m=64,t=3,p=2$c29tZXNhbHQ$pBfQWGyqxd5EUvazfwGtRAN8/OGcxyj7hzt8MGceiI0",
        ])
    func verifies(_ encoded: String) throws {
        let hash = try PasswordHash(encoded)
        #expect(hash.matches(Secret("password")) == true)
        for other in ["passwore", "Password", "password ", "", "passwor"] {
            #expect(hash.matches(Secret(other)) == false, "\(other)")
        }
        #expect(hash.needsRehash(to: Argon2Parameters()))
        let madeUp = try #require(PasswordHash(madeUpOf: hash.form), "\(hash.form)")
        #expect(madeUp.form == hash.form && madeUp.matches(Secret("password")) == false)
    }

    @Test("R10.5 cheap digests are one form: what they cost can't be told apart")
    func oneForm() throws {
        let tag = Base64.encodeUnpadded([UInt8](repeating: 1, count: 16))
        let forms = try ["$md5$r=1,o=sp", "$hmac-md5$k=AAAA,o=ps", "$md5$r=16,o=sp"].map {
            try PasswordHash("\($0)$AAAA$\(tag)").form
        }
        #expect(Set(forms).count == 1)
        #expect(try PasswordHash("$md5$r=8192,o=sp$AAAA$\(tag)").form != forms[0])
    }

    @Test(
        "R10.5 what only resembles a digest is refused",
        arguments: [
            "$md5$r=0,o=sp$AAAA$TAG16", "$md5$r=8193,o=sp$AAAA$TAG16", "$md5$r=1,o=xx$AAAA$TAG16",
            "$md5$r=1$AAAA$TAG16",
            "$md5$o=sp,r=1$AAAA$TAG16", "$sha1$r=1,o=sp$AAAA$TAG16", "$sha256$r=1,o=sp$AAAA$TAG16",
            "$md5$r=1,o=sp$!$TAG16", "$md5$r=1,o=sp$AAAA$!", "$hmac-md5$k=,o=ps$AAAA$TAG16",
            "$hmac-md5$r=1,o=ps$AAAA$TAG16", "$hmac-sha3$k=AAAA,o=ps$AAAA$TAG16", "$md4$r=1,o=sp$AAAA$TAG16",
            "$hmac-$k=AAAA,o=ps$AAAA$TAG16", "$argon2i$v=18$m=64,t=2,p=1$AAAAAAAAAAA$TAG16",
            "$argon2i$v=19$m=64,t=2,p=1,x=AAAA$AAAAAAAAAAA$TAG16", "$argon2d$v=19$m=64,t=2,p=1$AAAA$TAG16",
            "$argon2d$v=19$m=262145,t=1,p=1$AAAAAAAAAAA$TAG16", "$pbkdf2-sha1$i=2000001$AAAA$TAG16",
        ])
    func refused(_ text: String) {
        let tag = Base64.encodeUnpadded([UInt8](repeating: 1, count: 16))
        #expect(throws: AuthError(.invalidRequest)) { try PasswordHash(text.replacing("TAG16", with: tag)) }
    }
}
