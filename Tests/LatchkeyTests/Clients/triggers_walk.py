# SPDX-License-Identifier: Apache-2.0
"""Triggers of a pool as programs of the operator's, over real sockets, driven by boto3: users who are brought along, what
follows a confirmation and a sign-in, and challenges that the programs make, with and without a password before them, which
pycognito proves. The programs are functions written as for the service: they are given the event, and return it.

usage: triggers_walk.py LATCHKEY DIRECTORY
"""

import http.client
import http.server
import json
import os
import signal
import subprocess
import sys
import threading

import boto3
from botocore import UNSIGNED
from botocore.config import Config
from botocore.exceptions import ClientError
from pycognito.aws_srp import AWSSRP

LATCHKEY, DIRECTORY = sys.argv[1], sys.argv[2]
PASSWORD = "Correct-horse-7-battery!"
# Who has an account elsewhere.
elsewhere = {"ada": {"email": "ada@example.com", "email_verified": "true", "name": "Ada Lovelace"},
             "grace": {"email": "grace@example.com", "email_verified": "true"}}
events, slow = [], threading.Event()


def migrate(event):
    user = elsewhere.get(event["userName"])
    if event["userName"] == "late":
        slow.wait(120)
    if user is None or event["request"]["password"] not in (PASSWORD, None):
        raise ValueError("Bad password")
    event["response"].update(userAttributes=user, finalUserStatus="CONFIRMED", messageAction="SUPPRESS")


def define(event):
    session = event["request"]["session"]
    last = session[-1] if session else {"challengeName": None}
    if last["challengeName"] == "SRP_A":
        event["response"].update(issueTokens=False, failAuthentication=False, challengeName="PASSWORD_VERIFIER")
    elif last["challengeName"] == "CUSTOM_CHALLENGE" and last["challengeResult"]:
        event["response"].update(issueTokens=True, failAuthentication=False)
    elif len(session) >= 3:
        event["response"].update(issueTokens=False, failAuthentication=True)
    else:
        event["response"].update(issueTokens=False, failAuthentication=False, challengeName="CUSTOM_CHALLENGE")


def create(event):
    event["response"].update(publicChallengeParameters={"question": "The word?"}, challengeMetadata="WORD",
                             privateChallengeParameters={"word": "sesame-4711"})


def verify(event):
    request = event["request"]
    event["response"]["answerCorrect"] = request["privateChallengeParameters"]["word"] == request["challengeAnswer"]


def after(event):
    if event["request"]["userAttributes"].get("nickname") == "unwelcome":
        raise ValueError("Not today")


functions = {"UserMigration": migrate, "DefineAuthChallenge": define, "CreateAuthChallenge": create,
             "VerifyAuthChallengeResponse": verify, "PostConfirmation": after, "PostAuthentication": after}


class Functions(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        event = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        events.append(json.loads(json.dumps(event)))
        status = 200
        try:
            functions[self.path[1:]](event)
        except ValueError as error:
            status, event = 400, {"errorMessage": str(error), "errorType": "ValueError"}
        body = json.dumps(event).encode()
        try:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        except OSError:
            pass

    def log_message(self, *arguments):
        pass


receiver = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Functions)
threading.Thread(target=receiver.serve_forever, daemon=True).start()
secret = subprocess.run([LATCHKEY, "hook", "secret"], capture_output=True, text=True, check=True).stdout.strip()
hooks = os.path.join(DIRECTORY, "hooks.json")
with open(hooks, "w") as file:
    json.dump({"hooks": [{"form": "cognito", "hook": name, "url": f"http://127.0.0.1:{receiver.server_port}/{name}",
                          # Late is a no: only the one that shall be too slow has not half a minute.
                          "secrets": [secret], "timeout": 8 if name == "UserMigration" else 30}
                         for name in functions]}, file)
os.chmod(hooks, 0o600)
environment = dict(os.environ, LATCHKEY_PASSWORDS_MEMORY_KIB="8", LATCHKEY_PASSWORDS_ITERATIONS="1",
                   LATCHKEY_HOOKS_FILE=hooks)
server = subprocess.Popen([LATCHKEY, "serve", "--dev", "--port", "0"], cwd=DIRECTORY, env=environment,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
for line in server.stderr:
    if "ready" in line and "http://" in line:
        break
else:
    raise SystemExit("the server did not start")
base = "http://" + line.split("http://")[1].split()[0]
threading.Thread(target=server.stderr.read, daemon=True).start()
connection = http.client.HTTPConnection(base.removeprefix("http://"), timeout=60)
connection.request("GET", "/dev/settings.json")
config = json.loads(connection.getresponse().read())["cognito"]
options = {"endpoint_url": base, "region_name": config["region"]}
operator = boto3.client("cognito-idp", aws_access_key_id="dev", aws_secret_access_key="dev",
                        config=Config(retries={"max_attempts": 0}), **options)
app = boto3.client("cognito-idp", config=Config(signature_version=UNSIGNED, retries={"max_attempts": 0}), **options)
pool = config["userPoolId"]
made = operator.create_user_pool_client(
    UserPoolId=pool, ClientName="walk", PreventUserExistenceErrors="ENABLED",
    ExplicitAuthFlows=["ALLOW_USER_PASSWORD_AUTH", "ALLOW_CUSTOM_AUTH", "ALLOW_USER_SRP_AUTH", "ALLOW_REFRESH_TOKEN_AUTH"])
client = made["UserPoolClient"]["ClientId"]


def password(name, word=PASSWORD, **more):
    return app.initiate_auth(ClientId=client, AuthFlow="USER_PASSWORD_AUTH",
                             AuthParameters={"USERNAME": name, "PASSWORD": word}, **more)


def refused(call, code, message=None):
    try:
        call()
    except ClientError as error:
        said = error.response["Error"]
        assert said["Code"] == code and (message is None or said["Message"] == message), said
        return
    raise AssertionError(f"{code} was expected")


def sources():
    return [event["triggerSource"] for event in events]


# Whom nobody here is called like.
assert "AccessToken" in password("ada", ClientMetadata={"from": "walk"})["AuthenticationResult"]
assert sources() == ["UserMigration_Authentication", "PostAuthentication_Authentication"], sources()
assert events[0]["request"]["validationData"] == {"from": "walk"}, events[0]
user = operator.admin_get_user(UserPoolId=pool, Username="ada")
attributes = {attribute["Name"]: attribute["Value"] for attribute in user["UserAttributes"]}
assert user["UserStatus"] == "CONFIRMED" and attributes["email_verified"] == "true", user
assert attributes["name"] == "Ada Lovelace", attributes
events.clear()
refused(lambda: password("nobody"), "NotAuthorizedException", "Incorrect username or password.")
refused(lambda: password("ada", "Wrong-horse-7-battery!"), "NotAuthorizedException", "Incorrect username or password.")
assert sources() == ["UserMigration_Authentication"], sources()
refused(lambda: password("late"), "UnexpectedLambdaException")
slow.set()
assert app.forgot_password(ClientId=client, Username="grace")["CodeDeliveryDetails"]["DeliveryMedium"] == "EMAIL"
assert sources()[-1] == "UserMigration_ForgotPassword" and events[-1]["request"]["password"] is None, events[-1]
assert operator.admin_get_user(UserPoolId=pool, Username="grace")["UserStatus"] == "CONFIRMED"
print("ok whom another directory knows is brought along", flush=True)

# What follows, and what its no undoes.
for name, nickname in [("bob", "welcome"), ("eve", "unwelcome")]:
    app.sign_up(ClientId=client, Username=name, Password=PASSWORD,
                UserAttributes=[{"Name": "email", "Value": name + "@example.com"},
                                {"Name": "nickname", "Value": nickname}])
events.clear()
operator.admin_confirm_sign_up(UserPoolId=pool, Username="bob")
refused(lambda: operator.admin_confirm_sign_up(UserPoolId=pool, Username="eve"), "UserLambdaValidationException",
        "PostConfirmation failed with error Not today.")
assert sources() == ["PostConfirmation_ConfirmSignUp"] * 2, sources()
assert operator.admin_get_user(UserPoolId=pool, Username="eve")["UserStatus"] == "CONFIRMED"
assert "AccessToken" in password("bob")["AuthenticationResult"]
refused(lambda: password("eve"), "UserLambdaValidationException", "PostAuthentication failed with error Not today.")
print("ok what follows a confirmation and a sign-in is waited for", flush=True)


# Challenges of the programs' own.
def answer(asked, word, name="ada"):
    return app.respond_to_auth_challenge(ClientId=client, ChallengeName="CUSTOM_CHALLENGE", Session=asked["Session"],
                                         ChallengeResponses={"USERNAME": name, "ANSWER": word})


events.clear()
first = app.initiate_auth(ClientId=client, AuthFlow="CUSTOM_AUTH", AuthParameters={"USERNAME": "ada"})
assert first["ChallengeName"] == "CUSTOM_CHALLENGE" and first["ChallengeParameters"]["question"] == "The word?", first
assert "sesame" not in json.dumps(first["ChallengeParameters"]) + first["Session"], first
second = answer(first, "abracadabra")
refused(lambda: answer(first, "sesame-4711"), "NotAuthorizedException")
tokens = answer(second, "sesame-4711")["AuthenticationResult"]
assert app.get_user(AccessToken=tokens["AccessToken"])["Username"] == "ada"
assert events[-2]["request"]["session"] == [
    {"challengeName": "CUSTOM_CHALLENGE", "challengeResult": False, "challengeMetadata": "WORD"},
    {"challengeName": "CUSTOM_CHALLENGE", "challengeResult": True, "challengeMetadata": "WORD"}], events[-2]
assert sources()[-1] == "PostAuthentication_Authentication", sources()
asked = app.initiate_auth(ClientId=client, AuthFlow="CUSTOM_AUTH", AuthParameters={"USERNAME": "nobody"})
assert asked["ChallengeName"] == "CUSTOM_CHALLENGE", asked
assert events[-1]["request"]["userNotFound"] is True, events[-1]
refused(lambda: answer(asked, "sesame-4711", "nobody"), "NotAuthorizedException", "Incorrect username or password.")
asked = app.initiate_auth(ClientId=client, AuthFlow="CUSTOM_AUTH", AuthParameters={"USERNAME": "bob"})
for _ in range(2):
    asked = answer(asked, "wrong", "bob")
refused(lambda: answer(asked, "wrong", "bob"), "NotAuthorizedException", "Incorrect username or password.")
print("ok challenges of the programs' own sign in, each answer once", flush=True)


# The same behind a password, as clients begin that are told to ask for both.
def begin(name, word):
    srp = AWSSRP(username=name, password=word, pool_id=pool, client_id=client, client=app)
    parameters = srp.get_auth_params()
    asked = app.initiate_auth(ClientId=client, AuthFlow="CUSTOM_AUTH",
                              AuthParameters={**parameters, "CHALLENGE_NAME": "SRP_A"})
    assert asked["ChallengeName"] == "PASSWORD_VERIFIER" and asked["Session"], asked
    return asked, srp.process_challenge(asked["ChallengeParameters"], parameters)


def prove(asked, responses):
    return app.respond_to_auth_challenge(ClientId=client, ChallengeName="PASSWORD_VERIFIER", Session=asked["Session"],
                                         ChallengeResponses=responses)


events.clear()
asked, responses = begin("ada", PASSWORD)
word = prove(asked, responses)
assert word["ChallengeName"] == "CUSTOM_CHALLENGE", word
assert [(one["challengeName"], one["challengeResult"]) for one in events[-1]["request"]["session"]] == [
    ("SRP_A", True), ("PASSWORD_VERIFIER", True)], events[-1]
refused(lambda: prove(asked, responses), "NotAuthorizedException", "Incorrect username or password.")
tokens = answer(word, "sesame-4711")["AuthenticationResult"]
assert app.get_user(AccessToken=tokens["AccessToken"])["Username"] == "ada"
told = len(events)
asked, responses = begin("ada", "Wrong-horse-7-battery!")
refused(lambda: prove(asked, responses), "NotAuthorizedException", "Incorrect username or password.")
assert len(events) == told + 1, events[told:]
asked, responses = begin("nobody", PASSWORD)
refused(lambda: prove(asked, responses), "NotAuthorizedException", "Incorrect username or password.")
# Nor does the password alone, where the client forgets what it has begun.
asked, responses = begin("ada", PASSWORD)
refused(lambda: app.respond_to_auth_challenge(ClientId=client, ChallengeName="PASSWORD_VERIFIER",
                                              ChallengeResponses=responses), "InvalidParameterException")
print("ok a password before them is proved first, and opens nothing by itself", flush=True)

server.send_signal(signal.SIGTERM)
assert server.wait(timeout=35) == 0, server.returncode
