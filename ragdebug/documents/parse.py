"""Bytes of any file to documents: picks the parser by name, then by what the bytes really are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import PurePosixPath

from ragdebug.documents.inflate import check_size, inflate_named
from ragdebug.documents.language import detect
from ragdebug.documents.options import Limits, ParseOptions
from ragdebug.documents.sniff import sniff
from ragdebug.errors import (
    CorruptDocument,
    EmptyDocument,
    RagDebugError,
    UnsupportedFormat,
)
from ragdebug.records import ParsedDocument, ParseWarning

Parser = Callable[[bytes, str, ParseOptions, Limits], "ParsedDocument | list[ParsedDocument]"]

_CODE = (
    "py pyi pyw js mjs cjs jsx ts mts cts tsx java c h cc cpp cxx hpp hh hxx cs go rs rb php swift "
    "kt kts scala sh bash zsh ksh fish ps1 bat cmd sql r jl m mm lua pl pm dart ex exs erl hrl hs "
    "ml mli fs fsx clj cljs edn lisp el scm vb bas pas f f90 zig nim v d cu glsl vue svelte css "
    "scss less sass yaml yml toml ini cfg conf properties env xml xsd xsl svg proto graphql gql tf "
    "hcl gradle groovy cmake mk dockerfile diff patch tex bib"
).split()

#: Suffix -> kind of what is read; names of kinds are those of `ParsedDocument`, and ``gzip`` and
#: ``archive`` (whose members are read by `archive.members`).
SUPPORTED: dict[str, str] = {
    **dict.fromkeys((".md", ".markdown", ".mdown", ".mkd", ".mdx", ".qmd", ".rmd"), "markdown"),
    **dict.fromkeys((".txt", ".text", ".rst", ".adoc", ".asciidoc", ".org", ".log"), "text"),
    **dict.fromkeys((".html", ".htm", ".xhtml"), "html"),
    ".pdf": "pdf",
    ".docx": "docx",
    **dict.fromkeys((".csv", ".tsv", ".tab"), "table"),
    ".json": "json",
    **dict.fromkeys((".jsonl", ".ndjson"), "record"),
    **{f".{suffix}": "code" for suffix in _CODE},
    ".gz": "gzip",
    ".zip": "archive",
}

# Kind -> module and function; modules load when the first file of their kind comes.
_PARSERS = {
    "markdown": ("ragdebug.documents.markdown", "parse_markdown"),
    "text": ("ragdebug.documents.text", "parse_text"),
    "html": ("ragdebug.documents.html", "parse_html"),
    "pdf": ("ragdebug.documents.pdf", "parse_pdf"),
    "docx": ("ragdebug.documents.docx", "parse_docx"),
    "table": ("ragdebug.documents.tables", "parse_csv"),
    "json": ("ragdebug.documents.jsonl", "parse_json"),
    "record": ("ragdebug.documents.jsonl", "parse_jsonl"),
    "code": ("ragdebug.documents.code", "parse_code"),
}
_BARE_NAMES = {
    **dict.fromkeys(("makefile", "dockerfile", "jenkinsfile", "rakefile", "gemfile"), "code"),
    **dict.fromkeys(("readme", "license", "changelog", "notice", "authors", "copying"), "text"),
}
# What may be read whatever the suffix says, since the bytes leave no doubt.
_CERTAIN = ("pdf", "docx")
_ADVICE = {
    ".doc": "Save it as .docx.",
    ".rtf": "Save it as .docx or .txt.",
    ".odt": "Save it as .docx.",
    ".xls": "Save the sheet as CSV.",
    ".xlsx": "Save the sheet as CSV.",
    ".ods": "Save the sheet as CSV.",
    ".ppt": "Save it as PDF.",
    ".pptx": "Save it as PDF.",
    ".epub": "Convert it to HTML or text.",
    ".eml": "Save its text as .txt or .html.",
    ".msg": "Save its text as .txt or .html.",
}
_PER_RECORD = 2000
_NO_LANGUAGE = ("code", "json")


def parse(
    data: bytes,
    name: str,
    options: ParseOptions | None = None,
    limits: Limits | None = None,
) -> list[ParsedDocument]:
    """Read one file; a file of records gives one document each, any other file exactly one.

    Args:
        data: the bytes.
        name: file name, also with folders; messages call the file so.
        options: what a person chose.
        limits: what a file may cost.

    Raises:
        DocumentError: one of its subclasses, naming the file.
    """
    options = options or ParseOptions()
    limits = limits or Limits()
    check_size(data, name, limits)
    if not data.strip():
        raise EmptyDocument(f"{name} is empty.")
    data, inner = inflate_named(data, name, limits)
    kind, warnings = _kind(data, inner, name)
    module, function = _PARSERS[kind]
    parser: Parser = getattr(import_module(module), function)
    try:
        parsed = parser(data, name, options, limits)
    except (RagDebugError, AssertionError):
        raise
    except Exception as e:
        # A library met something it did not expect. The other files must not suffer from it.
        reason = str(e) or type(e).__name__
        raise CorruptDocument(f"{name} cannot be read: {reason}.") from e
    found = parsed if isinstance(parsed, list) else [parsed]
    if warnings:
        found[0] = replace(found[0], warnings=(*warnings, *found[0].warnings))
    return _with_language(found, options)


def kind_of(name: str) -> str:
    """The kind a name stands for, "" for an unknown suffix."""
    path = PurePosixPath(name.replace("\\", "/").lower())
    return SUPPORTED.get(path.suffix) or _BARE_NAMES.get(path.name, "")


def _kind(data: bytes, inner: str, name: str) -> tuple[str, tuple[ParseWarning, ...]]:
    """Which parser reads a file, and a warning where its name says another."""
    said, found = kind_of(inner), sniff(data)
    if found in _CERTAIN or (found == "html" and said in ("", "pdf", "docx", "text")):
        if said in (found, ""):
            return found, ()
        suffix = PurePosixPath(inner).suffix
        message = f"{name} is called {suffix} and holds {found.upper()}; it was read as that."
        return found, (ParseWarning("wrong_suffix", message),)
    if said == "docx":
        return said, ()  # its parser knows locked and damaged ones apart
    if said == "pdf":
        if found in ("", "html"):
            return said, ()
        raise CorruptDocument(f"{name} is not a PDF file: it holds {_described(found)}.")
    if found not in ("", "html"):
        raise UnsupportedFormat(f"{name} holds {_described(found)}.", hint=_advice(inner, found))
    if said in ("archive", "gzip"):
        raise CorruptDocument(f"{name} is not a {PurePosixPath(inner).suffix[1:]} file.")
    if not said and (advice := _ADVICE.get(PurePosixPath(inner.lower()).suffix)):
        raise UnsupportedFormat(f"{name} is of a kind that is not read.", hint=advice)
    return said or _unknown(data, name), ()


def _unknown(data: bytes, name: str) -> str:
    """The kind of a file whose name says nothing: text, if it is text at all."""
    from ragdebug.documents.encoding import decode

    try:
        decode(data[:100_000], name, limits=Limits(max_line_chars=len(data) + 1))
    except CorruptDocument as e:
        known = ", ".join(s for s in SUPPORTED if SUPPORTED[s] != "code")
        raise UnsupportedFormat(
            f"{name} is of an unknown kind and holds no text.", hint=f"Read are {known}, and code."
        ) from e
    return "code" if data.startswith(b"#!") else "text"


def _described(found: str) -> str:
    names = {"ole": "an old Office file, or a locked one", "zip": "a zip archive"}
    return names.get(found, found if found.startswith("a") else f"a {found} file")


def _advice(inner: str, found: str) -> str:
    if found == "zip" and inner.lower().endswith(".zip"):
        return "An archive is opened when it is given by itself: add it alone, or unpack it."
    if found == "zip":
        return "Give it a name that ends in .zip, then its files are read."
    return _ADVICE.get(PurePosixPath(inner.lower()).suffix, "")


# Language -----------------------------------------------------------------------------------------


def _with_language(found: list[ParsedDocument], options: ParseOptions) -> list[ParsedDocument]:
    """The documents with their language: chosen, else what the file says, else detected."""
    if options.language:
        return [replace(d, language=options.language) for d in found]
    missing = [d for d in found if not d.language and d.kind not in _NO_LANGUAGE]
    common = _common_language(missing) if len(missing) > _PER_RECORD else ""
    result = []
    for document in found:
        code = document.language or _said(document)
        if not code and document.kind not in _NO_LANGUAGE:
            code = common or detect(_prose(document))[0]
        result.append(replace(document, language=code) if code != document.language else document)
    return result


def _common_language(documents: Sequence[ParsedDocument]) -> str:
    """The language of nearly all records of a long file, or "" where they differ.

    Looking at each of 100,000 rows would take longer than reading them.
    """
    step = max(1, len(documents) // (_PER_RECORD // 2))
    codes = Counter(code for d in documents[::step] if (code := detect(d.text)[0]))
    if not codes:
        return ""
    code, count = codes.most_common(1)[0]
    return code if count >= 0.97 * codes.total() else ""


def _said(document: ParsedDocument) -> str:
    """The language that front matter names."""
    if document.kind not in ("markdown", "text"):
        return ""
    values = {k.lower(): v for k, v in document.metadata.items()}
    code = (values.get("lang") or values.get("language") or "").replace("_", "-").split("-")[0]
    return code.lower() if len(code) == 2 and code.isalpha() and code.isascii() else ""


def _prose(document: ParsedDocument) -> str:
    """Text without code and tables, whose words are in no language."""
    if len(document.blocks) < 2:
        return document.text
    parts: list[str] = []
    size = 0
    # A part from everywhere in the document, since its first pages may be in another language.
    blocks = [b for b in document.blocks if b.kind not in ("code", "unit", "table")]
    step = max(1, len(blocks) // 60)
    for block in blocks[::step]:
        parts.append(document.text[block.start : min(block.end, block.start + 1000)])
        size += len(parts[-1])
        if size > 20_000:
            break
    return "\n".join(parts) or document.text
