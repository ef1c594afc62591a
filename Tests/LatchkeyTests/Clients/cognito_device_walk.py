# SPDX-License-Identifier: Apache-2.0
"""Remembered devices and passkeys of a pool, over a real socket: boto3, whose devices prove themselves by pycognito's own SRP, an
authenticator app of pyotp, and an authenticator made of Yubico's fido2. Nobody here wrote any of them."""

import concurrent.futures
import json
import secrets
import time

import boto3
import pycognito
import pyotp
from botocore import UNSIGNED
from botocore.config import Config
from botocore.exceptions import ClientError
from pycognito.aws_srp import AWSSRP, generate_hash_device

from authenticator import Authenticator
from support import BASE, PASSWORD, fresh_address, settings, steps

config = settings()
REGION = config["cognito"]["region"]
ORIGIN = "http://localhost:3000"
PASSWORD = PASSWORD + "!"
options = {"endpoint_url": BASE, "region_name": REGION}
operator = boto3.client("cognito-idp", aws_access_key_id="dev", aws_secret_access_key="dev",
                        config=Config(retries={"max_attempts": 0}), **options)
app = boto3.client("cognito-idp", config=Config(signature_version=UNSIGNED, retries={"max_attempts": 0}), **options)
state = {"passkey": Authenticator(ORIGIN)}


def refused(call, code, message=None):
    try:
        call()
    except ClientError as error:
        said = error.response["Error"]
        assert said["Code"] == code and message in (None, said["Message"]), said
        assert type(error).__name__ == code, type(error)
        return
    raise AssertionError(f"accepted; expected {code}")


def code():
    """Of the app, each step's once."""
    state["step"] = max(state.get("step", 0) + 1, int(time.time()) // 30)
    while state["step"] > int(time.time()) // 30 + 1:
        time.sleep(0.2)
    return pyotp.TOTP(state["app"]).at(state["step"] * 30)


def srp(device=None, client=app):
    known = dict(zip(("device_key", "device_group_key", "device_password"), device)) if device else {}
    return AWSSRP(username="ada", password=PASSWORD, pool_id=state["pool"], client_id=state["client"], client=client, **known)


def confirmed(result, name):
    """A device of a sign-in, by pycognito's own secret: its key, its group and the secret."""
    given = result["NewDeviceMetadata"]
    secret, verifier = generate_hash_device(given["DeviceGroupKey"], given["DeviceKey"])
    answer = app.confirm_device(AccessToken=result["AccessToken"], DeviceKey=given["DeviceKey"],
                                DeviceSecretVerifierConfig=verifier, DeviceName=name)
    assert answer["UserConfirmationNecessary"] is False, answer
    return given["DeviceKey"], given["DeviceGroupKey"], secret


def a_pool_tracks_devices():
    configuration = {"ChallengeRequiredOnNewDevice": True, "DeviceOnlyRememberedOnUserPrompt": False}
    pool = operator.create_user_pool(
        PoolName="Devices " + secrets.token_hex(4), AliasAttributes=["email"], DeviceConfiguration=configuration,
        Policies={"SignInPolicy": {"AllowedFirstAuthFactors": ["PASSWORD", "WEB_AUTHN"]}})["UserPool"]
    assert pool["DeviceConfiguration"] == configuration, pool
    state["pool"] = pool["Id"]
    state["client"] = operator.create_user_pool_client(
        UserPoolId=pool["Id"], ClientName="walk",
        ExplicitAuthFlows=["ALLOW_USER_PASSWORD_AUTH", "ALLOW_USER_SRP_AUTH", "ALLOW_USER_AUTH", "ALLOW_REFRESH_TOKEN_AUTH"],
    )["UserPoolClient"]["ClientId"]
    domain = {"RelyingPartyId": "localhost", "UserVerification": "preferred"}
    shown = operator.set_user_pool_mfa_config(
        UserPoolId=pool["Id"], MfaConfiguration="OPTIONAL", SoftwareTokenMfaConfiguration={"Enabled": True},
        WebAuthnConfiguration=domain)
    assert domain.items() <= shown["WebAuthnConfiguration"].items(), shown
    operator.admin_create_user(
        UserPoolId=pool["Id"], Username="ada", MessageAction="SUPPRESS",
        UserAttributes=[{"Name": "email", "Value": fresh_address("ada")}, {"Name": "email_verified", "Value": "true"}])
    operator.admin_set_user_password(UserPoolId=pool["Id"], Username="ada", Password=PASSWORD, Permanent=True)


def a_device_of_before_the_factor_does_not_spare_it():
    result = srp().authenticate_user()["AuthenticationResult"]
    early = confirmed(result, "Somebody's laptop")
    token = srp(early).authenticate_user()["AuthenticationResult"]["AccessToken"]
    state["app"] = app.associate_software_token(AccessToken=token)["SecretCode"]
    assert app.verify_software_token(AccessToken=token, UserCode=code())["Status"] == "SUCCESS"
    assert begun(early)["ChallengeName"] == "SOFTWARE_TOKEN_MFA"


def begun(device=None):
    """What a sign-in by SRP is answered by: a challenge for a code is an exception of that client's."""
    try:
        return (srp(device) if device else srp()).authenticate_user()
    except pycognito.exceptions.SoftwareTokenMFAChallengeException as exception:
        return exception.get_tokens()


def one_that_was_confirmed_with_it_does():
    asked = begun()
    assert asked["ChallengeName"] == "SOFTWARE_TOKEN_MFA", asked
    result = app.respond_to_auth_challenge(
        ClientId=state["client"], ChallengeName=asked["ChallengeName"], Session=asked["Session"],
        ChallengeResponses={"USERNAME": "ada", "SOFTWARE_TOKEN_MFA_CODE": code()})["AuthenticationResult"]
    state["device"] = confirmed(result, "Ada's laptop")
    state["session"] = srp(state["device"]).authenticate_user()["AuthenticationResult"]
    assert "NewDeviceMetadata" not in state["session"], state["session"]
    key, group, _ = state["device"]
    refused(lambda: srp((key, group, "a guess")).authenticate_user(), "NotAuthorizedException")
    listed = app.list_devices(AccessToken=state["session"]["AccessToken"])["Devices"]
    assert len(listed) == 2, listed
    found = operator.admin_get_device(UserPoolId=state["pool"], Username="ada", DeviceKey=key)["Device"]
    assert found in listed, (found, listed)
    attributes = {each["Name"]: each["Value"] for each in found["DeviceAttributes"]}
    assert attributes["device_name"] == "Ada's laptop", attributes
    assert attributes["dev:device_remembered_status"] == "remembered", attributes


def its_session_is_renewed_on_it_alone():
    def refresh(**device):
        return app.initiate_auth(
            ClientId=state["client"], AuthFlow="REFRESH_TOKEN_AUTH",
            AuthParameters={"REFRESH_TOKEN": state["session"]["RefreshToken"], **device})["AuthenticationResult"]

    refused(refresh, "NotAuthorizedException", "Invalid Refresh Token")
    assert refresh(DEVICE_KEY=state["device"][0])["AccessToken"]
    assert app.get_tokens_from_refresh_token(
        ClientId=state["client"], RefreshToken=state["session"]["RefreshToken"], DeviceKey=state["device"][0],
    )["AuthenticationResult"]["AccessToken"]


def an_answer_opens_one_session():
    answers = []

    class Listening:
        """Keeps the device's answer to itself."""
        initiate_auth = staticmethod(app.initiate_auth)

        @staticmethod
        def respond_to_auth_challenge(**call):
            if call["ChallengeName"] == "DEVICE_PASSWORD_VERIFIER":
                answers.append(call)
                return {}
            return app.respond_to_auth_challenge(**call)

    srp(state["device"], Listening).authenticate_user()

    def attempt(_):
        try:
            return app.respond_to_auth_challenge(**answers[0])["AuthenticationResult"]["TokenType"]
        except ClientError as error:
            return error.response["Error"]["Code"]

    with concurrent.futures.ThreadPoolExecutor(8) as threads:
        outcomes = sorted(threads.map(attempt, range(8)))
    assert outcomes == ["Bearer"] + ["NotAuthorizedException"] * 7, outcomes


def a_device_that_is_not_remembered_or_forgotten_spares_nothing():
    key = state["device"][0]
    token = state["session"]["AccessToken"]
    app.update_device_status(AccessToken=token, DeviceKey=key, DeviceRememberedStatus="not_remembered")
    assert begun(state["device"])["ChallengeName"] == "SOFTWARE_TOKEN_MFA"
    app.update_device_status(AccessToken=token, DeviceKey=key, DeviceRememberedStatus="remembered")
    assert srp(state["device"]).authenticate_user()["AuthenticationResult"]
    app.forget_device(AccessToken=token, DeviceKey=key)
    refused(lambda: srp(state["device"]).authenticate_user(), "ResourceNotFoundException", "Device does not exist.")
    refused(lambda: app.get_device(AccessToken=token, DeviceKey=key), "ResourceNotFoundException")
    assert begun()["ChallengeName"] == "SOFTWARE_TOKEN_MFA"


def a_passkey_is_made_and_signs_its_user_in():
    token = state["session"]["AccessToken"]
    made = app.start_web_authn_registration(AccessToken=token)["CredentialCreationOptions"]
    credential = json.loads(json.dumps(state["passkey"].create(made)))
    app.complete_web_authn_registration(AccessToken=token, Credential=credential)
    [listed] = app.list_web_authn_credentials(AccessToken=token)["Credentials"]
    assert listed["RelyingPartyId"] == "localhost", listed
    factors = app.get_user_auth_factors(AccessToken=token)
    assert factors["ConfiguredUserAuthFactors"] == ["PASSWORD", "WEB_AUTHN"], factors
    assert factors["UserMFASettingList"] == ["SOFTWARE_TOKEN_MFA"], factors

    def sign_in(origin=None):
        asked = app.initiate_auth(
            ClientId=state["client"], AuthFlow="USER_AUTH",
            AuthParameters={"USERNAME": "ada", "PREFERRED_CHALLENGE": "WEB_AUTHN"})
        wanted = json.loads(asked["ChallengeParameters"]["CREDENTIAL_REQUEST_OPTIONS"])
        return app.respond_to_auth_challenge(
            ClientId=state["client"], ChallengeName="WEB_AUTHN", Session=asked["Session"],
            ChallengeResponses={
                "USERNAME": "ada", "CREDENTIAL": json.dumps(state["passkey"].get(wanted, origin))})

    assert sign_in()["AuthenticationResult"]["AccessToken"], "without a second factor: it is two"
    refused(lambda: sign_in("https://evil.example"), "NotAuthorizedException")
    app.delete_web_authn_credential(AccessToken=token, CredentialId=listed["CredentialId"])
    assert app.list_web_authn_credentials(AccessToken=token)["Credentials"] == []


steps(
    a_pool_tracks_devices,
    a_device_of_before_the_factor_does_not_spare_it,
    one_that_was_confirmed_with_it_does,
    its_session_is_renewed_on_it_alone,
    an_answer_opens_one_session,
    a_device_that_is_not_remembered_or_forgotten_spares_nothing,
    a_passkey_is_made_and_signs_its_user_in,
)
