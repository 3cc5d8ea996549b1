import re

ORDERS = "https://${apiHost}/orders/v2"
ORDER_NUMBER = re.compile(r"HP\d{8}")


def lookup_order(order_number: str) -> dict:
    """
    Find one order of the verified customer.

    Args:
        order_number: HP and eight digits, such as HP10023344.

    Returns:
        `order` with status, items, total, addresses and tracking number; or `error`, one of
        bad_number, not_found, unavailable.
    """
    if not ORDER_NUMBER.fullmatch(order_number):
        return {"error": "bad_number"}
    answer = ces_requests.get(
        url=f"{ORDERS}/orders/{order_number}",
        headers={
            "X-Customer": context.state.get("customer_id", ""),
            "X-Trace-Id": context.state.get("trace_id", ""),
        },
    )
    if answer.status_code == 404:
        return {"error": "not_found"}
    if answer.status_code != 200:
        return {"error": "unavailable"}
    order = answer.json()
    context.state["delivery_address"] = order.get("delivery_address", {})
    return {"order": order}
