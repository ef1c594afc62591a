// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStore
import AuthTypes

/// Another server's tables of users in the same database, into which every change of one Directory's users,
/// identities and sessions is written in the transaction that makes it: what an app has hung on those tables goes on
/// as before.
///
/// By triggers on our tables that run when a transaction is committed. By then it has said all it has to say, so that
/// a new user is one new row there, with whatever belongs to it; and where the app's own triggers or keys refuse it,
/// nothing at all is kept. The other server's rows are written from ours and by nobody else.
package struct SchemaMirror: Sendable, Hashable {
    /// The schema that the tables are in.
    package let namespace: String
    package let directoryID: DirectoryID
    /// Whose names the users have there: ``ExternalIdentifiers``.
    package let dialectName: DialectName
    /// The schema of our own tables, as it is written into statements.
    let ours: String

    /// - Parameter namespace: a schema's name; letters, digits, `_`, `-` and blanks.
    /// - Throws: ``AuthErrorCode/invalidRequest``.
    init(namespace: String, directory: DirectoryID, dialect: DialectName, ours: String) throws(AuthError) {
        // It is written into statements, among them such as are texts in others.
        guard namespace.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_ \-]{0,62}/) != nil, namespace != ours else {
            throw AuthError(.invalidRequest, reason: "the schema's name", field: "namespace")
        }
        guard DirectoryID.accepts(directory.rawValue), dialect.rawValue.wholeMatch(of: /[a-z0-9_\-]+/) != nil else {
            throw AuthError(.invalidRequest, reason: "the directory's identifier", field: "directory")
        }
        self.namespace = namespace
        directoryID = directory
        dialectName = dialect
        self.ours = ours
    }

    var theirs: String { "\"\(namespace)\"" }
    var directory: String { "'\(directoryID.rawValue)'" }
    var dialect: String { "'\(dialectName.rawValue)'" }
    /// What only operators write, of the user `u`: the name of a provider stands for one whom that one knows.
    var appMetadata: String {
        """
        CASE WHEN left(u.app_metadata, 1) = '{' THEN u.app_metadata
            ELSE jsonb_build_object('provider', u.app_metadata, 'providers', jsonb_build_array(u.app_metadata))::text END
        """
    }

    /// Which of our tables are mirrored in which of theirs, and what a row is. Factors are no secrets there: a policy
    /// asks whether there is one.
    static let tables = [
        (ours: "users", theirs: "users", what: "user"),
        (ours: "identities", theirs: "identities", what: "identity"),
        (ours: "sessions", theirs: "sessions", what: "session"),
        (ours: "factors", theirs: "mfa_factors", what: "factor"),
    ]

    /// Those of a schema that was renamed may still hang there, by the same names: they are replaced.
    var triggers: [String] {
        Self.tables.flatMap { table, their, what -> [String] in
            // Each row of a user that is changed there is looked at: `mirror_adopt`.
            let guarded = "INSERT OR DELETE OR TRUNCATE" + (table == "users" ? "" : " OR UPDATE")
            return [("insert", "new"), ("update", "new"), ("delete", "old")].map { act, row -> String in
                // An update that raises no version says nothing of the user.
                let changes = (table, act) == ("users", "update") ? " AND new.version <> old.version" : ""
                return """
                    CREATE CONSTRAINT TRIGGER mirror_\(act) AFTER \(act) ON \(ours).\(table)
                    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (\(row).directory_id = \(directory)\(changes))
                    EXECUTE FUNCTION \(ours).mirror_changed_\(what)()
                    """
            } + [
                """
                CREATE OR REPLACE TRIGGER latchkey_guard BEFORE \(guarded) ON \(theirs).\(their)
                FOR EACH STATEMENT EXECUTE FUNCTION \(ours).mirror_guard()
                """
            ]
        } + [
            """
            CREATE OR REPLACE TRIGGER latchkey_adopts AFTER INSERT OR UPDATE ON \(theirs).users
            FOR EACH ROW EXECUTE FUNCTION \(ours).mirror_adopt()
            """
        ]
    }

    /// What is there afterwards is as of this version of the program, but for the rows: ``MirrorFill``.
    var installation: [String] {
        let parts: [[String]] = [
            // Functions name one another.
            ["SET LOCAL check_function_bodies TO off", Self.removal(ours: ours)],
            values, rows, writing, filling, comparison, adoption, wayBack, triggers,
            ["REVOKE ALL ON ALL FUNCTIONS IN SCHEMA \(ours) FROM PUBLIC", handover, word(isFilled: false)],
        ]
        return parts.flatMap(\.self)
    }

    /// Triggers of ours go with their functions, on their tables too.
    static func removal(ours: String) -> String {
        """
        DO $f$
        DECLARE
            found regprocedure;
        BEGIN
            FOR found IN SELECT oid FROM pg_catalog.pg_proc
                WHERE pronamespace = '\(ours)'::regnamespace AND starts_with(proname, 'mirror_')
            LOOP
                EXECUTE format('DROP FUNCTION IF EXISTS %s CASCADE', found);
            END LOOP;
        END
        $f$
        """
    }

    /// What writes runs as whom the tables belong to, as their own server did: so row security does not hide them,
    /// and an app's triggers find the role that they were written for.
    private var handover: String {
        """
        DO $f$
        DECLARE
            owner CONSTANT name := (
                SELECT pg_get_userbyid(relowner) FROM pg_catalog.pg_class WHERE oid = '\(theirs).users'::regclass);
            found regprocedure;
        BEGIN
            IF owner = current_user THEN RETURN; END IF;
            EXECUTE format('GRANT USAGE, CREATE ON SCHEMA \(ours) TO %I', owner);
            EXECUTE format('GRANT SELECT ON \(ours).users, \(ours).identities, \(ours).sessions, \(ours).factors,
                \(ours).user_identifiers, \(ours).erasures, \(ours).directories TO %I', owner);
            EXECUTE format('GRANT UPDATE (app_metadata, user_metadata, banned_until, updated_at, version)
                ON \(ours).users TO %I', owner);
            FOR found IN SELECT oid FROM pg_catalog.pg_proc
                WHERE pronamespace = '\(ours)'::regnamespace AND starts_with(proname, 'mirror_')
            LOOP
                EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO %I', found, current_user);
                EXECUTE format('ALTER FUNCTION %s OWNER TO %I', found, owner);
            END LOOP;
            EXECUTE format('REVOKE CREATE ON SCHEMA \(ours) FROM %I', owner);
        END
        $f$
        """
    }

    /// Raised whenever a statement of the installation changes: a server installs anew what an older one has left.
    static let version: Int64 = 7

    /// The statement that leaves word of what is installed (``InstalledMirror``).
    ///
    /// - Parameter isFilled: whether all of our rows are there.
    func word(isFilled: Bool) -> String {
        let json: JSONObject = [
            "namespace": .string(namespace), "directory": .string(directoryID.rawValue),
            "dialect": .string(dialectName.rawValue), "version": .integer(Self.version), "filled": .bool(isFilled),
        ]
        let text = String(decoding: JSONValue.object(json).serialized(), as: UTF8.self)
        return "COMMENT ON FUNCTION \(ours).mirror_guard() IS '\(text)'"
    }
}
