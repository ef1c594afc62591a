// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation
import JOSE
import Testing

/// A token may carry a key, or say where one is to be had. Neither is ever used.
@Suite struct EmbeddedKeyTests {
    private let claims: JSONObject = ["iss": "i", "aud": "a", "iat": 1, "exp": 4_000_000_000]

    private func code(_ token: String, _ keys: VerificationKeySet) -> JOSEError.Code? {
        refusal { () throws(JOSEError) in
            let parsed = try ParsedJWS(parsing: token.utf8)
            try parsed.verify(with: try keys.key(for: parsed.header))
        }
    }

    @Test("R6 a forger's key in jwk or x5c checks nothing, with the right kid, a wrong one, or none")
    func carried() throws {
        let certificates = try #require(
            try VectorFiles.object("certificates/certificates.json")["certificates"]?.arrayValue)
        let chain = certificates.prefix(3).compactMap { $0.objectValue?.string("certificate") }.map {
            JSONValue.string($0.split(separator: "\n").dropFirst().dropLast().joined())
        }
        for algorithm in [JWSAlgorithm.es256, .rs256, .edDSA] {
            let keys = try VerificationKeySet([SigningKey.generate(algorithm, keyID: "k").verificationKey()])
            let forger = try SigningKey.generate(algorithm, keyID: "k")
            let own = try #require(forger.publicJWK?.publicObject)
            for header: JSONObject in [
                ["jwk": .object(own)], ["x5c": .array(chain)], ["x5t": "AAAA", "x5t#S256": "AAAA"],
                ["jwk": .object(own), "x5c": .array(chain), "keys": [.object(own)]],
            ] {
                #expect(code(try JWS.sign(claims, header: header, with: forger), keys) == .signatureInvalid)
                let stranger = try SigningKey(forger.reimported(without: "kid"), algorithm: algorithm)
                #expect(code(try JWS.sign(claims, header: header, with: stranger), keys) == .signatureInvalid)
                let other = try SigningKey.generate(algorithm, keyID: "other")
                #expect(code(try JWS.sign(claims, header: header, with: other), keys) == .keyNotFound)
            }
        }
    }

    @Test("R7 no address in a header is visited, whatever the token is")
    func addresses() async throws {
        let listener = try Listener()
        let url = JSONValue.string("http://127.0.0.1:\(listener.port)/keys")
        let key = try SigningKey.generate(.es256, keyID: "k")
        let keys = try VerificationKeySet([key.verificationKey()])
        let forger = try SigningKey.generate(.es256, keyID: "unknown")
        for header: JSONObject in [["jku": url], ["x5u": url], ["jku": url, "x5u": url], ["kid": url]] {
            #expect(code(try JWS.sign(claims, header: header, with: key), keys) == nil)
            #expect(code(try JWS.sign(claims, header: header, with: forger), keys) == .keyNotFound)
        }
        #expect(!listener.hasVisitor)
        try listener.visit()
        #expect(listener.hasVisitor, "the listener itself works")
    }
}

/// A socket on the loopback that says whether anyone has knocked.
private final class Listener {
    private let descriptor: CInt
    let port: UInt16

    init() throws {
        descriptor = socket(AF_INET, Self.stream, 0)
        var address = Self.loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 8) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isListening else { throw POSIXError(.EADDRNOTAVAIL) }
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(descriptor) }

    var hasVisitor: Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, 50) > 0
    }

    func visit() throws {
        let visitor = socket(AF_INET, Self.stream, 0)
        defer { close(visitor) }
        var address = Self.loopback(port: port)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(visitor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw POSIXError(.ECONNREFUSED) }
    }

    private static func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    #if canImport(Glibc)
        private static let stream = CInt(SOCK_STREAM.rawValue)
    #else
        private static let stream = SOCK_STREAM
    #endif
}
