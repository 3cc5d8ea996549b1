ACCOUNTS = "https://${apiHost}/accounts/v1"
MOST_ATTEMPTS = 3


def verify_customer(identifier: str, postal_code: str) -> dict:
    """
    Check that the customer is who they say they are.

    Args:
        identifier: The customer number, or the e-mail address of the account.
        postal_code: The postal code of the home address.

    Returns:
        `result` is verified, mismatch or locked; when verified also `first_name` and `loyalty_tier`.
    """
    attempts = int(context.state.get("verification_attempts", 0))
    if attempts >= MOST_ATTEMPTS:
        return {"result": "locked"}
    answer = ces_requests.post(
        url=f"{ACCOUNTS}/verify",
        json={"identifier": identifier.strip(), "postal_code": postal_code.strip()},
        headers={"X-Trace-Id": context.state.get("trace_id", "")},
    )
    if answer.status_code != 200:
        context.state["verification_attempts"] = attempts + 1
        return {"result": "locked" if attempts + 1 >= MOST_ATTEMPTS else "mismatch"}
    return _remember(answer.json())


def _remember(account: dict) -> dict:
    context.state["customer_verified"] = True
    context.state["customer_id"] = account["id"]
    context.state["customer_name"] = account["first_name"]
    context.state["loyalty_tier"] = account.get("loyalty_tier", "none")
    context.state["home_address"] = account["home_address"]
    return {
        "result": "verified",
        "first_name": account["first_name"],
        "loyalty_tier": account.get("loyalty_tier", "none"),
    }
