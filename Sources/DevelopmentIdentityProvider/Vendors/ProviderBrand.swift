// SPDX-License-Identifier: Apache-2.0

import AccountModel
import ServerKit

extension Vendor {
    /// How its pages look. They say in their name that they are not the vendor's own.
    static func brand(_ vendor: Vendor?) -> PageBrand {
        var brand = PageBrand(DirectorySettings())
        brand.name = vendor.map { "\($0.title) (development)" } ?? "Identity providers (development)"
        return brand
    }
}
