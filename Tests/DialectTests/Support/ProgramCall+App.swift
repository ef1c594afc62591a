// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes

// Alone, since the room's name is also a type's, and other rooms have a `Route` as well.
@testable import AppAPI

extension ProgramCall {
    static func app(_ credential: String?) -> [ProgramCall] {
        Route.all.flatMap { route in
            let demand: ProgramDemand =
                switch route.access {
                case .user: .user
                case .administrator: .scope("admin:users")
                case .clientAdministrator: .scope("admin:clients")
                }
            let key = credential.map { ["x-api-key": $0] } ?? [:]
            return [
                ProgramCall(surface: .app, method: route.method, path: route.path, headers: key, demand: demand),
                // A key is no token, and nothing else but its header is looked at.
                ProgramCall(
                    surface: .app, method: route.method, path: route.path + "?api_key=" + (credential ?? ""),
                    headers: bearer(credential), demand: .user),
            ]
        }
    }
}
