# SPDX-License-Identifier: Apache-2.0
"""What an operator brings along and sets up through firebase-admin over a real socket: users with the hashes of every
algorithm the SDK knows, and the project's configuration.

usage: firebase_operator_walk.py URL
"""

import base64
import hashlib
import hmac
import json
import os

from support import BASE, fresh_address, steps

os.environ["FIREBASE_AUTH_EMULATOR_HOST"] = BASE.split("://", 1)[1]

import firebase_admin  # noqa: E402
import requests  # noqa: E402
from firebase_admin import auth, tenant_mgt  # noqa: E402
from google.auth import credentials  # noqa: E402

PROJECT = "default"
TOOLKIT = BASE + "/identitytoolkit.googleapis.com"
OWNER = {"Authorization": "Bearer owner"}
PASSWORD, SALT, KEY = b"Old-horse-7-battery", b"NaCl", b"a key of the old system"


class NoCredentials(credentials.Credentials):
    """The SDK presents its own in this mode."""

    def refresh(self, request):
        self.token = "owner"


class Application(firebase_admin.credentials.Base):
    def get_credential(self):
        return NoCredentials()


# The one part of the SDK that does not ask where the emulator is.
tenant_mgt._TenantManagementService.TENANT_MGT_URL = TOOLKIT + "/v2"
firebase_admin.initialize_app(Application(), {"projectId": PROJECT})


def raises(kind, call, *arguments, **keywords):
    try:
        call(*arguments, **keywords)
    except kind as error:
        return error
    raise AssertionError(f"accepted; expected {kind.__name__}")


def sign_in(email, password, status=200, tenant=None):
    answer = requests.post(f"{TOOLKIT}/v1/accounts:signInWithPassword", params={"key": "any"}, timeout=30, json={
        "email": email, "password": password.decode(), "returnSecureToken": True, "tenantId": tenant})
    assert answer.status_code == status, (email, answer.status_code, answer.text)
    return answer.json()


def scrypt(password):
    # The vectors of the vendor's own integration tests and of its published library.
    return base64.b64decode(
        "V358E8LdWJXAO7muq0CufVpEOXaj8aFiC7T/rcaGieN04q/ZPJ08WhJEHGjj9lz/2TT+/86N5VjVoc5DdBhBiw==")


SIGNER_KEY = base64.b64decode(
    "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==")
Hash = auth.UserImportHash
ALGORITHMS = {
    "hmac_sha512": (Hash.hmac_sha512(KEY), lambda p: hmac.new(KEY, p + SALT, "sha512").digest()),
    "hmac_sha256": (Hash.hmac_sha256(KEY), lambda p: hmac.new(KEY, p + SALT, "sha256").digest()),
    "hmac_sha1": (Hash.hmac_sha1(KEY), lambda p: hmac.new(KEY, p + SALT, "sha1").digest()),
    "hmac_md5": (Hash.hmac_md5(KEY), lambda p: hmac.new(KEY, p + SALT, "md5").digest()),
    "md5": (Hash.md5(0), lambda p: hashlib.md5(SALT + p).hexdigest().encode()),
    "sha1": (Hash.sha1(1), lambda p: hashlib.sha1(SALT + p).digest()),
    "sha256": (Hash.sha256(1), lambda p: hashlib.sha256(SALT + p).digest()),
    "sha512": (Hash.sha512(1), lambda p: hashlib.sha512(SALT + p).digest()),
    "pbkdf_sha1": (Hash.pbkdf_sha1(1000), lambda p: hashlib.pbkdf2_hmac("sha1", p, SALT, 1000, 64)),
    "pbkdf2_sha256": (Hash.pbkdf2_sha256(1000), lambda p: hashlib.pbkdf2_hmac("sha256", p, SALT, 1000, 64)),
    "standard_scrypt": (Hash.standard_scrypt(memory_cost=1024, parallelization=16, block_size=8, derived_key_length=64),
                        lambda p: hashlib.scrypt(p, salt=SALT, n=1024, r=8, p=16, dklen=64)),
    "bcrypt": (Hash.bcrypt(), lambda p: b"$2b$05$K1q7sO3vTqkY0s4VQ3uJbuhQzczE.zjH98u0bNB5pxxysz.RjqBlK"),
    "scrypt": (Hash.scrypt(SIGNER_KEY, rounds=8, memory_cost=14, salt_separator=b"\x07"), scrypt),
}


def users_with_every_algorithm_sign_in_with_the_old_password():
    for name, (algorithm, digest) in ALGORITHMS.items():
        password = b"password" if name == "scrypt" else PASSWORD
        email = f"{name}@example.com"
        user = auth.ImportUserRecord(uid="uid-" + name, email=email, email_verified=True, display_name=name,
                                     password_hash=digest(password), password_salt=SALT, custom_claims={"from": name})
        result = auth.import_users([user], hash_alg=algorithm)
        assert result.success_count == 1 and not result.errors, (name, [error.reason for error in result.errors])
        record = auth.get_user("uid-" + name)
        assert record.email == email and record.email_verified and record.custom_claims == {"from": name}, name
        sign_in(email, b"Wrong-horse-7-battery", 400)
        assert sign_in(email, password)["localId"] == "uid-" + name
        # By a hash of ours from now on.
        assert sign_in(email, password)["localId"] == "uid-" + name


def an_import_says_who_was_not_taken():
    email = fresh_address("import")
    users = [auth.ImportUserRecord(uid="row-0", email=email), auth.ImportUserRecord(uid="row-1", email=email),
             auth.ImportUserRecord(uid="row-2", provider_data=[auth.UserProvider("g-2", "google.com")],
                                   user_metadata=auth.UserMetadata(1_500_000_000_000, 1_600_000_000_000)),
             auth.ImportUserRecord(uid="uid-md5")]
    result = auth.import_users(users)
    assert result.success_count == 2 and result.failure_count == 2
    assert [error.index for error in result.errors] == [1, 3], [error.reason for error in result.errors]
    record = auth.get_user("row-2")
    assert record.user_metadata.creation_timestamp == 1_500_000_000_000 and record.provider_data[0].uid == "g-2"


def the_list_has_the_hashes_that_came_along_and_none_of_ours():
    auth.import_users([auth.ImportUserRecord(uid="still", email="still@example.com", password_salt=SALT,
                                             password_hash=scrypt(b"password"))], hash_alg=ALGORITHMS["scrypt"][0])
    listed = {user.uid: user for user in auth.list_users().iterate_all()}
    assert base64.urlsafe_b64decode(listed["still"].password_hash) == scrypt(b"password")
    assert base64.urlsafe_b64decode(listed["still"].password_salt) == SALT
    assert listed["uid-md5"].password_hash == "" and listed["uid-md5"].password_salt == ""
    assert listed["row-2"].password_hash is None


def a_thousand_users_are_one_call():
    users = [auth.ImportUserRecord(uid=f"bulk-{number}", email=f"bulk-{number}@example.com", email_verified=True,
                                   display_name=f"Bulk {number}", password_hash=hashlib.sha256(b"x").digest(),
                                   password_salt=SALT, custom_claims={"plan": "free", "note": "x" * 900})
             for number in range(1000)]
    assert len(json.dumps([user.to_dict() for user in users])) > 1 << 20
    assert auth.import_users(users, hash_alg=Hash.sha256(1)).success_count == 1000
    again = auth.import_users(users, hash_alg=Hash.sha256(1))
    assert again.failure_count == 1000


def a_tenant_is_set_up_and_imported_into():
    tenant = tenant_mgt.create_tenant("Northern", allow_password_sign_up=True, enable_email_link_sign_in=True)
    assert tenant.allow_password_sign_up and tenant.enable_email_link_sign_in
    changed = tenant_mgt.update_tenant(tenant.tenant_id, display_name="Southern", enable_email_link_sign_in=False)
    assert changed.display_name == "Southern" and not changed.enable_email_link_sign_in
    assert tenant_mgt.get_tenant(tenant.tenant_id).allow_password_sign_up
    assert tenant.tenant_id in [each.tenant_id for each in tenant_mgt.list_tenants().iterate_all()]
    client = tenant_mgt.auth_for_tenant(tenant.tenant_id)
    algorithm, digest = ALGORITHMS["sha512"]
    user = auth.ImportUserRecord(uid="in-tenant", email="sha512@example.com", email_verified=True,
                                 password_hash=digest(PASSWORD), password_salt=SALT)
    assert client.import_users([user], hash_alg=algorithm).success_count == 1
    assert sign_in("sha512@example.com", PASSWORD, tenant=tenant.tenant_id)["localId"] == "in-tenant"
    nameless = requests.post(f"{TOOLKIT}/v2/projects/{PROJECT}/tenants", json={}, headers=OWNER, timeout=30)
    assert nameless.status_code == 200 and "displayName" not in nameless.json(), nameless.text
    tenant_mgt.delete_tenant(nameless.json()["name"].split("/")[-1])
    tenant_mgt.delete_tenant(tenant.tenant_id)
    raises(tenant_mgt.TenantNotFoundError, tenant_mgt.get_tenant, tenant.tenant_id)


def the_project_is_configured():
    path = f"{TOOLKIT}/v2/projects/{PROJECT}/config"
    answer = requests.patch(path, params={"updateMask": "signIn.anonymous.enabled"}, headers=OWNER, timeout=30,
                            json={"signIn": {"anonymous": {"enabled": True}}})
    assert answer.status_code == 200 and answer.json()["signIn"]["anonymous"] == {"enabled": True}, answer.text
    anonymous = requests.post(f"{TOOLKIT}/v1/accounts:signUp", params={"key": "any"}, json={}, timeout=30)
    assert anonymous.status_code == 200 and anonymous.json()["idToken"], anonymous.text
    refused = requests.patch(path, headers=OWNER, timeout=30, json={"mfa": {"state": "ENABLED"}})
    assert refused.json()["error"]["message"].startswith("INVALID_CONFIG : mfa.state"), refused.text
    policy = requests.get(f"{TOOLKIT}/v2/passwordPolicy", params={"key": "any"}, timeout=30).json()
    assert policy["schemaVersion"] == 1 and policy["customStrengthOptions"]["minPasswordLength"] >= 6
    assert "localhost" in requests.get(f"{TOOLKIT}/v1/projects", params={"key": "any"}, timeout=30).json()[
        "authorizedDomains"]


def other_providers_are_configured():
    made = auth.create_oidc_provider_config(
        provider_id="oidc.walk", client_id="client", issuer="https://idp.example", display_name="Walk", enabled=True,
        client_secret="hush", code_response_type=True, id_token_response_type=False)
    assert made.provider_id == "oidc.walk" and made.client_secret == "hush" and made.code_response_type
    changed = auth.update_oidc_provider_config("oidc.walk", display_name=auth.DELETE_ATTRIBUTE, client_id="other")
    assert changed.display_name is None and changed.client_id == "other" and changed.client_secret == "hush"
    assert [each.provider_id for each in auth.list_oidc_provider_configs().iterate_all()] == ["oidc.walk"]
    auth.delete_oidc_provider_config("oidc.walk")
    raises(auth.ConfigurationNotFoundError, auth.get_oidc_provider_config, "oidc.walk")
    saml = auth.create_saml_provider_config(
        provider_id="saml.walk", idp_entity_id="idp", sso_url="https://idp.example/sso", x509_certificates=["one", "two"],
        rp_entity_id="us", callback_url="https://app.example/__/auth/handler", display_name="Walk", enabled=False)
    assert saml.x509_certificates == ["one", "two"] and saml.rp_entity_id == "us" and not saml.enabled
    changed = auth.update_saml_provider_config("saml.walk", sso_url="https://idp.example/other", enabled=True)
    assert changed.sso_url == "https://idp.example/other" and changed.idp_entity_id == "idp" and changed.enabled
    assert auth.get_saml_provider_config("saml.walk").callback_url == "https://app.example/__/auth/handler"
    auth.delete_saml_provider_config("saml.walk")
    raises(auth.ConfigurationNotFoundError, auth.delete_saml_provider_config, "saml.walk")


steps(users_with_every_algorithm_sign_in_with_the_old_password, an_import_says_who_was_not_taken,
      the_list_has_the_hashes_that_came_along_and_none_of_ours, a_thousand_users_are_one_call,
      a_tenant_is_set_up_and_imported_into, the_project_is_configured, other_providers_are_configured)
