// SPDX-License-Identifier: Apache-2.0

/// `latchkey-fuzz TARGET [option of libFuzzer or folder of inputs]…`
@main
enum LatchkeyFuzz {
    /// Set once, before the first input.
    nonisolated(unsafe) static var target = FuzzTarget.jws

    static func main() {
        guard CommandLine.argc > 1, let target = FuzzTarget(rawValue: CommandLine.arguments[1]) else {
            print("expected one of", FuzzTarget.allCases.map(\.rawValue).joined(separator: ", "))
            return
        }
        Self.target = target
        // libFuzzer sees the arguments as if there were none of ours.
        var count = CommandLine.argc - 1
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv + 1
        arguments?[0] = CommandLine.unsafeArgv[0]
        _ = libFuzzerDriver(&count, &arguments) { bytes, length in
            LatchkeyFuzz.target.run(Array(UnsafeBufferPointer(start: bytes, count: length)))
            return 0
        }
    }
}

/// `LLVMFuzzerRunDriver` of libFuzzer, which `-sanitize=fuzzer` links.
@_silgen_name("LLVMFuzzerRunDriver")
func libFuzzerDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt
