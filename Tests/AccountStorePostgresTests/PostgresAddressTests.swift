// SPDX-License-Identifier: Apache-2.0

import AccountStorePostgres
import AuthTypes
import Testing

@Suite("Where a PostgreSQL database is") struct PostgresAddressTests {
    @Test(
        "Of an address everything but user, host, port and database stays unseen",
        arguments: [
            (
                "postgres://ada:hunter2@db.example:6432/accounts?sslmode=verify-full",
                "postgres://ada@db.example:6432/accounts"
            ),
            ("postgresql://db.example", "postgres://db.example/"),
            ("postgres://ada:hunter2@[2001:db8::1]/accounts", "postgres://ada@[2001:db8::1]/accounts"),
            ("postgres:///accounts?host=%2Frun%2Fpg&user=ada&password=hunter2", "postgres://ada@%2Frun%2Fpg/accounts"),
            ("postgres://ada:hunter%402@a:1,b:2/accounts", "postgres://ada@a:1,b:2/accounts"),
            ("postgres://a,b/accounts?port=6432", "postgres://a:6432,b:6432/accounts"),
            ("postgres://h/accounts?sslpassword=hunter2", "postgres://h/accounts"),
        ])
    func described(_ text: String, _ shown: String) throws {
        let address = try PostgresAddress(parsing: text)
        #expect("\(address)" == shown)
        #expect(address.hasPassword == text.contains("hunter"))
        var dumped = ""
        dump(address, to: &dumped)
        #expect(!dumped.contains("hunter"))
    }

    @Test(
        "What is none is refused, and its password, taken for a host or a port, is not repeated",
        arguments: [
            "postgres://ada:hunter2@x@db/accounts", "postgres://ada:hunter2/x@db/accounts",
            "postgres://ada:hunter2?x@db/accounts", "postgres://ada:hunter2", "postgres://db/x?hunter2",
            "postgres://db/x?password=hunter2&unknown=1", "postgres://db:hunter2/x", "postgres:hunter2",
            "hunter2", "", "host=db password=hunter2", "postgres://ada:hun%00ter2@db/x",
        ])
    func refused(_ text: String) {
        let error = #expect(throws: AuthError.self) { try PostgresAddress(parsing: text) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.reason?.isEmpty == false && error?.reason?.contains("hunter") == false)
    }

    @Test(
        "An address by which somebody else could answer is told from one that knows its server, or has no network between",
        arguments: [
            ("postgres://db.example/x", [:], true), ("postgres://db.example/x?sslmode=require", [:], true),
            ("postgres://db.example/x?sslmode=verify-ca", [:], true),
            ("postgres://db.example/x?sslmode=verify-full", [:], false),
            ("postgres://db.example/x?sslrootcert=system", [:], false),
            ("postgres://db.example/x", ["PGSSLMODE": "verify-full"], false),
            ("postgres://db.example/x?sslmode=prefer", ["PGSSLMODE": "verify-full"], true),
            ("postgres:///x", ["PGHOST": "db.example"], true), ("postgres:///x?hostaddr=192.0.2.1", [:], true),
            ("postgres:///x", [:], false), ("postgres:///x?host=%2Frun%2Fpg", [:], false),
            ("postgres://localhost/x", [:], false), ("postgres://127.0.0.1,[::1]/x", [:], false),
            ("postgres://localhost,db.example/x", [:], true), ("postgres:///x?service=accounts", [:], false),
        ] as [(String, [String: String], Bool)])
    func trust(_ text: String, _ environment: [String: String], _ trusts: Bool) throws {
        #expect(try PostgresAddress(parsing: text).trustsTheNetwork(environment) == trusts)
    }

    @Test("Addresses that differ in what is unseen are two")
    func compared() throws {
        let one = try PostgresAddress(parsing: "postgres://ada:hunter1@db/x")
        #expect(try one == PostgresAddress(parsing: "postgresql://ada:hunter1@db/x"))
        #expect(try one != PostgresAddress(parsing: "postgres://ada:hunter2@db/x"))
    }
}
