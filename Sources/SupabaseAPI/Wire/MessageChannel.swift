// SPDX-License-Identifier: Apache-2.0

/// The `channel` of a request that has a code sent to a number.
enum MessageChannel {
    /// Text messages are the one channel there is: the platform has the other with two of its gateways only.
    ///
    /// - Throws: `validation_failed`, in the platform's words.
    static func check(_ body: Input) throws(WireError) {
        guard try body.text("channel") ?? "sms" == "sms" else {
            throw .validation(
                "Invalid channel, supported values are 'sms' or 'whatsapp'. 'whatsapp' is only supported if Twilio or "
                    + "Twilio Verify is used as the provider.")
        }
    }
}
