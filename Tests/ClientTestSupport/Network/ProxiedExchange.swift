// SPDX-License-Identifier: Apache-2.0

import ClientSession
import Foundation

/// One request and its answer on their way through a ``FaultProxy``, on a thread of their own.
struct ProxiedExchange: Sendable {
    let client: LoopbackConnection
    let serverPort: Int
    let state: Guarded<FaultProxy.State>

    func pass() {
        guard let request = received() else { return client.close() }
        switch fault(of: request) {
        case .none: client.send(answer(to: request))
        case .delayed(let milliseconds):
            usleep(UInt32(milliseconds) * 1000)
            client.send(answer(to: request))
        case .refused: return client.reset()
        case .requestCut(let part):
            client.reset()
            _ = answer(to: Array(request.prefix(request.count * part / 1000)), finishesSending: true)
            return
        case .requestHalfClosed: client.send(answer(to: request, finishesSending: true))
        case .answerCut(let part):
            let answer = answer(to: request)
            client.send(answer.prefix(answer.count * part / 1000))
            return client.reset()
        case .answerHalfClosed(let part):
            let answer = answer(to: request)
            client.send(answer.prefix(answer.count * part / 1000))
            client.finishSending()
            _ = client.receiveAll()
        case .repeated(let answersFirst):
            let answers = [answer(to: request), answer(to: request)]
            client.send(answers[answersFirst ? 0 : 1])
        case .raced:
            Thread.detachNewThread { _ = answer(to: request) }
            client.send(answer(to: request))
        case .overtaken:
            let answer = answer(to: request)
            let before = state.value.answered
            // Nobody may come to overtake it.
            for _ in 0..<50 where state.value.answered == before { usleep(1000) }
            client.send(answer)
        case .late:
            _ = client.receiveAll()
            _ = answer(to: request)
        case .unheard:
            _ = answer(to: request)
            _ = client.receiveAll()
        }
        state.withLock { $0.answered += 1 }
        client.close()
    }

    /// The request with its body, which tells the server that it is the connection's last.
    private func received() -> [UInt8]? {
        var (bytes, text) = ([UInt8](), "")
        while !text.contains("\r\n\r\n") {
            let next = client.receive()
            guard !next.isEmpty, bytes.count < 1 << 20 else { return nil }
            bytes += next
            text = String(decoding: bytes, as: UTF8.self)
        }
        let head = text.components(separatedBy: "\r\n\r\n")[0]
        let length = Self.field("content-length", of: head).flatMap { Int($0) } ?? 0
        while bytes.count < head.utf8.count + 4 + length {
            let next = client.receive()
            guard !next.isEmpty else { return nil }
            bytes += next
        }
        // Of two that contradict each other the first counts.
        let fields = head.components(separatedBy: "\r\n").filter { !$0.lowercased().hasPrefix("connection:") }
        let closing = (fields + ["Connection: close"]).joined(separator: "\r\n")
        return Array(closing.utf8) + bytes[head.utf8.count...]
    }

    private func answer(to request: [UInt8], finishesSending: Bool = false) -> [UInt8] {
        guard let server = LoopbackConnection(to: serverPort) else { return [] }
        server.send(request)
        if finishesSending { server.finishSending() }
        defer { server.close() }
        var answer = server.receiveAll()
        // The client is told so too: else it asks on a connection that is about to end.
        if let line = answer.firstIndex(of: UInt8(ascii: "\n")) {
            answer.insert(contentsOf: Array("Connection: close\r\n".utf8), at: line + 1)
        }
        return answer
    }

    private func fault(of request: [UInt8]) -> NetworkFault {
        let text = String(decoding: request, as: UTF8.self)
        let kind = Self.kind(of: text)
        return state.withLock { state in
            let number = state.numbers[kind, default: 0]
            state.numbers[kind] = number + 1
            if HTTPRequest.isRefresh(text) { state.refreshes += 1 }
            guard let seed = state.seed, !Self.isSpared(kind) else { return .none }
            var fault = NetworkFault.drawn(seed: seed, kind: kind, number: number)
            // Whoever redeems a code twice takes back what came of the first time (RFC 6749, section 4.1.2).
            if fault.repeats, text.contains("grant_type=authorization_code") { fault = .none }
            state.record.append("\(kind) \(number): \(fault)")
            return fault
        }
    }

    /// What a request asks for: its method, its path, and the operation that a header names.
    private static func kind(of text: String) -> String {
        let line = text.prefix { $0 != "\r\n" }.split(separator: " ")
        let path = line.dropFirst().first.map { $0.prefix { $0 != "?" } } ?? ""
        let head = text.components(separatedBy: "\r\n\r\n")[0]
        return [String(line.first ?? ""), String(path), field("x-amz-target", of: head)].compactMap(\.self)
            .joined(separator: " ")
    }

    private static func field(_ name: String, of head: String) -> String? {
        head.components(separatedBy: "\r\n").first { $0.lowercased().hasPrefix(name + ":") }
            .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
    }

    /// What a browser asks, and a test.
    private static func isSpared(_ kind: String) -> Bool {
        ["/dev/", "/account", "/oauth2/authorize"].contains { kind.contains(" " + $0) }
    }
}
