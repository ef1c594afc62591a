// SPDX-License-Identifier: Apache-2.0

/// What happens to one request and its answer on their way.
public enum NetworkFault: Sendable, Hashable {
    case none
    case delayed(milliseconds: Int)
    /// The request is lost, and the connection breaks.
    case refused
    /// So many thousandths of the request arrive. The connection breaks.
    case requestCut(Int)
    /// The request arrives, and the server is told that nothing more comes.
    case requestHalfClosed
    /// The server has done everything; so many thousandths of its answer arrive. The connection breaks.
    case answerCut(Int)
    /// The same, and the connection ends as if that were all.
    case answerHalfClosed(Int)
    /// The request arrives twice, one after the other. The first answer goes back, or the second.
    case repeated(answersFirst: Bool)
    /// The request arrives twice at once. One of the answers goes back.
    case raced
    /// Another answer passes this one.
    case overtaken
    /// The request arrives when the client has given up.
    case late
    /// The request arrives at once, and the answer when the client has given up.
    case unheard

    /// Whether the server gets the request more than once.
    var repeats: Bool {
        switch self {
        case .repeated, .raced: true
        default: false
        }
    }

    private static let shares: [(share: Int, draw: @Sendable (inout Dice) -> NetworkFault)] = [
        (400, { _ in .none }), (100, { .delayed(milliseconds: $0.below(20)) }), (60, { _ in .refused }),
        (60, { .requestCut($0.below(1000)) }), (40, { _ in .requestHalfClosed }),
        (80, { .answerCut($0.below(1000)) }), (60, { .answerHalfClosed($0.below(1000)) }),
        (70, { .repeated(answersFirst: $0.happens(50)) }), (40, { _ in .raced }), (60, { _ in .overtaken }),
        (15, { _ in .late }), (15, { _ in .unheard }),
    ]

    /// Always the same for one request of one seed, whatever else is under way.
    ///
    /// - Parameters:
    ///   - kind: what the request asks for.
    ///   - number: how many of that kind came before.
    public static func drawn(seed: UInt64, kind: String, number: Int) -> NetworkFault {
        // FNV-1a: the language's own hashes differ from run to run.
        let name = kind.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        var dice = Dice(seed: seed &* 0xD134_2543_DE82_EF95 ^ name &+ UInt64(number) &* 0x2545_F491_4F6C_DD1D)
        var left = dice.below(shares.reduce(0) { $0 + $1.share })
        for (share, draw) in shares {
            if left < share { return draw(&dice) }
            left -= share
        }
        return .none
    }
}
