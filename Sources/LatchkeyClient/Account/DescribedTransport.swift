// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// What a device says of itself, by which its user finds it in the list of where they are signed in (G-6.1). Nobody is
/// told who does not keep such a list: see ``DescribedTransport``.
public struct DeviceDescription: Sendable, Hashable {
    /// What its user calls it. `nil` to leave it unsaid.
    public var name: String?
    /// System and version, such as `iOS 26.1`.
    public var system: String?
    /// The app's version.
    public var appVersion: String?

    /// A device as the app knows it.
    public init(name: String? = nil, system: String? = nil, appVersion: String? = nil) {
        self.name = name
        self.system = system
        self.appVersion = appVersion
    }

    /// As a Latchkey server reads them: each on one line, of 100 characters at most.
    fileprivate var headers: [HTTPHeader] {
        [("X-Device-Name", name), ("X-Device-OS", system), ("X-App-Version", appVersion)].compactMap {
            field, value -> HTTPHeader? in
            guard let value else { return nil }
            let line = value.unicodeScalars.prefix(100).filter { $0.properties.generalCategory != .control }
            let text = String(String.UnicodeScalarView(line))
            return text.allSatisfy(\.isWhitespace) ? nil : HTTPHeader(field, text)
        }
    }
}

/// A transport that says with each request to one server which device asks, and tells nobody else.
public struct DescribedTransport: HTTPTransport {
    private let transport: any HTTPTransport
    private let device: DeviceDescription
    private let origin: ServiceOrigin

    /// - Parameters:
    ///   - transport: which carries the requests.
    ///   - server: the Latchkey server's address, such as `https://login.example.com`.
    /// - Throws: `AuthError` with `invalidRequest` for what is no address.
    public init(
        _ transport: any HTTPTransport, device: DeviceDescription, to server: String
    ) throws(AuthError) {
        guard let origin = ServiceOrigin(of: server) else { throw AuthError(.invalidRequest, field: "server") }
        (self.transport, self.device, self.origin) = (transport, device, origin)
    }

    public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        guard ServiceOrigin(of: request.url) == origin else { return try await transport.send(request) }
        var described = request
        let given = Set(request.headers.map { $0.name.lowercased() })
        described.headers += device.headers.filter { !given.contains($0.name.lowercased()) }
        return try await transport.send(described)
    }
}
