// SPDX-License-Identifier: Apache-2.0

import CInstructionCount

/// `latchkey-text-cost SEED COUNT NAME…`: gives each reader of texts from outside the texts that could cost it most,
/// each at three lengths, and says which, and how many instructions that took. `scripts/text-cost` runs it where they
/// are counted, and judges how they grow with the length.
///
/// Beside the fixed texts there are COUNT made up from SEED for each reader; NAMEs are those of the only readers.
/// `latchkey-text-cost check` gives them to readers that are known to take too long instead, which the judge must see.
@main
enum TextCost {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
        var generator = Generator(state: arguments.first ?? 0)
        #if DEBUG
            let isCheck = CommandLine.arguments.dropFirst().first == "check"
            let names = CommandLine.arguments.dropFirst().filter { UInt64($0) == nil && $0 != "check" }
            for reader in isCheck ? TextReader.slow : try TextReader.all()
            where names.isEmpty || names.contains(reader.name) {
                let made = (0..<(arguments.dropFirst().first ?? 0)).map { _ in HostileText.random(&generator) }
                for text in reader.countsOnly ? [HostileText.all[0]] : HostileText.all + made {
                    // What is made once for all texts is not to count.
                    reader.read(text.written(to: min(reader.longest / 4, 256)))
                    for length in [reader.longest / 4, reader.longest / 2, reader.longest] {
                        let written = text.written(to: length)
                        let count = instructions { reader.read(written) }
                        print(reader.name, text.name, written.utf8.count, count, separator: "\t")
                    }
                }
            }
        #else
            _ = generator.next(below: 1)
            print("built for debugging only")
        #endif
    }
}

/// How many instructions of the processor `work` takes, and a few that are always the same; 0 where nothing counts
/// them.
func instructions(_ work: () -> Void) -> UInt64 {
    latchkey_tell_valgrind("snapshot before")
    work()
    latchkey_tell_valgrind("snapshot after")
    return latchkey_instructions("after") &- latchkey_instructions("before")
}

/// The same numbers for the same seed (SplitMix64).
struct Generator {
    var state: UInt64

    mutating func next(below bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ mixed >> 31) % UInt64(bound))
    }
}
