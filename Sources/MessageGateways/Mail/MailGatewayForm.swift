// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Mail

/// One mail service's API: how it is asked, and how its answers read.
protocol MailGatewayForm: Sendable {
    static var defaultURL: String { get }

    func call(for mail: RenderedMail) -> GatewayCall
    func verdict(on answer: GatewayAnswer) -> Verdict
}
