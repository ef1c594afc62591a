// SPDX-License-Identifier: Apache-2.0

import ClientTestSupport
import Foundation
import LatchkeyClient
import Testing

/// A device with an app: its files, its network, and its clock, which begins at the server's time and passes when told.
final class Device: Sendable {
    static let password = Secret("Correct-horse-7-battery")

    let server: RunningServer
    let vendor: Vendor
    let transport = RecordingTransport()
    let clock = ManualClock(now: SystemClock().now)
    let backend: any IdentityBackend
    let store: EncryptedFileStore
    let directory: URL
    /// Who did not make the files leaves them.
    private let isOwner: Bool

    /// - Parameter directory: of a device whose app runs in another process too. `nil` makes one.
    init(_ vendor: Vendor, at server: RunningServer, in directory: String? = nil) throws {
        self.server = server
        self.vendor = vendor
        isOwner = directory == nil
        self.directory =
            directory.map { URL(fileURLWithPath: $0) }
            ?? FileManager.default.temporaryDirectory.appendingPathComponent("device-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: self.directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        store = Self.store(in: self.directory)
        backend = try vendor.backend(server, transport: transport, clock: clock)
    }

    deinit { if isOwner { try? FileManager.default.removeItem(at: directory) } }

    private static func store(in directory: URL) -> EncryptedFileStore {
        EncryptedFileStore(
            directory: directory.appendingPathComponent("values").path,
            key: KeyFile(directory: directory.appendingPathComponent("keys").path))
    }

    /// The app from its start on, with nothing but what the files say.
    func start() async -> SessionService {
        let service = SessionService(backend: backend, store: Self.store(in: directory), clock: clock)
        await service.restore()
        return service
    }

    func client(_ service: SessionService) throws -> AuthenticatedClient {
        try AuthenticatedClient(baseURL: server.url, service: service, transport: transport)
    }

    /// Signs a new user up, confirms the address by the mail, and signs in where that gave no session.
    @discardableResult
    func register(_ address: String, with service: SessionService) async throws -> SessionUser {
        let password = Self.password
        try await service.signUp(
            SignUpRequest(
                identifier: address, password: password,
                attributes: vendor == .cognito ? ["email": address, "name": "Ada Lind"] : [:]))
        if let firebase = backend as? FirebaseBackend { try await firebase.sendVerification(storedTokens()) }
        let mail = try await server.mail(to: address)
        try await service.confirmSignUp(identifier: address, code: Self.proof(in: mail, of: vendor))
        if case .signedOut = service.state {
            try await service.signIn(with: .password(identifier: address, password: password))
        }
        return try #require(service.state.user)
    }

    private static func proof(in mail: DevelopmentMail, of vendor: Vendor) throws -> Secret<String> {
        guard vendor == .firebase else { return Secret(try #require(mail.code)) }
        let link = try #require(mail.link)
        let field = try #require(link.split(whereSeparator: { "?&".contains($0) }).first { $0.hasPrefix("oobCode=") })
        return Secret(String(field.dropFirst("oobCode=".count)))
    }

    /// The tokens that the files hold.
    func storedTokens() async throws -> TokenSet {
        let session = try JSONObject(parsing: try #require(try await store.read(.session)))
        let tokens = try #require(session["tokens"]?.objectValue)
        var attachments: [String: String] = [:]
        for member in tokens["attachments"]?.objectValue?.members ?? [] {
            attachments[member.name] = member.value.stringValue
        }
        return TokenSet(
            accessToken: Secret(try #require(tokens["access"]?.stringValue)),
            idToken: tokens["id"]?.stringValue.map { Secret($0) },
            refreshToken: tokens["refresh"]?.stringValue.map { Secret($0) },
            lifetime: TimeSpan(microseconds: try #require(tokens["lifetime"]?.integerValue)),
            attachments: Secret(attachments))
    }
}

extension AuthState {
    var reason: SignOutReason? {
        if case .signedOut(let reason) = self { reason } else { nil }
    }

    var isSignedIn: Bool {
        if case .signedIn = self { true } else { false }
    }
}
