MOST = 6


def to_carousel(tool_response: dict) -> dict:
    """
    Turn search results into cards.

    Args:
        tool_response: What the catalogue search returned.

    Returns:
        The input of the carousel widget.
    """
    found = tool_response.get("results", [])
    return {"products": [_card(product) for product in found[:MOST] if product.get("uri")]}


def _card(product: dict) -> dict:
    price = product.get("price")
    return {
        "title": product.get("title", ""),
        "price": f"${price:.2f}" if isinstance(price, (int, float)) else "",
        "imageUri": (product.get("images") or [""])[0],
        "uri": product["uri"],
    }
