// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What a gateway's answer means for the message.
enum Verdict: Sendable, Equatable {
    /// The gateway has taken charge of it.
    case taken
    /// It will never take this one: the recipient can't receive, or the message can't be sent as it is.
    case refused(String)
    /// Worth another try: the gateway is busy, has a fault, or something is the operator's to mend (credentials,
    /// sender, credit), for which the message waits.
    case later(String, wait: TimeSpan? = nil)

    /// A verdict on an answer that says nothing more of itself: what is not taken is tried again, so that nothing is
    /// given up for a reason that we don't know.
    static func later(_ answer: GatewayAnswer, code: String? = nil) -> Verdict {
        .later(reason(answer, code), wait: answer.wait)
    }

    static func refused(_ answer: GatewayAnswer, code: String? = nil) -> Verdict { .refused(reason(answer, code)) }

    /// Status and the gateway's own code: its text may repeat the message or the recipient, and is not kept.
    private static func reason(_ answer: GatewayAnswer, _ code: String?) -> String {
        guard let code else { return "status \(answer.status)" }
        let plain = code.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        return "status \(answer.status), code \(plain.prefix(64))"
    }
}
