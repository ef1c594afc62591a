// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A text message that is to be handed over.
struct TextMessage: Sendable {
    var text: String
    var number: PhoneNumber
    /// Stable over retries.
    var id: String
    var time: Instant
}

/// One gateway's API: how it is asked, and how its answers read.
protocol TextGatewayForm: Sendable {
    /// Where it is, unless the operator says otherwise; `nil` where they have to.
    static var defaultURL: String? { get }

    func call(for message: TextMessage) -> GatewayCall
    func verdict(on answer: GatewayAnswer) -> Verdict
}
