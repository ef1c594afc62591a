// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto
import HTTPTypes
import Logging

/// What limits count the caller of a request by.
///
/// An address that stands for many is nobody's: counted as one client's, whoever behind it is first takes the limit
/// from all the others. Then nothing is counted by it, and what is counted by account, by message and in all goes on.
public final class ClientCounting: Sendable {
    enum Rule: Sendable {
        case address
        case headers([HTTPField.Name])
    }

    /// Why a caller is not counted.
    enum Obstacle: String, Sendable {
        case privateProxy =
            "a proxy calls that http.trustedProxies does not know of: clients are not counted by address"
        case noHeader =
            "a request does not say whose it is: without the gateway's header clients are not counted by address"
    }

    /// Octets of what a header says that are kept as they are: an address has no more.
    private static let longest = 64

    private let rule: Rule
    private let reported = Mutex<Set<Obstacle>>([])

    private init(_ rule: Rule) {
        self.rule = rule
    }

    /// By the client's address, unless that is a private one which forwards for others and was not announced.
    public static func byAddress() -> ClientCounting { ClientCounting(.address) }

    /// Behind a gateway: by the first value of the first of these headers that a request has. Without one, by what
    /// trusted proxies say, and where there are none, not at all.
    ///
    /// - Parameter names: of headers that the gateway sets, and lets no client set.
    public static func byHeader(_ names: [String]) -> ClientCounting {
        ClientCounting(.headers(names.compactMap { HTTPField.Name($0) }))
    }

    /// - Parameters:
    ///   - client: who calls, as far as trusted proxies and the connection say.
    ///   - hops: how many proxies are trusted.
    /// - Returns: `nil` for a caller who can't be told from others.
    func origin(of headers: HTTPFields, client: ClientAddress, hops: Int, logger: Logger) -> String? {
        switch rule {
        case .headers(let names):
            for name in names {
                if let text = Self.firstValue(headers[name]) { return ClientAddress(text)?.limitKey ?? Self.key(text) }
            }
            guard hops == 0 else { return client.limitKey }
            if !names.isEmpty { report(.noHeader, logger) }
            return nil
        case .address:
            guard hops == 0, client.isPrivate, headers.contains(.forwardedFor) || headers.contains(.forwarded) else {
                return client.limitKey
            }
            report(.privateProxy, logger)
            return nil
        }
    }

    /// One line for each obstacle in the life of the process.
    private func report(_ obstacle: Obstacle, _ logger: Logger) {
        guard reported.withLock({ $0.insert(obstacle).inserted }) else { return }
        logger.warning("\(obstacle.rawValue)")
    }

    /// What no address is, is counted as it is written: some gateways tell a client by another name. It may be the
    /// client that wrote it, and the limits keep it for each that they count, so that of a long one its digest stands
    /// for it.
    private static func key(_ text: String) -> String {
        text.utf8.count <= longest ? text : Hex.encode(Array(SHA256.hash(data: Array(text.utf8))))
    }

    private static func firstValue(_ text: String?) -> String? {
        let octets = text?.utf8.prefix { $0 != UInt8(ascii: ",") }
        let trimmed = octets?.drop(while: isBlank)
        guard let trimmed, let end = trimmed.lastIndex(where: { !isBlank($0) }) else { return nil }
        return String(trimmed[...end])
    }

    private static func isBlank(_ octet: UInt8) -> Bool { octet == UInt8(ascii: " ") || octet == UInt8(ascii: "\t") }
}
