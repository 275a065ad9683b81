from __future__ import annotations

from pathlib import Path

from ragdebug.store.workspace import Store


def test_what_is_registered_can_be_replaced_removed_and_brought_back(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.registered.put("searcher", "shop", {"target": "shop:search", "k": 10})
    store.registered.put("searcher", "shop", {"target": "shop:find"})
    store.registered.put("remote model", "shop", {"url": "http://localhost"})
    assert store.registered.all("searcher") == {"shop": {"target": "shop:find"}}
    assert store.registered.remove("searcher", "shop")
    assert not store.registered.remove("searcher", "shop")
    assert store.registered.get("searcher", "shop") is None
    assert store.registered.all("searcher", removed=True) == {"shop": {"target": "shop:find"}}
    assert store.registered.get("remote model", "shop") == {"url": "http://localhost"}
    store.close()
    again = Store(tmp_path)
    assert again.registered.restore("searcher", "shop")
    assert not again.registered.restore("searcher", "nobody")
    assert again.registered.get("searcher", "shop") == {"target": "shop:find"}
    again.close()


def test_half_characters_do_not_stop_a_save(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.registered.put("searcher", "a\ud800", {"note": "b\ud800\0"})
    assert store.registered.get("searcher", "a\ud800") == {"note": "b\ufffd\ufffd"}
    store.close()
