def make_parcel(last_seen: str) -> dict:
    """
    Make a parcel to try things out with.

    Args:
        last_seen: The day of its last scan.

    Returns:
        Its tracking number.
    """
    return {"trackingNumber": "FP000000" + last_seen.replace("-", "")[-3:]}
