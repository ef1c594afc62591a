// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension StoreConformance {
    static let audit: [ConformanceCase] = [
        ConformanceCase("an audit event keeps every field, whoever the actor") { world in
            var wanted: [AuditEvent] = []
            let actors: [AuditEvent.Actor] = [
                .user(UserID("ann")), .administrator("service_role"), .commandLine, .unknown,
            ]
            for (index, actor) in actors.enumerated() {
                var event = Sample.event("event-\(index)", in: world.home, user: UserID("ann"))
                event.actor = actor
                event.at = Sample.at(Int64(-index))
                wanted.append(event)
            }
            var bare = AuditEvent(
                id: AuditEventID("bare"), directoryID: world.home, action: AuditEvent.Action(rawValue: "unheard of"),
                actor: .unknown, at: Sample.at(-9))
            bare.details = [:]
            wanted.append(bare)
            try await world.write { [wanted] tx in
                for event in wanted.reversed() { try tx.append(event) }
            }
            let found = try await world.scan {
                try $0.auditEvents(in: world.home, actions: nil, user: nil, offset: 0, limit: 9)
            }
            try expectSame(found, wanted, "the newest first")
        },
        ConformanceCase("audit events are narrowed by action and by user, and counted the same") { world in
            let actions: [AuditEvent.Action] = [.signedIn, .signInFailed, .verificationFailed]
            let users: [UserID?] = [UserID("ann"), UserID("bob"), nil]
            try await world.write { tx in
                for (place, directory) in [world.home, world.other].enumerated() {
                    for (row, action) in actions.enumerated() {
                        for (column, user) in users.enumerated() {
                            for index in 0...place {
                                var event = Sample.event(
                                    "\(place)-\(row)-\(column)-\(index)", in: directory, user: user)
                                event.action = action
                                try tx.append(event)
                            }
                        }
                    }
                }
            }
            let ann = UserID("ann")
            let wanted: [(AuditEvent.Action?, UserID?, Int)] = [
                (nil, nil, 9), (.signedIn, nil, 3), (nil, ann, 3), (.signedIn, ann, 1), (.userBanned, nil, 0),
                (nil, UserID("none"), 0), (.userBanned, ann, 0), (.signedIn, UserID(""), 0),
            ]
            for (action, user, count) in wanted {
                for (factor, directory) in [(1, world.home), (2, world.other)] {
                    let (events, counted) = try await world.scan { tx in
                        (
                            try tx.auditEvents(
                                in: directory, actions: action.map { [$0] }, user: user, offset: 0, limit: 99),
                            try tx.auditEventCount(in: directory, actions: action.map { [$0] }, user: user)
                        )
                    }
                    try expectEqual(events.count, count * factor, "events")
                    try expectEqual(counted, count * factor, "count")
                    try expect(
                        events.allSatisfy {
                            $0.directoryID == directory && (action == nil || $0.action == action)
                                && (user == nil || $0.userID == user)
                        }, "an event that was not asked for")
                }
            }
        },
        ConformanceCase("audit events are narrowed by several actions, and to none by an empty list") { world in
            let actions: [AuditEvent.Action] = [.signedIn, .signInFailed, .signedOut]
            try await world.write { tx in
                for (index, action) in actions.enumerated() {
                    var event = Sample.event("\(index)", in: world.home)
                    event.action = action
                    event.at = Sample.at(Int64(index))
                    try tx.append(event)
                }
            }
            for (wanted, ids) in [
                ([.signedIn, .signedOut], ["2", "0"]), ([], []), ([.userBanned], []), (actions, ["2", "1", "0"]),
            ] as [([AuditEvent.Action], [String])] {
                let (found, count) = try await world.scan { tx in
                    (
                        try tx.auditEvents(in: world.home, actions: wanted, user: nil, offset: 0, limit: 9)
                            .map(\.id.rawValue),
                        try tx.auditEventCount(in: world.home, actions: wanted, user: nil)
                    )
                }
                try expectEqual(found, ids, "events")
                try expectEqual(count, ids.count, "count")
            }
        },
        ConformanceCase("audit events come in pages, each event in one of them") { world in
            try await world.write { tx in
                for index in 0..<25 {
                    var event = Sample.event("event-\(10 + index)", in: world.home)
                    // Several at one time: the identifier decides.
                    event.at = Sample.at(Int64(index / 10))
                    try tx.append(event)
                }
            }
            func page(_ offset: Int, _ limit: Int) async throws -> [String] {
                try await world.scan {
                    try $0.auditEvents(in: world.home, actions: [.signedIn], user: nil, offset: offset, limit: limit)
                        .map(\.id.rawValue)
                }
            }
            var found: [String] = []
            for offset in stride(from: 0, to: 30, by: 7) { found += try await page(offset, 7) }
            try expectEqual(found, (10..<35).reversed().map { "event-\($0)" }, "all pages")
            try expectEqual(try await page(25, 7), [], "after the end")
            try expectEqual(try await page(0, 0), [], "an empty page")
        },
        ConformanceCase("pages of audit events go on after the last one, whatever has come and gone since") { world in
            try await world.write { tx in
                for index in 0..<25 {
                    var event = Sample.event(
                        "event-\(10 + index)", in: world.home, user: UserID(index.isMultiple(of: 2) ? "ann" : "bob"))
                    event.at = Sample.at(Int64(index / 10))
                    try tx.append(event)
                }
            }
            for (actions, user) in [(nil, nil), ([.signedIn], nil), ([.signedIn], "ann"), (nil, "bob")]
                as [([AuditEvent.Action]?, String?)]
            {
                var found: [AuditEvent] = []
                while true {
                    let place = found.last.map { AuditPlace(at: $0.at, id: $0.id) }
                    let page = try await world.scan {
                        try $0.auditEvents(
                            in: world.home, actions: actions, user: user.map { UserID($0) }, after: place, limit: 7)
                    }
                    found += page
                    if page.count < 7 { break }
                    // Newer than all of them.
                    let newcomer = "newcomer \(found.count) \(actions?.count ?? 0) \(user ?? "")"
                    try await world.write { tx in
                        var event = Sample.event(newcomer, in: world.home, user: UserID("ann"))
                        event.at = Sample.at(99)
                        try tx.append(event)
                    }
                }
                let wanted = (10..<35).reversed().filter {
                    switch user {
                    case "ann": $0.isMultiple(of: 2)
                    case "bob": !$0.isMultiple(of: 2)
                    default: true
                    }
                }
                try expectEqual(
                    found.map(\.id.rawValue).filter { $0.hasPrefix("event") }, wanted.map { "event-\($0)" }, "all pages"
                )
                // Those of the walks before, which the first page begins with.
                try expectEqual(Set(found.map(\.id)).count, found.count, "each once")
            }
            let gone = AuditPlace(at: Sample.at(1), id: AuditEventID("event-205"))
            let rest = try await world.scan {
                try $0.auditEvents(in: world.home, actions: nil, user: nil, after: gone, limit: 1)
            }
            try expectEqual(rest.map(\.id.rawValue), ["event-20"], "after one that is not there")
        },
        ConformanceCase("R53 the nth newest failure of a user is found among others' and among successes") { world in
            try await world.write { tx in
                for index in 0..<40 {
                    var event = Sample.event(
                        "event-\(10 + index)", in: world.home, user: UserID(index.isMultiple(of: 2) ? "ann" : "bob"))
                    event.action = index.isMultiple(of: 4) ? .verificationFailed : .signedIn
                    event.at = Sample.at(Int64(index))
                    try tx.append(event)
                }
            }
            let fifth = try await world.read {
                try $0.auditEvents(
                    of: UserID("ann"), in: world.home, action: .verificationFailed, until: nil, offset: 4, limit: 1)
            }
            try expectEqual(fifth.map(\.at), [Sample.at(20)], "the fifth newest")
            let eleventh = try await world.read {
                try $0.auditEvents(
                    of: UserID("ann"), in: world.home, action: .verificationFailed, until: nil, offset: 10, limit: 1)
            }
            try expect(eleventh.isEmpty, "there are ten")
        },
        ConformanceCase("the purge takes audit events from before its day, so many at a time") { world in
            try await world.write { tx in
                for (index, directory) in [world.home, world.other, world.home, world.other].enumerated() {
                    var event = Sample.event("\(index)", in: directory)
                    event.at = Sample.at(Int64(index))
                    try tx.append(event)
                }
            }
            func purge(_ directory: DirectoryID) async throws -> Int {
                try await world.write { try $0.purgeAuditEvents(in: directory, before: Sample.at(3), limit: 1) }
            }
            try expectEqual(try await purge(world.home), 1, "first")
            try expectEqual(try await purge(world.home), 1, "rest")
            try expectEqual(try await purge(world.home), 0, "nothing")
            try expectEqual(try await purge(world.other), 1, "the other Directory's")
            try expectEqual(try await purge(world.other), 0, "nothing of the other's")
            let left = try await world.scan { tx in
                try [world.home, world.other].flatMap {
                    try tx.auditEvents(in: $0, actions: nil, user: nil, offset: 0, limit: 9).map(\.id.rawValue)
                }
            }
            try expectEqual(left, ["3"], "left")
        },
    ]
}
