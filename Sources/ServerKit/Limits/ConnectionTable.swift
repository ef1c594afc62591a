// SPDX-License-Identifier: Apache-2.0

/// Which connections there are, whose they are, and in which order those rest that are asked for nothing: a pure
/// machine.
///
/// Every step takes the same time however many there are, since each request is two: the connections of each order are
/// chained by their places, and so are those of each client.
struct ConnectionTable: Sendable {
    typealias Place = Int

    /// What becomes of a new connection.
    enum Opening: Equatable {
        case open(Place)
        /// There is one too many: the first of these, which has rested longest, is closed for the second, the new one.
        case inPlaceOf(Place, Place, Reason)
        /// Its client has as many as it may, and all are at work.
        case refused
    }

    enum Reason: String {
        case client
        case all
    }

    private struct Entry {
        var client: Int
        var isResting = false
        /// Whether its end is decided: it counts no more.
        var isClosing = false
    }

    private struct Client {
        var name: String
        var open = 0
        var resting = RestingOrder()
    }

    private let limit: Int
    private let limitOfClient: Int
    private var entries: [Entry] = []
    private var unused: [Place] = []
    private var clients: [Client] = []
    private var unusedClients: [Int] = []
    private var known: [String: Int] = [:]
    private var resting = RestingOrder()
    /// Of each place among all, and among those of its client.
    private var links: [RestingOrder.Link] = []
    private var ownLinks: [RestingOrder.Link] = []
    private(set) var count = 0

    /// - Parameters:
    ///   - limit: of all connections.
    ///   - limitOfClient: of those of one client.
    init(limit: Int, limitOfClient: Int) {
        self.limit = limit
        self.limitOfClient = limitOfClient
    }

    var clientCount: Int { known.count }

    /// Whether the client may have one more.
    func hasRoom(_ client: String) -> Bool { known[client].map { clients[$0].open < limitOfClient } ?? true }

    /// A new connection rests until it has sent a request.
    mutating func open(_ name: String) -> Opening {
        var victim: (place: Place, reason: Reason)?
        if let client = known[name], clients[client].open >= limitOfClient {
            guard let longest = clients[client].resting.first else { return .refused }
            victim = (longest, .client)
        } else if count >= limit, let longest = resting.first {
            victim = (longest, .all)
        }
        if let victim { leave(victim.place) }
        let client = client(name)
        clients[client].open += 1
        count += 1
        let place = unused.popLast() ?? entries.count
        if place == entries.count {
            entries.append(Entry(client: client))
            links.append(RestingOrder.Link())
            ownLinks.append(RestingOrder.Link())
        } else {
            entries[place] = Entry(client: client)
        }
        rest(place)
        guard let victim else { return .open(place) }
        return .inPlaceOf(victim.place, place, victim.reason)
    }

    private mutating func client(_ name: String) -> Int {
        if let client = known[name] { return client }
        let client = unusedClients.popLast() ?? clients.count
        if client == clients.count { clients.append(Client(name: name)) } else { clients[client] = Client(name: name) }
        known[name] = client
        return client
    }

    /// A request has come.
    ///
    /// - Returns: whether the connection goes on: `false` for one that gave way to another.
    mutating func work(_ place: Place) -> Bool {
        guard !entries[place].isClosing else { return false }
        if entries[place].isResting { unchain(place) }
        return true
    }

    /// Every request has been answered.
    mutating func rest(_ place: Place) {
        guard !entries[place].isClosing, !entries[place].isResting else { return }
        entries[place].isResting = true
        resting.append(place, &links)
        clients[entries[place].client].resting.append(place, &ownLinks)
    }

    /// Each is closed once, and its place is another's from then on.
    mutating func close(_ place: Place) {
        leave(place)
        unused.append(place)
    }

    /// It counts no more, whenever it ends.
    private mutating func leave(_ place: Place) {
        guard !entries[place].isClosing else { return }
        if entries[place].isResting { unchain(place) }
        entries[place].isClosing = true
        count -= 1
        let client = entries[place].client
        clients[client].open -= 1
        guard clients[client].open == 0 else { return }
        known[clients[client].name] = nil
        unusedClients.append(client)
    }

    private mutating func unchain(_ place: Place) {
        entries[place].isResting = false
        resting.remove(place, &links)
        clients[entries[place].client].resting.remove(place, &ownLinks)
    }
}

/// Places in the order in which they came to rest: a chain, whose links are kept with the places.
struct RestingOrder: Sendable {
    struct Link: Sendable {
        fileprivate var earlier: Int?
        fileprivate var later: Int?
    }

    /// The one that has rested longest.
    private(set) var first: Int?
    private var last: Int?

    mutating func append(_ place: Int, _ links: inout [Link]) {
        links[place] = Link(earlier: last, later: nil)
        if let last { links[last].later = place } else { first = place }
        last = place
    }

    mutating func remove(_ place: Int, _ links: inout [Link]) {
        let link = links[place]
        if let earlier = link.earlier { links[earlier].later = link.later } else { first = link.later }
        if let later = link.later { links[later].earlier = link.earlier } else { last = link.earlier }
        links[place] = Link()
    }
}
