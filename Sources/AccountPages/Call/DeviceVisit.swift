// SPDX-License-Identifier: Apache-2.0

import ServerKit

/// Where somebody is on the way to who lets a device in (RFC 8628, section 3.3).
enum DeviceVisit {
    static let path = "/device"
    /// As in `verification_uri_complete`: what keeps the way there through whatever pages come first.
    static let parameter = AccountLinks.deviceParameter
}
