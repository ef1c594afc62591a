// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
    import AuthTypes
    import ClientSession
    import Foundation
    import Subprocess
    import Testing

    @testable import ClientStorage

    /// With a stand-in that answers as secret-tool 0.20.5 does, and with the real one and GNOME Keyring where they are
    /// installed.
    struct SecretServiceKeyTests {
        private let directory: TemporaryDirectory
        private static let installed = ["secret-tool", "gnome-keyring-daemon", "dbus-daemon", "gdbus"].allSatisfy {
            FileManager.default.isExecutableFile(atPath: "/usr/bin/" + $0)
        }

        init() throws { directory = try TemporaryDirectory() }

        /// Keeps one entry in a file beside itself. A file `locked` hides what is in it, one `broken` ends it with
        /// status 1.
        private func standIn() async throws -> String {
            let path = directory.path + "/secret-tool"
            let script = """
                #!/bin/sh
                d='\(directory.path)'
                [ -e "$d/broken" ] && exit 1
                case "$1" in
                store) cat > "$d/entry" ;;
                search)
                    [ -e "$d/entry" ] || exit 0
                    echo '[/1]'; echo 'label = L'
                    if [ -e "$d/locked" ]; then echo 'Cannot get secret of a locked object' >&2
                    else printf 'secret = '; cat "$d/entry"; echo; fi
                    echo 'schema = org.freedesktop.Secret.Generic' ;;
                esac
                """
            // Never open for writing in this process: a program that another test starts meanwhile would inherit it
            // open, and who runs it would be told that it is busy.
            let written = try await run(
                .name("sh"), arguments: ["-c", "cat > \"$0\" && chmod 700 \"$0\"", path], input: .string(script),
                output: .discarded, error: .discarded)
            try #require(written.terminationStatus.isSuccess)
            return path
        }

        private func source(_ executable: String, _ environment: [String: String]? = nil) -> SecretServiceKey {
            SecretServiceKey(
                application: "org.example.tests", label: "Tests", directory: directory.path + "/locks",
                executable: executable, environment: environment)
        }

        @Test("R13.2 The key is kept by the secret service; however many ask for the first at once get the same")
        func made() async throws {
            let tool = try await standIn()
            let keys = try await withThrowingTaskGroup(of: [UInt8].self) { group in
                for _ in 0..<8 {
                    let source = source(tool)
                    group.addTask { try await source.key(fresh: false).bytes.reveal() }
                }
                return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
            }
            #expect(keys.count == 1)
        }

        @Test("F8 R13.2 One that stays locked is locked, one that fails is unavailable, and neither gets another key")
        func locked() async throws {
            let tool = try await standIn()
            let key = try await source(tool).key(fresh: false)
            let entry = directory.bytes("entry")
            try directory.write([], to: "locked")
            #expect(await storeError { try await source(tool).key(fresh: false) } == .locked)
            try FileManager.default.removeItem(atPath: directory.path + "/locked")
            try directory.write([], to: "broken")
            #expect(isUnavailable(await storeError { try await source(tool).key(fresh: false) }))
            try FileManager.default.removeItem(atPath: directory.path + "/broken")
            #expect(isUnavailable(await storeError { try await source("/nowhere/secret-tool").key(fresh: false) }))
            #expect(directory.bytes("entry") == entry)
            #expect(try await source(tool).key(fresh: false).identifier == key.identifier)
        }

        @Test(
            "R13.2 F5 What is written after another process has made another key is written with that one, and can be read"
        )
        func replaced() async throws {
            let tool = try await standIn()
            func store(_ source: SecretServiceKey) -> EncryptedFileStore {
                EncryptedFileStore(directory: directory.path + "/values", key: source)
            }
            let (first, second) = (store(source(tool)), store(source(tool)))
            try await first.write([1], for: .session)
            // The user has emptied the keyring; another process of the app makes another key.
            try FileManager.default.removeItem(atPath: directory.path + "/entry")
            try await second.write([2], for: .privacyConsent)
            try await first.write([3], for: .session)
            #expect(try await second.read(.session) == [3])
            #expect(try await store(source(tool)).read(.session) == [3])
            #expect(try await first.read(.privacyConsent) == [2])
        }

        @Test("R13.2 No program is run for a key that is known and in force, neither to write nor to read")
        func spared() async throws {
            let tool = try await standIn()
            let store = EncryptedFileStore(directory: directory.path + "/values", key: source(tool))
            try await store.write([1], for: .session)
            try directory.write([], to: "broken")
            try await store.write([2], for: .session)
            #expect(try await store.read(.session) == [2])
            // Without the note of which one is in force only the service can say.
            try FileManager.default.removeItem(atPath: directory.path + "/locks/secret-service.key")
            #expect(isUnavailable(await storeError { try await store.write([3], for: .session) }))
            try FileManager.default.removeItem(atPath: directory.path + "/broken")
            try await store.write([4], for: .session)
            #expect(try await store.read(.session) == [4])
        }

        @Test("R13.2 An entry that is no key is left alone")
        func foreign() async throws {
            let tool = try await standIn()
            try directory.write(Array("somebody's note".utf8), to: "entry")
            #expect(isUnavailable(await storeError { try await source(tool).key(fresh: false) }))
            #expect(directory.bytes("entry") == Array("somebody's note".utf8))
        }

        @Test("R13.2 Y-FR3 GNOME Keyring keeps the key, and a locked one is locked", .enabled(if: installed))
        func real() async throws {
            let shell = """
                dbus-daemon --session --nofork --nopidfile --address="$DBUS_SESSION_BUS_ADDRESS" >&- 2>&- & bus=$!
                until gdbus call --session --dest org.freedesktop.DBus --object-path /org/freedesktop/DBus \\
                    --method org.freedesktop.DBus.GetId >&- 2>&-; do :; done
                printf pw | gnome-keyring-daemon --unlock --components=secrets --foreground >/dev/null 2>&1 & ring=$!
                trap 'kill $ring $bus' EXIT
                until gdbus call --session --dest org.freedesktop.DBus --object-path /org/freedesktop/DBus \\
                    --method org.freedesktop.DBus.NameHasOwner org.freedesktop.secrets 2>&- | grep -q true; do :; done
                echo ready
                read line
                gdbus call --session --dest org.freedesktop.secrets --object-path /org/freedesktop/secrets \\
                    --method org.freedesktop.Secret.Service.Lock "['/org/freedesktop/secrets/collection/login']" >&-
                echo locked
                read line
                exit 0
                """
            let environment = [
                "HOME": directory.path, "XDG_RUNTIME_DIR": directory.path, "PATH": "/usr/bin:/bin",
                "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(directory.path)/bus",
            ]
            let arguments = ["-i"] + environment.map { "\($0)=\($1)" } + ["sh", "-c", shell]
            let ended = try await run(
                .name("env"), arguments: Arguments(arguments), input: .inputWriter, output: .sequence, error: .discarded
            ) { execution in
                var lines = execution.standardOutput.strings(bufferingPolicy: .unbounded).makeAsyncIterator()
                #expect(try await lines.next()?.hasPrefix("ready") == true)
                let key = try await source("/usr/bin/secret-tool", environment).key(fresh: false)
                let again = try await source("/usr/bin/secret-tool", environment).key(fresh: false)
                #expect(again.bytes.reveal() == key.bytes.reveal())
                _ = try await execution.standardInputWriter.write("\n")
                #expect(try await lines.next()?.hasPrefix("locked") == true)
                // There is nobody here who could be asked for the password.
                #expect(
                    await storeError { try await source("/usr/bin/secret-tool", environment).key(fresh: false) }
                        == .locked)
                try await execution.standardInputWriter.finish()
            }
            #expect(ended.terminationStatus.isSuccess)
        }
    }
#endif
