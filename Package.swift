// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// Every room compiles under the same strict settings; in CI a warning is an error.
let strict: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ] + (Context.environment["CI"] == nil ? [] : [.treatAllWarnings(as: .error)])

func room(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []) -> Target {
    .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: strict)
}

func tests(
    _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [], resources: [Resource] = []
) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, exclude: exclude, resources: resources, swiftSettings: strict)
}

/// What only the server needs. An app that adds the package with `traits: []` fetches none of it.
let server: TargetDependencyCondition? = .when(traits: ["Server"])

extension Target.Dependency {
    /// What apps ask by on systems that are not Apple's.
    static let curl: Self = .target(name: "CCurl", condition: .when(platforms: [.linux]))
    static let bigInt: Self = .product(name: "BigInt", package: "BigInt", condition: server)
    static let crypto: Self = .product(name: "Crypto", package: "swift-crypto")
    static let cryptoExtras: Self = .product(name: "CryptoExtras", package: "swift-crypto")
    static let grdb: Self = .product(name: "GRDB", package: "GRDB.swift", condition: server)
    static let sqlite: Self = .product(name: "GRDBSQLite", package: "GRDB.swift", condition: server)
    static let hummingbird: Self = .product(name: "Hummingbird", package: "hummingbird", condition: server)
    static let hummingbirdCore: Self = .product(name: "HummingbirdCore", package: "hummingbird", condition: server)
    static let hummingbirdTesting: Self =
        .product(name: "HummingbirdTesting", package: "hummingbird", condition: server)
    static let mustache: Self = .product(name: "Mustache", package: "swift-mustache", condition: server)
    static let logging: Self = .product(name: "Logging", package: "swift-log", condition: server)
    static let metrics: Self = .product(name: "Metrics", package: "swift-metrics", condition: server)
    static let coreMetrics: Self = .product(name: "CoreMetrics", package: "swift-metrics", condition: server)
    static let metricsTestKit: Self = .product(name: "MetricsTestKit", package: "swift-metrics", condition: server)
    static let lifecycle: Self =
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: server)
    static let unixSignals: Self = .product(name: "UnixSignals", package: "swift-service-lifecycle", condition: server)
    static let arguments: Self = .product(name: "ArgumentParser", package: "swift-argument-parser", condition: server)
    static let configuration: Self = .product(name: "Configuration", package: "swift-configuration", condition: server)
    static let nioCore: Self = .product(name: "NIOCore", package: "swift-nio", condition: server)
    static let yams: Self = .product(name: "Yams", package: "Yams", condition: server)
    static let systemPackage: Self = .product(name: "SystemPackage", package: "swift-system", condition: server)
    static let asn1: Self = .product(name: "SwiftASN1", package: "swift-asn1")
    static let nioEmbedded: Self = .product(name: "NIOEmbedded", package: "swift-nio", condition: server)
    static let nioPosix: Self = .product(name: "NIOPosix", package: "swift-nio", condition: server)
    static let nioSSL: Self = .product(name: "NIOSSL", package: "swift-nio-ssl", condition: server)
    static let nioHTTP: Self = .product(name: "NIOHTTP1", package: "swift-nio", condition: server)
    static let httpClient: Self = .product(name: "AsyncHTTPClient", package: "async-http-client", condition: server)
    static let subprocess: Self = .product(name: "Subprocess", package: "swift-subprocess", condition: server)
    static let x509: Self = .product(name: "X509", package: "swift-certificates", condition: server)
    static let httpTypes: Self = .product(name: "HTTPTypes", package: "swift-http-types", condition: server)
}

let package = Package(
    name: "latchkey",
    // One minimum holds for a whole package: that of the app's library (ADR 0092).
    platforms: [.macOS(.v14), .iOS(.v17)],
    products: [
        .executable(name: "latchkey", targets: ["latchkey"]),
        .library(name: "LatchkeyClient", targets: ["LatchkeyClient"]),
        .library(name: "JOSE", targets: ["JOSE"]),
        .library(name: "TokenVerifier", targets: ["TokenVerifier"]),
        .library(name: "HummingbirdTokenAuth", targets: ["HummingbirdTokenAuth"]),
        .library(name: "AuthTypes", targets: ["AuthTypes"]),
    ],
    traits: [
        .default(enabledTraits: ["Server"]),
        .trait(name: "Server", description: "What only the server and its tests need."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: ["YAML"]),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/attaswift/BigInt", from: "6.0.1"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
    ],
    targets: [
        // System libraries, installed by scripts/setup.
        .systemLibrary(
            name: "CArgon2", pkgConfig: "libargon2", providers: [.apt(["libargon2-dev"]), .brew(["argon2"])]),
        .systemLibrary(name: "CCrypt", providers: [.apt(["libcrypt-dev"]), .brew(["libxcrypt"])]),
        .systemLibrary(
            name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
        .systemLibrary(
            name: "CLibCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        .systemLibrary(
            name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        .systemLibrary(
            name: "CQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"]), .brew(["qrencode"])]),
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),

        // Argon2id by vectors: C of our own.
        .target(name: "CArgon2Kernel"),

        // Leaves.
        room("AuthTypes", []),
        room("JOSE", ["AuthTypes", .crypto, .cryptoExtras, .asn1]),
        room("Passwords", ["AuthTypes", "CArgon2", "CArgon2Kernel", "CCrypt", .crypto, .cryptoExtras]),
        room("Mail", ["AuthTypes", "CCurl", .mustache]),
        room("Factors", ["JOSE", "AuthTypes", "CQREncode", .crypto, .asn1, .x509]),
        room("RSA", ["JOSE", "AuthTypes", "CLibCrypto"]),
        room("SRP", ["AuthTypes", "CLibCrypto", .crypto, .cryptoExtras]),

        // What a backend uses to judge tokens.
        room(
            "TokenVerifier",
            ["JOSE", "AuthTypes", .crypto, .logging, .httpClient, .nioCore, .nioHTTP, .nioSSL, .lifecycle]),
        room(
            "HummingbirdTokenAuth",
            [
                "TokenVerifier", "JOSE", "AuthTypes", .hummingbird, .hummingbirdCore, .httpTypes, .logging, .metrics,
                .coreMetrics, .crypto,
            ]),

        // The domain and its storage. What they share is the model; neither sees the other.
        room("AccountModel", ["AuthTypes", "JOSE", "Passwords", .crypto]),
        room(
            "Accounts",
            [
                "AccountModel", "AuthTypes", "JOSE", "Passwords", "Mail", "RSA", "SRP", "Factors", .crypto,
                .cryptoExtras, .logging,
            ]),
        room("AccountStore", ["AccountModel", "AuthTypes", "Passwords", .crypto]),
        room("AccountStoreSQLite", ["AccountStore", "AccountModel", "AuthTypes", .grdb, .sqlite]),
        room("AccountStorePostgres", ["AccountStore", "AccountModel", "AuthTypes", "CPostgres"]),
        room("AccountStoreConformance", ["AccountModel", "AuthTypes", "Passwords"]),

        // Other people's identity providers, seen from here: the one room that asks them anything.
        room(
            "IdentityProviders",
            [
                "AccountModel", "TokenVerifier", "JOSE", "AuthTypes", .httpClient, .nioCore, .nioHTTP, .crypto,
                .logging,
            ]),

        // Who carries mail and text messages, seen from here.
        room(
            "MessageGateways", ["Mail", "TokenVerifier", "AuthTypes", .httpClient, .nioCore, .nioHTTP, .crypto]),

        // The server and its dialects. No dialect imports another.
        room(
            "ServerKit",
            [
                "TokenVerifier", "Accounts", "AccountModel", "AuthTypes", "JOSE", .hummingbird, .hummingbirdCore,
                .httpTypes, .nioCore, .nioHTTP, .logging, .metrics, .coreMetrics, .lifecycle, .crypto,
            ]),
        room(
            "SupabaseAPI",
            [
                "ServerKit", "TokenVerifier", "Accounts", "AccountModel", "AuthTypes", "JOSE", "Mail", "Passwords",
                "Factors", .hummingbird, .httpTypes, .crypto,
            ]),
        room(
            "CognitoAPI",
            [
                "ServerKit", "TokenVerifier", "Accounts", "AccountModel", "AuthTypes", "JOSE", "Mail", "Passwords",
                "SRP", .hummingbird, .httpTypes, .crypto, .cryptoExtras,
            ]),
        room(
            "FirebaseAPI",
            [
                "ServerKit", "TokenVerifier", "Accounts", "AccountModel", "AuthTypes", "JOSE", "Mail", "Passwords",
                .hummingbird, .httpTypes, .crypto, .cryptoExtras, .x509, .asn1,
            ]),
        room(
            "OpenIDProvider",
            [
                "ServerKit", "TokenVerifier", "Accounts", "AccountModel", "AuthTypes", "JOSE", .hummingbird, .httpTypes,
                .logging, .crypto,
            ]),
        room(
            "AppAPI",
            [
                "HummingbirdTokenAuth", "TokenVerifier", "ServerKit", "Accounts", "AccountModel", "AuthTypes", "JOSE",
                "Mail", .hummingbird, .httpTypes, .logging, .coreMetrics, .crypto,
            ]),
        room(
            "AccountPages",
            ["ServerKit", "Accounts", "AccountModel", "AuthTypes", .hummingbird, .httpTypes, .mustache, .crypto]),
        room(
            "DevelopmentIdentityProvider",
            ["ServerKit", "AccountModel", "AuthTypes", "JOSE", .hummingbird, .httpTypes, .crypto]),
        .executableTarget(
            name: "latchkey",
            dependencies: [
                "SupabaseAPI", "CognitoAPI", "FirebaseAPI", "OpenIDProvider", "AppAPI", "AccountPages", "TokenVerifier",
                "DevelopmentIdentityProvider", "IdentityProviders", "MessageGateways", "ServerKit",
                "AccountStoreSQLite", "AccountStorePostgres", "AccountStore", "Accounts", "AccountModel", "AuthTypes",
                "JOSE", "Passwords", "Mail", .hummingbird, .hummingbirdCore, .yams, .systemPackage, .httpTypes,
                .logging, .metrics, .coreMetrics, .lifecycle, .unixSignals, .arguments, .configuration, .crypto,
                .httpClient, .nioHTTP,
            ],
            swiftSettings: strict),

        // What an app signs its users in with: nothing of the server. The session and its walls first, then what keeps
        // it on a device, the vendors' protocols, of which none sees another, and what an app imports.
        room("ClientSession", ["AuthTypes", .curl, .crypto]),
        room("ClientStorage", ["ClientSession", "AuthTypes", "CSQLite", .crypto]),
        room("CognitoClient", ["ClientSession", "AuthTypes", .crypto]),
        room("SupabaseClient", ["ClientSession", "AuthTypes", .crypto]),
        room("FirebaseClient", ["ClientSession", "AuthTypes", .crypto]),
        room("OpenIDClient", ["ClientSession", "AuthTypes", .crypto]),
        room(
            "LatchkeyClient",
            [
                "ClientStorage", "CognitoClient", "SupabaseClient", "FirebaseClient", "OpenIDClient", "ClientSession",
                "AuthTypes", .crypto,
            ]),

        // What `make bench` measures in its own process.
        .executableTarget(
            name: "latchkey-bench",
            dependencies: [
                "AccountStoreSQLite", "AccountStore", "Accounts", "AccountModel", "AuthTypes", "CArgon2",
                "CArgon2Kernel", "JOSE", "Mail", "Passwords", "RSA", .arguments, .crypto, .cryptoExtras,
            ],
            path: "Benchmarks", exclude: ["bench", "load", "wrk", "slow-flush.c", "tokens", "client", "peers"],
            swiftSettings: strict),

        // How every suite waits for what happens beside it; and what several need to run the programs they talk to.
        .target(
            name: "TestSupport", dependencies: ["AuthTypes", .subprocess], path: "Tests/TestSupport",
            swiftSettings: strict),
        // What suites of flows begin with: a Directory in a store of its own. And those of dialects: a router around
        // one.
        .target(
            name: "TestBench",
            dependencies: [
                "AccountStoreSQLite", "Accounts", "AccountModel", "AuthTypes", "Mail", "Passwords", .crypto,
            ],
            path: "Tests/TestBench", swiftSettings: strict),
        .target(
            name: "TestBenchHTTP",
            dependencies: ["TestBench", "ServerKit", "AuthTypes", .hummingbird, .hummingbirdTesting, .httpTypes],
            path: "Tests/TestBenchHTTP", swiftSettings: strict),
        // Gives every reader of texts from outside the texts that could cost it most; `scripts/text-cost` counts.
        .executableTarget(
            name: "latchkey-text-cost",
            dependencies: [
                "SupabaseAPI", "CognitoAPI", "FirebaseAPI", "OpenIDProvider", "AccountPages", "IdentityProviders",
                "ServerKit", "Accounts", "AccountModel", "Factors", "Mail", "Passwords", "JOSE", "TokenVerifier",
                "AuthTypes", "CInstructionCount", .httpTypes, .logging,
            ],
            path: "Tests/TextCost", swiftSettings: strict),
        // What valgrind has counted, for that program.
        .target(name: "CInstructionCount", path: "Tests/CInstructionCount"),
        // The terminal app of Examples/yoga, which has a package of its own, for the suite that walks it.
        .executableTarget(
            name: "latchkey-yoga", dependencies: ["LatchkeyClient", .arguments], path: "Examples/yoga/Sources/yoga",
            swiftSettings: strict),
        // What suites of the app's library share: scripted services, a clock that is set, a server that runs.
        .target(
            name: "ClientTestSupport",
            dependencies: ["ClientStorage", "ClientSession", "AuthTypes", "TestSupport", .subprocess, .systemPackage],
            path: "Tests/ClientTestSupport", swiftSettings: strict),
        tests(
            "ClientSessionTests", ["ClientSession", "ClientStorage", "AuthTypes", "ClientTestSupport", "TestSupport"]),
        tests(
            "ClientStorageTests",
            ["ClientStorage", "ClientSession", "AuthTypes", "ClientTestSupport", "TestSupport", .subprocess]),
        tests(
            "CognitoClientTests",
            [
                "CognitoClient", "ClientStorage", "ClientSession", "AuthTypes", "JOSE", "ClientTestSupport",
                "TestSupport", .bigInt, .subprocess, .systemPackage,
            ]),
        tests(
            "SupabaseClientTests",
            [
                "SupabaseClient", "ClientStorage", "ClientSession", "AuthTypes", "JOSE", "ClientTestSupport",
                "TestSupport", .crypto,
            ]),
        tests(
            "FirebaseClientTests",
            ["FirebaseClient", "ClientStorage", "ClientSession", "AuthTypes", "JOSE", "ClientTestSupport", .crypto]),
        tests(
            "OpenIDClientTests",
            [
                "OpenIDClient", "ClientStorage", "ClientSession", "AuthTypes", "JOSE", "ClientTestSupport",
                "TestSupport", .crypto,
            ]),
        tests(
            "LatchkeyClientTests",
            [
                "LatchkeyClient", "ClientSession", "AuthTypes", "JOSE", "ClientTestSupport", "TestSupport",
                "latchkey-yoga", .subprocess, .systemPackage,
            ]),
        tests("AuthTypesTests", ["AuthTypes"], exclude: ["Vectors"]),
        tests("JOSETests", ["JOSE", "AuthTypes", .crypto, .cryptoExtras], exclude: ["Vectors", "Corpus"]),
        tests(
            "TokenInteropTests", ["JOSE", "AuthTypes", .subprocess, .systemPackage], exclude: ["Clients"]),
        tests(
            "TokenVerifierTests",
            ["TokenVerifier", "JOSE", "AuthTypes", "TestSupport", .crypto, .logging, .lifecycle],
            exclude: ["Support"]),
        tests(
            "IdentityProvidersTests",
            [
                "IdentityProviders", "AccountModel", "TokenVerifier", "JOSE", "AuthTypes", "TestSupport", .crypto,
                .logging,
            ],
            exclude: ["Support"]),
        tests(
            "MessageGatewaysTests", ["MessageGateways", "Mail", "AuthTypes", "TestSupport"], exclude: ["Support"]),
        tests("PasswordsTests", ["Passwords", "CArgon2Kernel", "AuthTypes"], exclude: ["Vectors"]),
        tests(
            "FactorsTests",
            ["Factors", "JOSE", "AuthTypes", .crypto, .cryptoExtras, .asn1, .x509, .subprocess, .systemPackage],
            exclude: ["Support", "WebAuthn/Vectors", "WebAuthn/Corpus"]),
        tests("RSATests", ["RSA", "JOSE", "AuthTypes", .crypto, .cryptoExtras]),
        tests("SRPTests", ["SRP", "AuthTypes", .crypto], exclude: ["Vectors"]),
        tests("MailTests", ["Mail", "AuthTypes", "TestSupport"], exclude: ["Vectors", "Support"]),
        tests(
            "AccountsTests",
            [
                "Accounts", "AccountModel", "AccountStoreSQLite", "AccountStore", "AuthTypes", "TestBench",
                "TestSupport", "JOSE", "Passwords", "Mail", "SRP", "Factors", .logging,
            ],
            exclude: ["Vectors"]),
        tests(
            "AccountStorePostgresTests",
            [
                "AccountStorePostgres", "AccountStoreSQLite", "AccountStore", "AccountStoreConformance", "AccountModel",
                "Accounts", "AuthTypes", "JOSE", "Mail", "Passwords", "TestBench", "TestSupport", .crypto, .logging,
            ],
            exclude: ["Support/Gotrue", "Support/pgbouncer.py", "Support/postgres_server.py"]),
        tests(
            "AccountStoreTests",
            [
                "AccountStoreSQLite", "AccountStore", "AccountStoreConformance", "AccountModel", "AuthTypes",
                "Passwords", "TestSupport", .grdb,
            ]),
        tests(
            "ServerKitTests",
            [
                "ServerKit", "Accounts", "AccountModel", "AuthTypes", "TestSupport", .hummingbird, .hummingbirdCore,
                .hummingbirdTesting, .httpTypes, .nioCore, .nioEmbedded, .nioHTTP, .nioPosix, .logging, .coreMetrics,
            ]),
        tests(
            "HummingbirdTokenAuthTests",
            [
                "HummingbirdTokenAuth", "TokenVerifier", "JOSE", "AuthTypes", .hummingbird, .hummingbirdCore,
                .hummingbirdTesting, .httpTypes, .nioCore, .logging, .coreMetrics, .metricsTestKit, .crypto,
            ]),
        tests(
            "SupabaseAPITests",
            [
                "SupabaseAPI", "Factors", "Passwords", "ServerKit", "Accounts", "AccountModel", "AuthTypes", "JOSE",
                "TestBench", "TestBenchHTTP", .hummingbird, .hummingbirdCore, .httpTypes,
            ]),
        tests(
            "CognitoAPITests",
            [
                "CognitoAPI", "ServerKit", "AccountStore", "Accounts", "AccountModel", "AuthTypes", "TestBench",
                "TestBenchHTTP", "JOSE", "TokenVerifier", "SRP", "Mail", "Passwords", "Factors", .hummingbird,
                .hummingbirdCore, .hummingbirdTesting, .httpTypes, .nioCore, .crypto,
            ], exclude: ["Vectors"]),
        tests(
            "FirebaseAPITests",
            [
                "FirebaseAPI", "ServerKit", "AccountStore", "Accounts", "AccountModel", "Factors", "AuthTypes",
                "TestBench", "TestBenchHTTP", "JOSE", "TokenVerifier", "Mail", "Passwords", .hummingbird,
                .hummingbirdCore, .hummingbirdTesting, .httpTypes, .nioCore, .crypto, .x509, .asn1,
            ]),
        tests(
            "OpenIDProviderTests",
            [
                "OpenIDProvider", "AppAPI", "ServerKit", "Accounts", "AccountModel", "AuthTypes", "Factors", "JOSE",
                "TestBench", "TestBenchHTTP", "TokenVerifier", .hummingbird, .hummingbirdTesting, .httpTypes, .crypto,
                .logging,
            ]),
        tests(
            "AppAPITests",
            [
                "AppAPI", "HummingbirdTokenAuth", "TokenVerifier", "ServerKit", "AccountStore", "Accounts",
                "AccountModel", "AuthTypes", "TestBench", "TestBenchHTTP", "JOSE", "Mail", "Passwords", .httpTypes,
                .hummingbird, .hummingbirdCore, .hummingbirdTesting, .nioCore, .logging,
            ]),
        tests(
            "AccountPagesTests",
            [
                "AccountPages", "ServerKit", "Accounts", "AccountModel", "Factors", "AuthTypes", "TestBench",
                "TestBenchHTTP", .hummingbird, .hummingbirdTesting, .httpTypes,
            ]),
        tests(
            "DevelopmentIdentityProviderTests",
            [
                "DevelopmentIdentityProvider", "ServerKit", "AccountModel", "AuthTypes", "JOSE", "TestBench",
                "TestBenchHTTP", .hummingbird, .httpTypes, .crypto,
            ]),
        tests(
            "DialectTests",
            [
                "SupabaseAPI", "CognitoAPI", "FirebaseAPI", "OpenIDProvider", "AppAPI", "ServerKit", "Accounts",
                "AccountModel", "AuthTypes", "JOSE", "TestBench", "TestBenchHTTP", .httpTypes,
            ] + ["AccountPages", "Factors", "CognitoClient"]),
        // The executable itself is what is tested: it is built with the tests and run by them.
        tests(
            "LatchkeyTests",
            ["AuthTypes", "JOSE", "TestSupport", "latchkey", "latchkey-text-cost", .subprocess, .systemPackage],
            exclude: ["Clients"]),
    ]
)

#if !canImport(Darwin)
    // The views of Examples/yoga-app, for a compiler to read where there is no SwiftUI: one that says nothing stands in
    // for it.
    package.targets += [
        .target(name: "SwiftUI", path: "Tests/SwiftUIStandIn", swiftSettings: strict),
        .target(
            name: "latchkey-yoga-app", dependencies: ["LatchkeyClient", "SwiftUI"],
            path: "Examples/yoga-app/Sources/YogaApp", swiftSettings: strict),
    ]
#endif
