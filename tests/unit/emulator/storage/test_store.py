"""The store: transactions, pages, cascades, files."""

import threading

import pytest

from cesplan.emulator.storage.store import Row, Store

APP = "projects/p/locations/us/apps/desk1"


def row(key, *, kind="agents", text="{}", parent=APP):
    return Row(
        name=f"{parent}/{kind}/{key}",
        parent=parent,
        kind=kind,
        display_name=key,
        etag="e",
        create_time="t",
        update_time="u",
        text=text,
    )


@pytest.fixture
def store():
    opened = Store()
    yield opened
    opened.close()


def test_a_failed_transaction_leaves_nothing(store):
    """An exception undoes every write of the transaction, nested ones included."""

    def fail():
        with store.writing():
            store.put(row("one"))
            with store.writing():
                store.put(row("two"))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert store.children(APP, "agents") == []
    with store.writing():
        store.put(row("three"))
    assert [found.display_name for found in store.children(APP, "agents")] == ["three"]


def test_a_delete_takes_what_is_below_and_nothing_beside(store):
    """desk1 goes with its children; desk10 and desk1-b, whose names begin alike, stay."""
    location = "projects/p/locations/us"
    for key in ("desk1", "desk10", "desk1-b"):
        store.put(row(key, kind="apps", parent=location))
        store.put(row("front", parent=f"{location}/apps/{key}"))
    store.delete(f"{location}/apps/desk1")
    assert [found.display_name for found in store.children(location, "apps")] == ["desk10", "desk1-b"]
    assert store.get(f"{APP}/agents/front") is None
    assert store.get(f"{location}/apps/desk10/agents/front") is not None


def test_who_mentions_whom_follows_the_writes(store):
    """The index knows the names in a body as it is now, and none of a deleted one."""
    target = f"{APP}/tools/look"
    store.put(row("one", text=f'{{"tools":["{target}"]}}'))
    store.put(row("two", text=f'{{"instruction":"say \\"{target}\\""}}'))
    assert [found.display_name for found in store.mentioning(APP, "agents", [target])] == ["one"]
    store.put(row("one"))
    assert store.mentioning(APP, "agents", [target]) == []
    store.put(row("one", text=f'{{"tools":["{target}"]}}'))
    store.delete(f"{APP}/agents/one")
    store.put(row("one"))
    assert store.mentioning(APP, "agents", [target]) == []


def test_a_file_keeps_everything(tmp_path):
    """What one process wrote, the next one reads; the folder is made."""
    path = tmp_path / "deep" / "emulator.db"
    first = Store(path)
    first.put(row("one", text='{"a":1}'))
    first.put_operation("projects/p/locations/us/operations/o", {"x": 1}, 2)
    first.close()
    second = Store(path)
    kept = second.get(f"{APP}/agents/one")
    assert kept is not None
    assert kept.body == {"a": 1}
    assert second.operation("projects/p/locations/us/operations/o") == ({"x": 1}, 2)
    second.close()


def test_two_stores_share_a_file(tmp_path):
    """Transactions of two connections to a file follow each other: no update is lost."""
    stores = [Store(tmp_path / "e.db") for _ in range(2)]
    stores[0].put(row("count", text='{"n":0}'))

    def add(store):
        for _ in range(25):
            with store.writing():
                found = store.get(f"{APP}/agents/count")
                store.put(row("count", text=f'{{"n":{found.body["n"] + 1}}}'))

    threads = [threading.Thread(target=add, args=(store,)) for store in stores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert stores[0].get(f"{APP}/agents/count").body == {"n": 50}
    for store in stores:
        store.close()
