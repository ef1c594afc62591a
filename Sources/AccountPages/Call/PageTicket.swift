// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Crypto
import HTTPTypes
import Hummingbird
import ServerKit

/// What one page tells the next, through the browser: who is to prove an address, or to choose a password. It is sealed
/// (AES-256-GCM, NIST SP 800-38D, under a key of the Directory's), so that an address stands in no URL, and good in the
/// browser that it was given to alone.
struct PageTicket: Sendable, Equatable {
    enum Step: String, Sendable {
        /// Somebody signed up, or signed in with an address that is not proved.
        case confirm
        /// Somebody forgot their password.
        case reset
        /// Somebody signed in with a password that is not their own choice.
        case newPassword = "new_password"
        /// Somebody typed the code of a device.
        case device
        /// Somebody has shown one factor, and has a second one.
        case secondFactor = "second_factor"
        /// Somebody has shown one factor, and must set a second one up.
        case enrolment
        /// Somebody is setting a second factor up.
        case setUp = "set_up"
        /// Somebody has shown who they are, and agrees to terms.
        case terms
    }

    /// From its page's first showing.
    static let lifetime = TimeSpan.minutes(60)
    private static let maximumLength = 4096
    private static let nonceLength = 12
    private static let purpose = "latchkey page ticket 1"

    var step: Step
    /// What the user named themselves by; a device's code; the identifier of a factor that is being set up.
    var name: String
    /// Of a sign-in that is under way; of a device who was asked about it; where a confirmation went, of who is called
    /// otherwise; empty elsewhere.
    var ticket: String
    var until: Instant
    /// Whether whoever signs in wants to stay signed in.
    var stays = false

    init(_ step: Step, name: String, ticket: String = "", until: Instant, stays: Bool = false) {
        self.step = step
        self.name = name
        self.ticket = ticket
        self.until = until
        self.stays = stays
    }

    /// Opens what the browser brings back.
    ///
    /// - Throws: ``AuthErrorCode/flowStateNotFound`` for what was not given to this browser for this step,
    ///   ``AuthErrorCode/flowStateExpired``.
    init(_ text: String?, for step: Step, _ call: PageCall) throws(AuthError) {
        guard let text, text.utf8.count <= Self.maximumLength, let sealed = Base64URL.decode(text),
            let box = try? AES.GCM.SealedBox(combined: sealed),
            let opened = try? AES.GCM.open(
                box, using: Self.key(call.directory), authenticating: Self.context(call, step)),
            let object = try? JSONObject(parsing: opened), let name = object["name"]?.stringValue,
            let ticket = object["ticket"]?.stringValue, let until = object["until"]?.integerValue
        else { throw AuthError(.flowStateNotFound) }
        guard call.flow.now < Instant(seconds: until) else { throw AuthError(.flowStateExpired) }
        self.init(
            step, name: name, ticket: ticket, until: Instant(seconds: until),
            stays: object["stays"]?.boolValue ?? false)
    }

    /// Base64URL, under 2 KiB.
    func sealed(_ call: PageCall) throws(AuthError) -> String {
        let object: JSONObject = [
            "name": .string(name), "ticket": .string(ticket), "until": .integer(until.seconds),
            "stays": .bool(stays),
        ]
        do {
            let nonce = try AES.GCM.Nonce(data: call.accounts.random.bytes(Self.nonceLength))
            let box = try AES.GCM.seal(
                object.serialized(), using: Self.key(call.directory), nonce: nonce,
                authenticating: Self.context(call, step))
            return Base64URL.encode(Array(nonce) + Array(box.ciphertext) + Array(box.tag))
        } catch {
            throw AuthError(.internalFailure, reason: "a page's ticket could not be sealed")
        }
    }

    private static func key(_ directory: Directory) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: directory.tokenKey.reveal()), info: Array(purpose.utf8),
            outputByteCount: 32)
    }

    private static func context(_ call: PageCall, _ step: Step) -> [UInt8] {
        Array("\(purpose)\u{0}\(call.directory.id.rawValue)\u{0}\(step.rawValue)\u{0}\(call.browser.text)".utf8)
    }
}
