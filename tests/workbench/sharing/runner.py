"""Runs exported scripts, each from its own folder, where ragdebug cannot be imported.

python -I runner.py < [[folder, [question, ...]], ...]   prints [[[[id, score], ...], ...], ...]
"""

import importlib
import json
import sys

sys.modules["ragdebug"] = None  # what is None there is refused by the next import
answers = []
for folder, questions in json.load(sys.stdin):
    sys.path.insert(0, folder)
    for name in ("search", "terms"):
        sys.modules.pop(name, None)
    importlib.invalidate_caches()
    module = importlib.import_module("search")
    found = [module.search(question) for question in questions]
    answers.append([[[chunk["id"], score] for score, chunk in hits] for hits in found])
    sys.path.remove(folder)
print(json.dumps(answers))
