# SPDX-License-Identifier: Apache-2.0
"""A second factor's life through boto3 and pycognito, clients nobody here wrote, over a real socket: an authenticator app (pyotp),
codes by mail and text message, the choice among them, and set-up in a sign-in that demands it. The same factors through
supabase-auth, both ways."""

import concurrent.futures
import json
import secrets
import time

import boto3
import httpx
import pyotp
from botocore import UNSIGNED
from botocore.config import Config
from botocore.exceptions import ClientError
from pycognito import Cognito
from pycognito.exceptions import SoftwareTokenMFAChallengeException
from supabase_auth import SyncGoTrueClient

from support import BASE, PASSWORD, fresh_address, mail, settings, steps

config = settings()
REGION = config["cognito"]["region"]
PASSWORD = PASSWORD + "!"
PHONE = "+49151" + str(secrets.randbelow(90_000_000) + 10_000_000)
options = {"endpoint_url": BASE, "region_name": REGION}
operator = boto3.client("cognito-idp", aws_access_key_id="dev", aws_secret_access_key="dev",
                        config=Config(retries={"max_attempts": 0}), **options)
# An app has no keys.
app = boto3.client("cognito-idp", config=Config(signature_version=UNSIGNED, retries={"max_attempts": 0}), **options)
state = {}


class Authenticator:
    """An app that shows each time step's code once, as the server takes it: it looks ahead one step, and waits after that."""

    def __init__(self, secret):
        self.codes, self.last = pyotp.TOTP(secret), 0

    def code(self):
        self.last = max(self.last + 1, int(time.time()) // 30 - 1)
        while self.last > int(time.time()) // 30 + 1:
            time.sleep(0.2)
        return self.codes.at(self.last * 30)

    def wrong(self):
        near = {self.codes.at(int(time.time()) + 30 * step) for step in range(-3, 4)}
        return next(code for code in ("000000", "111111", "222222", "333333", "444444", "555555", "666666", "777777")
                    if code not in near)


def refused(call, code, message=None):
    try:
        call()
    except ClientError as error:
        said = error.response["Error"]
        assert said["Code"] == code, said
        assert message is None or said["Message"] == message, said
        assert type(error).__name__ == code, type(error)
        return
    raise AssertionError(f"accepted; expected {code}")


def made(pool, name, *attributes):
    operator.admin_create_user(
        UserPoolId=pool, Username=name, MessageAction="SUPPRESS",
        UserAttributes=[{"Name": key, "Value": value} for key, value in attributes])
    operator.admin_set_user_password(UserPoolId=pool, Username=name, Password=PASSWORD, Permanent=True)


def sign_in(name, client=None):
    return app.initiate_auth(
        ClientId=client or state["client"], AuthFlow="USER_PASSWORD_AUTH",
        AuthParameters={"USERNAME": name, "PASSWORD": PASSWORD})


def respond(asked, name, client=None, session=None, **responses):
    return app.respond_to_auth_challenge(
        ClientId=client or state["client"], ChallengeName=asked["ChallengeName"],
        Session=session or asked["Session"], ChallengeResponses={"USERNAME": name, **responses})


def supabase(email):
    client = SyncGoTrueClient(
        url=BASE + "/auth/v1", headers={"apikey": config["supabase"]["anonKey"]}, auto_refresh_token=False,
        http_client=httpx.Client(timeout=60))
    client.sign_in_with_password({"email": email, "password": PASSWORD})
    return client


def pool_of_ones_own_has_second_factors():
    pool = operator.create_user_pool(PoolName="Factors " + secrets.token_hex(4), AliasAttributes=["email"])["UserPool"]
    assert pool["MfaConfiguration"] == "OFF", pool
    state["pool"] = pool["Id"]
    state["client"] = operator.create_user_pool_client(
        UserPoolId=pool["Id"], ClientName="walk",
        ExplicitAuthFlows=["ALLOW_USER_PASSWORD_AUTH", "ALLOW_USER_SRP_AUTH", "ALLOW_REFRESH_TOKEN_AUTH"],
    )["UserPoolClient"]["ClientId"]
    kinds = {"SoftwareTokenMfaConfiguration": {"Enabled": True}, "EmailMfaConfiguration": {}, "SmsMfaConfiguration": {}}
    answer = operator.set_user_pool_mfa_config(UserPoolId=pool["Id"], MfaConfiguration="OPTIONAL", **kinds)
    assert answer["MfaConfiguration"] == "OPTIONAL" and kinds.keys() <= answer.keys(), answer
    assert operator.get_user_pool_mfa_config(UserPoolId=pool["Id"])["SoftwareTokenMfaConfiguration"] == {"Enabled": True}


def an_app_is_set_up_and_asked_for():
    made(state["pool"], "ada", ("email", fresh_address("ada")), ("email_verified", "true"))
    token = sign_in("ada")["AuthenticationResult"]["AccessToken"]
    state["app"] = Authenticator(app.associate_software_token(AccessToken=token)["SecretCode"])
    refused(lambda: app.verify_software_token(AccessToken=token, UserCode=state["app"].wrong()),
            "EnableSoftwareTokenMFAException", "Code mismatch")
    done = app.verify_software_token(
        AccessToken=token, UserCode=state["app"].code(), FriendlyDeviceName="Ada's phone")
    assert done["Status"] == "SUCCESS", done
    app.set_user_mfa_preference(AccessToken=token, SoftwareTokenMfaSettings={"Enabled": True, "PreferredMfa": True})
    user = app.get_user(AccessToken=token)
    assert user["UserMFASettingList"] == ["SOFTWARE_TOKEN_MFA"], user
    assert user["PreferredMfaSetting"] == "SOFTWARE_TOKEN_MFA", user
    asked = sign_in("ada")
    assert asked["ChallengeName"] == "SOFTWARE_TOKEN_MFA" and "AuthenticationResult" not in asked, asked
    assert asked["ChallengeParameters"]["FRIENDLY_DEVICE_NAME"] == "Ada's phone", asked
    refused(lambda: respond(asked, "ada", SOFTWARE_TOKEN_MFA_CODE=state["app"].wrong()), "CodeMismatchException")
    code = state["app"].code()
    assert respond(asked, "ada", SOFTWARE_TOKEN_MFA_CODE=code)["AuthenticationResult"]["RefreshToken"]
    refused(lambda: respond(asked, "ada", SOFTWARE_TOKEN_MFA_CODE=code), "NotAuthorizedException",
            "Invalid session for the user, session can only be used once.")
    refused(lambda: respond(sign_in("ada"), "ada", SOFTWARE_TOKEN_MFA_CODE=code), "ExpiredCodeException",
            "Your software token has already been used once.")


def pycognito_signs_in_by_srp_and_the_app():
    user = Cognito(state["pool"], state["client"], user_pool_region=REGION, username="ada", access_key="dev",
                   secret_key="dev", boto3_client_kwargs={"endpoint_url": BASE})
    try:
        user.authenticate(PASSWORD)
    except SoftwareTokenMFAChallengeException as challenge:
        user.respond_to_software_token_mfa_challenge(state["app"].code(), challenge.get_tokens())
    assert user.access_token and user.id_claims["cognito:username"] == "ada", user
    state["token"] = user.access_token


def a_code_is_good_once_also_in_a_race():
    asked = [sign_in("ada") for _ in range(8)]
    code = state["app"].code()

    def attempt(session):
        try:
            respond(session, "ada", SOFTWARE_TOKEN_MFA_CODE=code)
            return "in"
        except ClientError as error:
            return error.response["Error"]["Code"]

    with concurrent.futures.ThreadPoolExecutor(8) as threads:
        outcomes = list(threads.map(attempt, asked))
    assert outcomes.count("in") == 1 and set(outcomes) <= {"in", "ExpiredCodeException"}, outcomes


def codes_are_sent_and_chosen():
    operator.admin_update_user_attributes(
        UserPoolId=state["pool"], Username="ada",
        UserAttributes=[{"Name": "phone_number", "Value": PHONE}, {"Name": "phone_number_verified", "Value": "true"}])
    app.set_user_mfa_preference(
        AccessToken=state["token"], SoftwareTokenMfaSettings={"Enabled": True}, SMSMfaSettings={"Enabled": True},
        EmailMfaSettings={"Enabled": True})
    asked = sign_in("ada")
    assert asked["ChallengeName"] == "SELECT_MFA_TYPE", asked
    choices = json.loads(asked["ChallengeParameters"]["MFAS_CAN_CHOOSE"])
    assert choices == ["SOFTWARE_TOKEN_MFA", "SMS_MFA", "EMAIL_OTP"], choices
    email = {a["Name"]: a["Value"] for a in app.get_user(AccessToken=state["token"])["UserAttributes"]}["email"]
    for choice, recipient, medium in (("SMS_MFA", PHONE, "SMS"), ("EMAIL_OTP", email, "EMAIL")):
        sent = respond(sign_in("ada"), "ada", ANSWER=choice)
        assert sent["ChallengeName"] == choice, sent
        assert sent["ChallengeParameters"]["CODE_DELIVERY_DELIVERY_MEDIUM"] == medium, sent
        assert "***" in sent["ChallengeParameters"]["CODE_DELIVERY_DESTINATION"], sent
        code = mail(recipient, "factor_code")["code"]
        result = respond(sent, "ada", **{choice + "_CODE": code})["AuthenticationResult"]
        assert result["AccessToken"], result
    chosen = respond(sign_in("ada"), "ada", ANSWER="SOFTWARE_TOKEN_MFA")
    assert respond(chosen, "ada", SOFTWARE_TOKEN_MFA_CODE=state["app"].code())["AuthenticationResult"]


def three_wrong_codes_lock():
    for _ in range(3):
        asked = respond(sign_in("ada"), "ada", ANSWER="SOFTWARE_TOKEN_MFA")
        refused(lambda: respond(asked, "ada", SOFTWARE_TOKEN_MFA_CODE=state["app"].wrong()), "CodeMismatchException")
    asked = respond(sign_in("ada"), "ada", ANSWER="SOFTWARE_TOKEN_MFA")
    refused(lambda: respond(asked, "ada", SOFTWARE_TOKEN_MFA_CODE=state["app"].code()), "NotAuthorizedException",
            "Password attempts exceeded")
    operator.admin_set_user_mfa_preference(
        UserPoolId=state["pool"], Username="ada", SoftwareTokenMfaSettings={"Enabled": False},
        SMSMfaSettings={"Enabled": False}, EmailMfaSettings={"Enabled": False})
    assert sign_in("ada")["AuthenticationResult"]


def a_pool_that_demands_one_has_it_set_up_in_the_sign_in():
    operator.set_user_pool_mfa_config(
        UserPoolId=state["pool"], MfaConfiguration="ON", SoftwareTokenMfaConfiguration={"Enabled": True})
    made(state["pool"], "bob", ("email", fresh_address("bob")))
    asked = sign_in("bob")
    assert asked["ChallengeName"] == "MFA_SETUP", asked
    assert json.loads(asked["ChallengeParameters"]["MFAS_CAN_SETUP"]) == ["SOFTWARE_TOKEN_MFA"], asked
    given = app.associate_software_token(Session=asked["Session"])
    device = Authenticator(given["SecretCode"])
    verified = app.verify_software_token(Session=given["Session"], UserCode=device.code())
    assert verified["Status"] == "SUCCESS", verified
    assert respond(asked, "bob", session=verified["Session"])["AuthenticationResult"]["AccessToken"]
    asked = sign_in("bob")
    assert asked["ChallengeName"] == "SOFTWARE_TOKEN_MFA", asked
    assert respond(asked, "bob", SOFTWARE_TOKEN_MFA_CODE=device.code())["AuthenticationResult"]


def what_one_dialect_sets_up_the_other_asks_for():
    pool, client = config["cognito"]["userPoolId"], config["cognito"]["clientId"]
    one, other = fresh_address("one"), fresh_address("other")
    for email in (one, other):
        made(pool, email, ("email", email), ("email_verified", "true"))
    token = sign_in(one, client)["AuthenticationResult"]["AccessToken"]
    device = Authenticator(app.associate_software_token(AccessToken=token)["SecretCode"])
    app.verify_software_token(AccessToken=token, UserCode=device.code())
    user = supabase(one)
    level = user.mfa.get_authenticator_assurance_level()
    assert (level.current_level, level.next_level) == ("aal1", "aal2"), level
    factor = user.mfa.list_factors().totp[0].id
    challenge = user.mfa.challenge({"factor_id": factor})
    user.mfa.verify({"factor_id": factor, "challenge_id": challenge.id, "code": device.code()})
    assert user.mfa.get_authenticator_assurance_level().current_level == "aal2"

    user = supabase(other)
    enrolled = user.mfa.enroll({"factor_type": "totp", "friendly_name": "Other's phone"})
    device = Authenticator(enrolled.totp.secret)
    challenge = user.mfa.challenge({"factor_id": enrolled.id})
    user.mfa.verify({"factor_id": enrolled.id, "challenge_id": challenge.id, "code": device.code()})
    asked = sign_in(other, client)
    assert asked["ChallengeName"] == "SOFTWARE_TOKEN_MFA", asked
    assert asked["ChallengeParameters"]["FRIENDLY_DEVICE_NAME"] == "Other's phone", asked
    done = respond(asked, other, client, SOFTWARE_TOKEN_MFA_CODE=device.code())
    assert done["AuthenticationResult"]["AccessToken"], done


steps(
    pool_of_ones_own_has_second_factors,
    an_app_is_set_up_and_asked_for,
    pycognito_signs_in_by_srp_and_the_app,
    a_code_is_good_once_also_in_a_race,
    codes_are_sent_and_chosen,
    three_wrong_codes_lock,
    a_pool_that_demands_one_has_it_set_up_in_the_sign_in,
    what_one_dialect_sets_up_the_other_asks_for,
)
