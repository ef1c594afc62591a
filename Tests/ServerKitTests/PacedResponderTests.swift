// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import ServerKit

@Suite("The task that a request is answered in")
struct PacedResponderTests {
    @Test("R9.16 sixteen in a row, each within a second, make a connection a fast one, until it rests")
    func pace() {
        let pace = ConnectionPace()
        var now = NIODeadline.uptimeNanoseconds(1)
        func after(_ time: TimeAmount) -> Bool {
            now = now + time
            return pace.isFast(at: now)
        }
        for _ in 0..<16 { #expect(!after(.milliseconds(999))) }
        for _ in 0..<100 { #expect(after(.milliseconds(999))) }
        #expect(!after(.seconds(1)))
        for _ in 0..<15 { #expect(!after(.zero)) }
        #expect(after(.zero))
    }

    @Test("R9.16 an answer is the same in a task of its own, an error too, and one request after the other is answered")
    func answers() async throws {
        let bench = ServerBench()
        let count = Mutex(0)
        bench.on(.get, "/beta/x") { _, _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            await Task.yield()
            guard number % 5 != 0 else { throw AuthError(.requestTooLarge) }
            return Response(status: .ok, body: .init(byteBuffer: ByteBuffer(string: "\(number)")))
        }
        let application = bench.limits.application(
            responder: PacedResponder(bench.router.buildResponder()), host: "127.0.0.1", port: 0,
            metrics: bench.metrics, logger: bench.log.json())
        try await application.test(.live) { client in
            for number in 1...40 {
                let answer = try await client.execute(uri: "/beta/x", method: .get)
                #expect(answer.status == (number % 5 == 0 ? .contentTooLarge : .ok))
                if answer.status == .ok { #expect(answer.text == "\(number)") }
            }
        }
    }
}
