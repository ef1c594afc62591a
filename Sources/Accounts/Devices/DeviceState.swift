// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What the server must know again when a device answers for its secret. The client carries it, sealed: the ticket of
/// the sign-in is in it, by which it is good once and for the ticket's time.
struct DeviceState: Equatable {
    private static let purpose = "latchkey device state 1"

    var ticket: String
    var device: RememberedDeviceID
    var salt: [UInt8]
    /// A.
    var clientPublic: [UInt8]
    /// B.
    var serverPublic: [UInt8]
    /// b.
    var ephemeral: [UInt8]

    init(
        ticket: String, device: RememberedDeviceID, salt: [UInt8], clientPublic: [UInt8], serverPublic: [UInt8],
        ephemeral: [UInt8]
    ) {
        self.ticket = ticket
        self.device = device
        self.salt = salt
        self.clientPublic = clientPublic
        self.serverPublic = serverPublic
        self.ephemeral = ephemeral
    }

    /// `nil` unless ``sealed(in:random:)`` made it in this Directory.
    init?(_ sealed: [UInt8], in directory: Directory) {
        guard let fields = SealedFields(sealed, for: Self.purpose, in: directory)?.fields, fields.count == 6 else {
            return nil
        }
        self.init(
            ticket: fields[0].fieldText, device: RememberedDeviceID(fields[1].fieldText), salt: fields[2],
            clientPublic: fields[3], serverPublic: fields[4], ephemeral: fields[5])
    }

    func sealed(in directory: Directory, random: any RandomSource) throws(AuthError) -> [UInt8] {
        try SealedFields([
            Array(ticket.utf8), Array(device.rawValue.utf8), salt, clientPublic, serverPublic, ephemeral,
        ]).sealed(for: Self.purpose, in: directory, random: random)
    }
}
