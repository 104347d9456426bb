from datetime import date
from os import environ

import openapi_client as client


def client_of(url):
    return client.ApiClient(client.Configuration(host=url, access_token=environ["API_KEY"]))


api = client_of(environ["API_URL"])
email, day = environ["EMAIL"], date.fromisoformat(environ["DAY"])
metadata = {"text": "Ọjà", "whole": 1042, "part": 1.5, "flag": True, "none": None}

charges = client.ChargesApi(api)
body = client.CreateChargeBody(amount_kobo=3_000_000_000, email=email, metadata=metadata)
reference = charges.create_charge(body, idempotency_key=email).reference
assert charges.get_charge(reference).amount_kobo == 3_000_000_000

unpaid = [client.TransactionStatus.INITIATED, client.TransactionStatus.PENDING]
listed = client.TransactionsApi(api).list_transactions(
    status=unpaid, customer=email, var_from=day, to=day, limit=1
)
assert [one.reference for one in listed.data] == [reference]
assert listed.data[0].metadata == metadata

wanted = client.RequestRefundBody(
    reference=environ["PAID"], amount_kobo=10_000, reason="Returned"
)
refund = client.RefundsApi(api).request_refund(wanted)
assert refund.status == client.RefundStatus.REQUESTED

for event in client.EventsApi(client_of(environ["FEED_URL"])).list_events().data:
    print(event.actual_instance.type, event.actual_instance.data.id)
