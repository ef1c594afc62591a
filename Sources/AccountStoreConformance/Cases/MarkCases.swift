// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension StoreConformance {
    static let marks: [ConformanceCase] = [
        ConformanceCase("a mark is what it was last set to, and each stands alone") { world in
            for mark in StoreMark.allCases {
                try expect(try await world.read { try $0.mark(mark) } == nil, "before")
            }
            for (index, mark) in StoreMark.allCases.enumerated() {
                try await world.write { try $0.set(mark, at: Sample.at(Int64(index))) }
            }
            try await world.write { try $0.set(.written, at: Sample.at(9)) }
            let (production, written) = try await world.read { (try $0.mark(.production), try $0.mark(.written)) }
            try expectEqual(production, Sample.at(0), "production")
            try expectEqual(written, Sample.at(9), "written")
            try await world.write { try $0.remove(.production) }
            let left = try await world.read { (try $0.mark(.production), try $0.mark(.written)) }
            try expect(left.0 == nil && left.1 == Sample.at(9), "one that was taken away")
        }
    ]
}
