"""The same three calls with requests or httpx: python.py requests."""

import importlib
import os
import sys

name = sys.argv[1]
client = importlib.import_module(name)
base, auth = os.environ["BASE"], (os.environ["CLIENT_ID"], os.environ["CLIENT_SECRET"])
row = f"${name}@clients.example,{name},INDIVIDUAL,Ada Ro,1980-01-01,1 Main St,Austin,TX,78701,US"
columns = "umaAddress,platformCustomerId,customerType,fullName,birthDate,addressLine1,city,state,postalCode,country"

listed = client.get(f"{base}/transactions", params={"status": ["FAILED", "REJECTED"]}, auth=auth)
# The way of people who know PHP or Rails.
bracketed = client.get(f"{base}/transactions", params={"status[]": ["FAILED", "REJECTED"]}, auth=auth)
assert listed.json() == bracketed.json()
file = ("customers.csv", f"{columns}\n{row}\n".encode(), "text/csv")
upload = client.post(f"{base}/customers/bulk/csv", files={"file": file}, auth=auth)
payment = client.post(
    f"{base}/quotes",
    json={
        "source": {"sourceType": "ACCOUNT", "accountId": os.environ["ACCOUNT"]},
        "destination": {"destinationType": "ACCOUNT", "accountId": os.environ["PAYEE"]},
        "lockedCurrencySide": "SENDING",
        "lockedCurrencyAmount": 1000,
        "immediatelyExecute": True,
    },
    auth=auth,
)
print(listed.json()["totalCount"], upload.status_code, payment.json()["status"])
