// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Carries one request and its answer. Follows no redirect, keeps no cookie and no cache, and repeats nothing: who asks
/// decides all of that.
public protocol HTTPTransport: Sendable {
    /// - Throws: ``TransportError`` where there is no answer. Any status is an answer.
    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse
}

/// One request. Its description has neither its body nor what authorizes it.
public struct HTTPRequest: Sendable {
    /// `GET`, `POST`, as RFC 9110 writes them.
    public var method: String
    /// Absolute.
    public var url: String
    /// In their order; a name may come more than once.
    public var headers: [HTTPHeader]
    /// Empty for none.
    public var body: [UInt8]
    /// How long it may take from the first byte sent to the last received. By default so short that who asks a second
    /// time is told within half a minute.
    public var timeout: TimeSpan

    /// A request of that method to that address.
    public init(
        _ method: String, _ url: String, headers: [HTTPHeader] = [], body: [UInt8] = [],
        timeout: TimeSpan = .seconds(15)
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
    }
}

extension HTTPRequest: CustomStringConvertible, CustomReflectable {
    public var description: String {
        let place = url.prefix { $0 != "?" && $0 != "#" }
        return "\(method) \(place)"
    }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// One answer. Its description has its status alone: tokens are in bodies, and codes in redirects.
public struct HTTPResponse: Sendable {
    /// The status code of RFC 9110, section 15.
    public var status: Int
    /// In their order; a name may come more than once.
    public var headers: [HTTPHeader]
    /// All of it, within the transport's bound.
    public var body: [UInt8]

    /// An answer, such as a test's.
    public init(status: Int, headers: [HTTPHeader] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The first field of that name, whatever its case (RFC 9110, section 5.1).
    public func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

extension HTTPResponse: CustomStringConvertible, CustomReflectable {
    public var description: String { "status \(status)" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A field of a request or an answer. Its description is its name: what authorizes stands in the value.
public struct HTTPHeader: Sendable, Hashable {
    /// In any case of letters.
    public var name: String
    /// Without blanks around it.
    public var value: String

    /// A field of that name.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

extension HTTPHeader: CustomStringConvertible, CustomReflectable {
    public var description: String { name }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
