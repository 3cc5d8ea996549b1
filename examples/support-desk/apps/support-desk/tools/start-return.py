RETURNS = "https://${apiHost}/returns/v1"


def start_return(order_number: str, sku: str, quantity: int, reason: str) -> dict:
    """
    Open a return and make its label. Call it only after the customer has said yes to the quote.

    Args:
        order_number: HP and eight digits.
        sku: The article number.
        quantity: How many pieces come back.
        reason: One of unwanted, damaged, missing, wrong_item.

    Returns:
        `return_number` and `label_url`; or `error`.
    """
    answer = ces_requests.post(
        url=f"{RETURNS}/returns",
        json={"order": order_number, "lines": [{"sku": sku, "quantity": quantity, "reason": reason}]},
        headers={
            "X-Customer": context.state.get("customer_id", ""),
            # A repeated call must not make a second label.
            "Idempotency-Key": f"{order_number}-{sku}-{quantity}",
        },
    )
    if answer.status_code not in (200, 201):
        return {"error": "unavailable"}
    made = answer.json()
    return {"return_number": made["number"], "label_url": made["label_url"]}
