// SPDX-License-Identifier: Apache-2.0

import LatchkeyClient

/// `client-bench NAME [--option value]…` prints what the app's library takes for one thing, as JSON. Times are
/// microseconds.
@main
enum ClientBench {
    static func main() async throws {
        let options = try Options(CommandLine.arguments.dropFirst())
        let report: JSONObject =
            switch options.name {
            case "token": try await TokenRate.measure()
            case "restore": try await RestoreTime.measure()
            case "waiters": try await WaiterRelease.measure()
            case "srp": try await SignInComputation.measure()
            case "flows": try await FlowRun(options).measure()
            case "requests": try await RequestTimes(options).measure()
            default: throw Options.Usage()
            }
        print(report.text)
    }
}

/// What the command line says.
struct Options {
    let name: String
    private var values: [String: String] = [:]

    struct Usage: Error, CustomStringConvertible {
        var description: String {
            "client-bench token|restore|waiters|srp|flows|requests [--count N] [--devices N] [--server URL] [--key KEY] "
                + "[--pool ID] [--client ID] [--email ADDRESS] [--password PASSWORD] [--seconds N]"
        }
    }

    init(_ arguments: ArraySlice<String>) throws {
        guard let name = arguments.first else { throw Usage() }
        self.name = name
        var rest = arguments.dropFirst()
        while let option = rest.popFirst() {
            guard option.hasPrefix("--"), let value = rest.popFirst() else { throw Usage() }
            values[String(option.dropFirst(2))] = value
        }
    }

    func text(_ name: String) throws -> String {
        guard let value = values[name] else { throw Usage() }
        return value
    }

    func optional(_ name: String) -> String? { values[name] }
    func number(_ name: String, _ standard: Int) -> Int { values[name].flatMap { Int($0) } ?? standard }
}
