HOURS = {"saturday": "10:00 to 16:00", "sunday": "closed"}


def opening_hours(weekday: str) -> dict:
    """
    Say when the shop is open on one weekday.

    Args:
        weekday: The English name of the day, such as "Monday".

    Returns:
        The day and its opening hours.
    """
    day = weekday.strip().lower()
    return {"weekday": day, "hours": HOURS.get(day, "09:00 to 18:00")}
