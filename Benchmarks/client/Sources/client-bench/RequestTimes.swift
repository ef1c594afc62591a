// SPDX-License-Identifier: Apache-2.0

import LatchkeyClient

/// How long an app waits for its user's profile, and for pages of what the user has done, with others that ask beside
/// it (Y-SC3, Y-SC4), and how long its sign-in takes (Y-SC1): through the library, its store and the system's HTTP
/// client, over loopback.
struct RequestTimes {
    private static let signIns = 20

    private let url: String
    private let key: String
    private let email: String
    private let password: Secret<String>
    private let seconds: Int
    private let callers: Int

    init(_ options: Options) throws {
        url = try options.text("server")
        key = try options.text("key")
        email = try options.text("email")
        password = Secret(try options.text("password"))
        seconds = options.number("seconds", 5)
        callers = options.number("devices", 16)
    }

    func measure() async throws -> JSONObject {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let transport = SystemTransport()
        let backend = SupabaseBackend(
            SupabaseConfiguration(address: url + "/auth/v1", publishableKey: key), transport: transport)
        let service = SessionService(backend: backend, store: directory.store())
        var signIns = Times()
        for _ in 0..<Self.signIns {
            let start = ContinuousClock.now
            try await service.signIn(with: .password(identifier: email, password: password))
            signIns.add(ContinuousClock.now - start)
        }
        let client = try AuthenticatedClient(baseURL: url, service: service, transport: transport)
        let profile = try await times { _ = try await client.me() }
        var (pages, walked, last) = (Times(), 0, ContinuousClock.now)
        for try await page in client.activities {
            pages.add(ContinuousClock.now - last)
            walked += page.items.count
            last = .now
        }
        let first = try await times { _ = try await client.activities.page(after: nil) }
        return [
            "signIns": .object(signIns.report), "profile": .object(profile.report), "pages": .object(pages.report),
            "walked": .integer(Int64(walked)),
            "firstPages": .object(first.report), "callers": .integer(Int64(callers)),
        ]
    }

    private func times(_ ask: @escaping @Sendable () async throws -> Void) async throws -> Times {
        let end = ContinuousClock.now + .seconds(seconds)
        return try await withThrowingTaskGroup(of: Times.self) { group in
            for _ in 0..<callers {
                group.addTask {
                    var times = Times()
                    while ContinuousClock.now < end {
                        let start = ContinuousClock.now
                        try await ask()
                        times.add(ContinuousClock.now - start)
                    }
                    return times
                }
            }
            return try await group.reduce(into: Times()) { $0.add($1) }
        }
    }
}
