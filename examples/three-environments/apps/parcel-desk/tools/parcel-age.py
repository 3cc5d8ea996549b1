from datetime import date


def parcel_age(last_seen: str) -> dict:
    """
    Say for how many days nobody has seen a parcel.

    Args:
        last_seen: The day of the last scan, such as 2026-11-05.

    Returns:
        The number of days.
    """
    return {"days": (date.today() - date.fromisoformat(last_seen)).days}
