// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ServerKit

/// What `/dev` shows: the settings of each SDK and of the app.
public struct DevelopmentSettings: Sendable {
    public var sections: [ConnectionSettings]

    public init(sections: [ConnectionSettings]) {
        self.sections = sections
    }

    var json: JSONObject {
        var json = JSONObject()
        for section in sections {
            var members = JSONObject()
            for value in section.values + section.links { members[value.name] = .string(value.value) }
            json[section.name] = .object(members)
        }
        return json
    }
}
