// SPDX-License-Identifier: Apache-2.0

import LatchkeyClient

/// Many devices with many flows each, half of them at a Supabase project and half at a Cognito pool, over a network and
/// stores that fail once in a hundred times (H-13, Y-SC2). Without a server both clouds are scripted, in this process.
struct FlowRun {
    private let count: Int
    private let devices: Int
    private let dice: Dice
    private let server: (url: String, key: String, pool: String, client: String)?
    private let password: Secret<String>

    init(_ options: Options) throws {
        count = options.number("count", 20_000)
        devices = options.number("devices", 128)
        dice = Dice(seed: UInt64(options.number("seed", 1)))
        password = Secret(options.optional("password") ?? "password")
        server = try options.optional("server").map { url in
            (url, try options.text("key"), try options.text("pool"), try options.text("client"))
        }
    }

    private struct Result: Sendable {
        var flows = 0
        var failed = 0
        var refreshes = 0
        var seen = 0
        var waited = Times()
        var errors: [String] = []

        mutating func add(_ outcome: Device.Outcome) {
            flows += 1
            if !outcome.errors.isEmpty { failed += 1 }
            refreshes += outcome.refreshes
            seen += outcome.seenRefreshes
            waited.add(outcome.waited)
            errors += outcome.errors
        }

        mutating func add(_ other: Result) {
            flows += other.flows
            failed += other.failed
            refreshes += other.refreshes
            seen += other.seen
            waited.add(other.waited)
            errors += other.errors
        }
    }

    func measure() async throws -> JSONObject {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let (tally, shown, next) = (Tally(), Tally(), Guarded(count))
        let (cloud, pool) = (ScriptedCloud(), ScriptedPool())
        let start = ContinuousClock.now
        let result = await withTaskGroup(of: Result.self) { group in
            for number in 0..<devices {
                let device = device(number, directory, cloud, pool, tally, shown)
                group.addTask {
                    let watch = device.watch()
                    defer { watch.cancel() }
                    var result = Result()
                    while next.withLock({ left in
                        left -= 1
                        return left >= 0
                    }) {
                        result.add(await device.flow())
                    }
                    return result
                }
            }
            return await group.reduce(into: Result()) { $0.add($1) }
        }
        let took = ContinuousClock.now - start
        // Sign-outs of which the service has not heard are told again in the background.
        for _ in 0..<100 where cloud.sessions.live + pool.sessions.live > tally["unheardSignIns"] {
            try await Task.sleep(for: .milliseconds(100))
        }
        return [
            "flows": .integer(Int64(result.flows)), "failed": .integer(Int64(result.failed)),
            "refreshes": .integer(Int64(result.refreshes)), "seen": .integer(Int64(result.seen)),
            "waited": .object(result.waited.report), "seconds": .number(took / .seconds(1)),
            "devices": .integer(Int64(devices)), "happened": .object(tally.report),
            "left": .integer(Int64(cloud.sessions.live + pool.sessions.live)),
            "reused": .integer(Int64(cloud.sessions.reused)),
            "errors": .array(result.errors.sorted().prefix(20).map { .string($0) }),
        ]
    }

    private func device(
        _ number: Int, _ directory: TemporaryDirectory, _ cloud: ScriptedCloud, _ pool: ScriptedPool, _ tally: Tally,
        _ shown: Tally
    ) -> Device {
        let (clock, store) = (DeviceClock(), directory.store("\(number)"))
        let isPool = number % 2 == 1
        let scripted: any HTTPTransport = isPool ? pool : cloud
        let way = server == nil ? scripted : SystemTransport()
        let transport = FaultyTransport(transport: way, dice: dice, tally: tally)
        let backend: any IdentityBackend =
            isPool
            ? CognitoBackend(
                CognitoConfiguration(
                    region: "eu-west-1", userPoolID: server?.pool ?? "eu-west-1_Bench",
                    clientID: server?.client ?? "client",
                    endpoint: server.map { $0.url + "/" } ?? "https://pool.example/",
                    passwordFlow: .password), transport: transport, clock: clock)
            : SupabaseBackend(
                SupabaseConfiguration(
                    address: (server?.url ?? "https://cloud.example") + "/auth/v1", publishableKey: server?.key ?? "key"
                ),
                transport: transport)
        return Device(
            user: "bench\(number)@example.com", password: password, store: store, clock: clock,
            service: SessionService(
                backend: backend, store: FaultyStore(store: store, dice: dice, tally: tally), clock: clock),
            tally: shown)
    }
}
