"""What Schemathesis must know of this API beyond its document; requests.ts writes PLAN."""

import itertools
import json
import os

import schemathesis
from hypothesis import strategies as st

with open(os.environ["PLAN"], encoding="utf-8") as file:
    plan = json.load(file)


@schemathesis.auth(refresh_interval=None)
class EachKeyInTurn:
    """Of the keys that may call the operation."""

    turns = {label: itertools.cycle(of["keys"]) for label, of in plan.items()}

    def get(self, case, context):
        return next(self.turns[context.operation.label])

    def set(self, case, key, context):
        if key is not None:
            case.headers["Authorization"] = f"Bearer {key}"


@schemathesis.check
def refuses_only_what_no_schema_can_say(ctx, response, case):
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    if response.status_code == 422:
        fields = {name.split(".")[0] for name in response.json()["error"].get("fields", [])}
        assert fields <= set(plan[case.operation.label]["refusable"]), response.text
    elif response.status_code >= 400:
        needs_key = plan[case.operation.label]["keys"] != [None]
        assert response.status_code in ([404, 409] if needs_key else [401]), response.text


def text(pattern):
    return st.from_regex(pattern, fullmatch=True)


ORIGIN = r"https://[a-z][a-z0-9]{0,20}\.example(:[1-9][0-9]{0,3})?"
PATH = r"(/[a-z0-9._~-]{0,9}){0,3}"
PHONE = r"\+?[0-9]([ -]?[0-9]){6,14}"

formats = {
    "account-code": text(r"[A-Za-z0-9]+([ ./_:-][A-Za-z0-9]+){0,3}"),
    "email-or-phone": text(rf"[a-z]+@[a-z]+\.example|{PHONE}"),
    "instant": st.datetimes().map(lambda time: f"{time.isoformat(timespec='milliseconds')}Z"),
    "time-zone": st.sampled_from(["Africa/Lagos", "Europe/Kyiv", "UTC"]),
    "web-address": text(ORIGIN + PATH),
    "web-origin": text(ORIGIN),
    "webhook-url": text(ORIGIN + PATH),
}
for name, values in formats.items():
    schemathesis.openapi.format(name, values)
