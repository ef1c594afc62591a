// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AuthTypes
import Foundation
import JOSE
import Synchronization

/// Makes ID tokens as a provider with a key of its own would, each to be used once: `keys.json` and `tokens`, a token a
/// line.
struct IDTokens: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "id-tokens", abstract: "Make ID tokens of a provider's, signed by RS256.")

    @Option(help: "The provider.")
    var issuer: String

    @Option(help: "The client that the tokens are for.")
    var audience = "bench"

    @Option(help: "Tokens to make.")
    var count: Int

    @Option(help: "People that they are about, in turns.")
    var people = 256

    @Option(help: "Where the files go.")
    var directory: String

    func run() throws {
        guard count > 0, people > 0 else { throw ValidationError("--count, --people: expected more than 0") }
        let (key, now) = (try SigningKey.generate(.rs256), Int64(Date().timeIntervalSince1970))
        let tokens = Mutex(Array(repeating: "", count: count))
        let (issuer, audience, people) = (issuer, audience, people)
        DispatchQueue.concurrentPerform(iterations: count) { number in
            let person = number % people
            let claims: JSONObject = [
                "iss": .string(issuer), "aud": .string(audience), "sub": .string("person-\(person)"),
                "iat": .integer(now), "exp": .integer(now + 3600), "jti": .string(String(number)),
                "email": .string("person\(person)@example.net"), "email_verified": true,
                "name": .string("Person \(person)"), "picture": .string("https://pictures.example/\(person).png"),
            ]
            let token = (try? JWS.sign(claims, type: JWS.defaultType, with: key)) ?? ""
            tokens.withLock { $0[number] = token }
        }
        let place = URL(fileURLWithPath: directory)
        let keys: JSONObject = ["keys": [.object(key.publicJWK?.publicObject ?? [:])]]
        try Data(keys.serialized()).write(to: place.appendingPathComponent("keys.json"))
        let lines = tokens.withLock { $0.joined(separator: "\n") + "\n" }
        try Data(lines.utf8).write(to: place.appendingPathComponent("tokens"))
    }
}
