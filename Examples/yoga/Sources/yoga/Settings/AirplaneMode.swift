// SPDX-License-Identifier: Apache-2.0

import Foundation
import LatchkeyClient

/// No network: `YOGA_OFFLINE=1` shows what the app does without one.
struct AirplaneMode: HTTPTransport {
    static var isOn: Bool { ProcessInfo.processInfo.environment["YOGA_OFFLINE"] == "1" }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse { throw .offline }
}
